import CEL
import ForeignText
import Items
import POSIX
import Program
import Source
import Synchronization

/// The person's holidays by the setting `holidays`, read on first use.
package final class HolidaySource: Sendable {
  private let settings: Settings
  private let clock: LocalClock
  private let environment: @Sendable (String) -> String?
  private let note: @Sendable (TerminalText) -> Void
  private let known = Mutex<Holidays??>(nil)

  /// The last year to which a holiday that comes each year is continued.
  private static let lastYear = 2_100
  /// The most days of a calendar.
  private static let mostDays = 50_000
  /// The largest file, in bytes.
  private static let limit = 16 << 20

  /// - Parameter note: Called once with the problem of the file.
  init(
    _ settings: Settings, _ clock: LocalClock,
    environment: @escaping @Sendable (String) -> String?,
    note: @escaping @Sendable (TerminalText) -> Void
  ) {
    self.settings = settings
    self.clock = clock
    self.environment = environment
    self.note = note
  }

  /// The days; nil if the setting is not set or its file cannot be read.
  var days: Holidays? {
    known.withLock { known in
      if let known { return known }
      let value = settings.value(of: .holidays)
      var days: Holidays?
      if !value.isEmpty {
        switch Self.read(value, environment, clock) {
        case .success(let read): days = read
        case .failure(let problem): note("errand: holidays: \(problem.text)\n")
        }
      }
      known = .some(days)
      return days
    }
  }

  /// The reason a value of the setting gives no days; nil if it gives some.
  package static func problem(
    with value: String, _ environment: (String) -> String?
  ) -> String? {
    if case .failure(let problem) = read(value, environment, .utc) { problem.text } else { nil }
  }

  private struct Problem: Error { let text: String }

  private static func read(
    _ value: String, _ environment: (String) -> String?, _ clock: LocalClock
  ) -> Result<Holidays, Problem> {
    if let days = Holidays(value) { return .success(days) }
    let path = value.hasPrefix("~/") ? (environment("HOME") ?? "") + value.dropFirst() : value
    do throws(SystemError) {
      guard let bytes = try Descriptor(input: path).bytes(limit: limit) else {
        return .failure(Problem(text: "\(path) exceeds \(limit >> 20) MiB"))
      }
      let text = String(decoding: bytes, as: UTF8.self)
      if let days = calendar(text, clock) ?? Holidays(text) { return .success(days) }
      return .failure(Problem(text: "\(path) is neither a calendar nor a list of days"))
    } catch {
      return .failure(Problem(text: "\(path): \(error.reason)"))
    }
  }

  /// The whole days of a calendar, those of yearly ones until `lastYear`; nil if the text is none.
  static func calendar(_ text: String, _ clock: LocalClock) -> Holidays? {
    guard let entries = CalendarFile.entries(in: text, local: { clock.moment(of: $0) }) else {
      return nil
    }
    var dates: [CivilDate] = []
    for entry in entries where dates.count < mostDays {
      guard case .map(let fields) = entry, fields["allDay"] == .bool(true),
        case .timestamp(let start)? = fields["start"]
      else { continue }
      let first = clock.time(at: start).date
      var length = 0
      // The end of a whole day is the day after.
      if case .timestamp(let end)? = fields["end"], end > start {
        length = clock.time(at: end).date.daysSinceEpoch - first.daysSinceEpoch - 1
      }
      var days = [first]
      if case .string(let text)? = fields["repeats"], let rule = CalendarRule(text),
        rule.frequency == .yearly, first.year >= 1_900,
        let end = CivilDate(year: lastYear + 1, month: 1, day: 1)
      {
        let times = rule.times(
          from: CivilTime(date: first), until: rule.until?.time,
          in: CivilTime(
            date: first.adding(days: 1))..<CivilTime(date: max(end, first.adding(days: 1))),
          limit: mostDays)
        days += times.map(\.date)
      }
      for day in days { dates += (0...min(max(length, 0), 31)).map { day.adding(days: $0) } }
    }
    return Holidays(dates)
  }
}
