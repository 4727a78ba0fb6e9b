import CEL
import Engine
import Items
import Program

extension Errand {
  /// Words for a day, a moment or a length of time in the form that shows what was understood, such
  /// as `Thu 24 Dec 2026, 18:30`; nil if they are not understood.
  ///
  /// - Parameter type: `date`, `when`, `range`, `timestamp` or `duration`, optional or not; other types have no
  ///   words.
  package func understood(_ words: String, as type: String) -> String? {
    let clock = makeHost().clock
    let reader = reader(clock)
    func text(_ moment: Timestamp, _ pattern: String) -> String? {
      try? DatePattern(pattern).text(of: moment, in: clock.zone)
    }
    return switch type.hasSuffix("?") ? type.dropLast() : type[...] {
    case "date":
      reader.date(words).map(clock.start).flatMap { text($0, "EEE d MMM yyyy") }
    case "when":
      reader.when(words).flatMap { text($0, $0.isDay ? "EEE d MMM yyyy" : "EEE d MMM yyyy, HH:mm") }
    case "timestamp": reader.timestamp(words).flatMap { text($0, "EEE d MMM yyyy, HH:mm") }
    case "range":
      DayRange(words, now: SystemHost.now(), clock: clock, language: workspace.spokenLanguage)
        .map { $0.text(clock) }
    case "duration": length(words, clock).map { DurationText.spoken($0) }
    default: nil
    }
  }

  private func length(_ words: String, _ clock: LocalClock) -> DurationValue? {
    let said = SpokenDate.value(
      of: words, as: .duration, in: workspace.spokenLanguage, now: SystemHost.now(), clock: clock)
    return DurationReader.duration(said?.text ?? words)
  }

  /// The day or the local time that words such as `friday`, `+3d` or `tomorrow at 5pm` stand for, as
  /// `2026-11-23` or `2026-11-23T17:00`; nil if they name neither.
  ///
  /// A time of day alone is one, as `17:00`, so that it may follow another time.
  package func when(_ words: String) -> String? {
    let reader = reader(makeHost().clock)
    let text = reader.whenText(words)
    return reader.isTimeOfDay(words) ? text.map { String($0.dropFirst("2026-11-23T".count)) } : text
  }

  private func reader(_ clock: LocalClock) -> DateReader {
    DateReader(now: SystemHost.now(), clock: clock, language: workspace.spokenLanguage)
  }
}
