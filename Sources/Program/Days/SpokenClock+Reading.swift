import CEL
import Phrases

/// A part of a day.
enum DayPart {
  case morning, noon, afternoon, evening, night, midnight

  /// The minute of the day that it stands for where no hour is said.
  var minute: Int {
    switch self {
    case .morning: 9 * 60
    case .noon: 12 * 60
    case .afternoon: 15 * 60
    case .evening: 18 * 60
    case .night: 21 * 60
    case .midnight: 24 * 60
    }
  }

  /// The minute of the day for one of a clock with twelve hours.
  func minute(_ minute: Int) -> Int {
    switch self {
    case .noon where minute < 360: minute + 720
    case .evening where minute < 240: minute + 1_440
    case .afternoon where minute < 720, .evening where minute < 720: minute + 720
    case .night where (360..<720).contains(minute): minute + 720
    case .morning where (720..<780).contains(minute): minute - 720
    // Midnight is the end of its day, and what follows an evening is the night after it.
    case .evening where (720..<780).contains(minute), .night where (720..<780).contains(minute),
      .midnight where (720..<780).contains(minute):
      minute + 720
    default: minute
    }
  }
}

/// The words with which a language tells the time.
struct ClockWords: Sendable {
  let parts: [String: DayPart]
  var halves: Set<String> = []
  var quarters: Set<String> = []
  var threeQuarters: Set<String> = []
  var after: Set<String> = []
  var before: Set<String> = []
  /// Words after an hour of 24, if it is written in digits.
  var hours: Set<String> = []
  var fillers: Set<String> = []
  /// Whether the hour stands before its minutes, as in `cinco menos diez`.
  var saysHourFirst = false
  /// Whether `halb fünf` is half an hour before five.
  var countsToHour = false

  private static func parts(
    morning: String, noon: String, afternoon: String, evening: String, night: String,
    midnight: String
  ) -> [String: DayPart] {
    var parts: [String: DayPart] = [:]
    let rows: [(DayPart, String)] = [
      (.morning, morning), (.noon, noon), (.afternoon, afternoon), (.evening, evening),
      (.night, night), (.midnight, midnight),
    ]
    for (part, words) in rows {
      for word in words.split(separator: " ") { parts[String(word)] = part }
    }
    return parts
  }

  static let english = ClockWords(
    parts: parts(
      morning: "morning first am a.m a.m.", noon: "noon midday lunch lunchtime",
      afternoon: "afternoon pm p.m p.m.", evening: "evening tonight", night: "night",
      midnight: "midnight"),
    halves: ["half"], quarters: ["quarter"], after: ["past"], before: ["to"],
    fillers: ["in", "the", "at", "thing", "this", "o'clock", "oclock", "sharp", "minutes", "a"])

  static let german = ClockWords(
    parts: parts(
      morning: "morgens morgen früh vormittags vormittag", noon: "mittags mittag",
      afternoon: "nachmittags nachmittag", evening: "abends abend", night: "nachts nacht",
      midnight: "mitternacht"),
    halves: ["halb"], quarters: ["viertel"], threeQuarters: ["dreiviertel"], after: ["nach"],
    before: ["vor"], hours: ["uhr", "h"],
    fillers: ["am", "in", "der", "um", "zu", "punkt", "minuten"], countsToHour: true)

  static let french = ClockWords(
    parts: parts(
      morning: "matin matinée", noon: "midi", afternoon: "après-midi l'après-midi",
      evening: "soir soirée", night: "nuit", midnight: "minuit"),
    halves: ["demie", "demi"], quarters: ["quart"], after: ["et"], before: ["moins"],
    hours: ["heure", "heures", "h"],
    fillers: ["à", "au", "du", "de", "dans", "le", "la", "ce", "cet", "en", "précises", "pile"],
    saysHourFirst: true)

  static let spanish = ClockWords(
    parts: parts(
      morning: "mañana madrugada temprano amanecer am a.m a.m.", noon: "mediodía medio",
      afternoon: "tarde pm p.m p.m.", evening: "anochecer", night: "noche",
      midnight: "medianoche"),
    halves: ["media"], quarters: ["cuarto"], after: ["y"], before: ["menos"],
    hours: ["h", "hora", "horas"],
    fillers: ["a", "al", "las", "por", "la", "de", "esta", "día", "en", "punto", "minutos"],
    saysHourFirst: true)

  static let japanese = ClockWords(
    parts: parts(
      morning: "午前中 午前 朝 早朝 今朝", noon: "正午 お昼 昼", afternoon: "午後",
      evening: "夕方 夜 今晩 今夜", night: "深夜", midnight: ""))
}

/// Times of day as numbers.
extension SpokenClock {
  /// A part of a time of day that is said.
  private enum Piece: Equatable {
    case hour(Hour)
    case half, quarter, threeQuarters, after, before
  }

  /// A number that is said or written.
  private struct Hour: Equatable {
    var number: Int
    /// Minutes and half of the day that are written with it, as in `17:30` and `5pm`.
    var minutes: Int?
    var part: DayPart?
    /// Whether it is one of 24 hours.
    var isExact = false
    var isWritten = true
  }

  /// Returns the local time that words name on a day; nil if they name none.
  ///
  /// An hour from 1 to 6 without more is one of the afternoon, and today each hour that is over is
  /// twelve hours later where that is still ahead.
  func time(_ text: String, isDense: Bool, on day: CivilDate, now: CivilTime) -> CivilTime? {
    guard let found = isDense ? denseMinute(text) : minute(of: text) else { return nil }
    var minute = found.minute
    if found.isOpen {
      if (60..<420).contains(minute) { minute += 720 }
      let isOver = day == now.date && minute * 60 <= now.secondOfDay
      if isOver, minute < 720, (minute + 720) * 60 > now.secondOfDay { minute += 720 }
    }
    // `heute Nacht um 2`
    if found.isNight, day == now.date, minute * 60 <= now.secondOfDay { minute += 1_440 }
    guard (0..<2_880).contains(minute) else { return nil }
    return CivilTime(date: day.adding(days: minute / 1_440), secondOfDay: minute % 1_440 * 60)
  }

  /// Whether words name a time of day.
  func names(_ text: String) -> Bool { minute(of: text) != nil }

  /// A minute of a day, or of the night after it.
  private struct Minute {
    let minute: Int
    /// Whether it may be one of the afternoon, too.
    var isOpen = false
    var isNight = false
  }

  private func minute(of text: String) -> Minute? {
    var tokens = text.split(separator: " ").map(String.init)
    if let start = at.first(where: { tokens.starts(with: $0) }), tokens.count > start.count {
      tokens.removeFirst(start.count)
    }
    var part: DayPart?
    var pieces: [Piece] = []
    for token in tokens {
      if let found = clockWords.parts[token] {
        part = found
      } else if clockWords.hours.contains(token) {
        guard case .hour(var hour)? = pieces.last else { return nil }
        hour.isExact = hour.isWritten
        pieces[pieces.count - 1] = .hour(hour)
      } else if let piece = piece(token) {
        pieces.append(piece)
      } else if !clockWords.fillers.contains(token) {
        return nil
      }
    }
    // Noon and midnight are hours, as in `midi et demie`.
    if part == .noon || part == .midnight, pieces.first == .after || pieces.first == .before {
      pieces.insert(.hour(Hour(number: part == .noon ? 12 : 24, isExact: true)), at: 0)
      part = nil
    }
    if pieces.isEmpty { return part.map { Minute(minute: $0.minute) } }
    guard let (hour, shift) = combined(pieces), hour.number < 25,
      hour.number < 24 || hour.minutes ?? 0 == 0
    else { return nil }
    var minute = hour.number * 60 + (hour.minutes ?? 0) + shift
    let isExact = hour.isExact || hour.number > 12
    if minute < 0 { minute += isExact ? 1_440 : 720 }
    if let part = hour.part ?? part, hour.number < 13 {
      return Minute(minute: part.minute(minute), isNight: part == .night)
    }
    return Minute(minute: minute, isOpen: !isExact && minute < 780)
  }

  /// The hour of some pieces, and the minutes to add to it.
  private func combined(_ pieces: [Piece]) -> (Hour, Int)? {
    func minutes(_ piece: Piece) -> Int? {
      switch piece {
      case .half: 30
      case .quarter: 15
      case .threeQuarters: 45
      case .hour(let hour): hour.minutes == nil && hour.part == nil ? hour.number : nil
      case .after, .before: nil
      }
    }
    func hour(_ piece: Piece) -> Hour? { if case .hour(let hour) = piece { hour } else { nil } }
    switch pieces.count {
    case 1: return hour(pieces[0]).map { ($0, 0) }
    case 2:
      switch pieces[0] {
      case .half: return hour(pieces[1]).map { ($0, clockWords.countsToHour ? -30 : 30) }
      case .quarter where clockWords.countsToHour: return hour(pieces[1]).map { ($0, -45) }
      case .threeQuarters: return hour(pieces[1]).map { ($0, -15) }
      default:
        guard let count = minutes(pieces[1]), count < 60 else { return nil }
        return hour(pieces[0]).map { ($0, count) }
      }
    case 3 where pieces[1] == .after || pieces[1] == .before:
      let (own, other) = clockWords.saysHourFirst ? (0, 2) : (2, 0)
      // `3 to 4` is no time, unlike `ten to four`.
      guard let count = minutes(pieces[other]), count < 60, count % 5 == 0 else { return nil }
      return hour(pieces[own]).map { ($0, pieces[1] == .after ? count : -count) }
    default: return nil
    }
  }

  private func piece(_ token: String) -> Piece? {
    if clockWords.halves.contains(token) { return .half }
    if clockWords.quarters.contains(token) { return .quarter }
    if clockWords.threeQuarters.contains(token) { return .threeQuarters }
    if clockWords.after.contains(token) { return .after }
    if clockWords.before.contains(token) { return .before }
    if let number = numbers[token], number < 60 {
      return .hour(Hour(number: Int(number), isWritten: false))
    }
    let digits = token.prefix { $0.isASCII && $0.isNumber }
    guard (1...2).contains(digits.count), let number = Int(digits), number < 60 else { return nil }
    var hour = Hour(number: number, isExact: digits.first == "0")
    var rest = token.dropFirst(digits.count)
    if let mark = rest.first, ":.h".contains(mark) {
      let after = rest.dropFirst().prefix { $0.isASCII && $0.isNumber }
      if after.count == 2, let count = Int(after), count < 60 {
        (hour.minutes, hour.isExact) = (count, true)
        rest = rest.dropFirst(3)
      } else if rest == "." || rest == "h" && clockWords.hours.contains("h") {
        hour.isExact = hour.isExact || rest == "h"
        rest = ""
      }
    }
    if rest.isEmpty { return .hour(hour) }
    guard let part = clockWords.parts[String(rest)] else { return nil }
    (hour.part, hour.isExact) = (part, false)
    return .hour(hour)
  }

  /// The minute of a time in Japanese, such as `午後3時半`.
  private func denseMinute(_ text: String) -> Minute? {
    var rest = text[...]
    var part: DayPart?
    let parts = clockWords.parts.keys.filter(rest.hasPrefix)
    if let word = parts.max(by: { $0.count < $1.count }) {
      part = clockWords.parts[word]
      rest = rest.dropFirst(word.count)
    }
    while let first = rest.first, "の、".contains(first) { rest = rest.dropFirst() }
    guard let mark = rest.firstIndex(where: { $0 == "時" || $0 == ":" }) else {
      return part.map { Minute(minute: $0.minute) }
    }
    func number(_ text: Substring) -> Int? { Int(text) ?? numbers[String(text)].map { Int($0) } }
    guard let hour = number(rest[..<mark]), hour < 25 else { return nil }
    let after = rest[rest.index(after: mark)...]
    let minutes =
      after.first == "半" ? 30 : number(after.prefix { $0.isNumber || numbers["\($0)"] != nil }) ?? 0
    guard minutes < 60, hour < 24 || minutes == 0 else { return nil }
    let minute = hour * 60 + minutes
    if hour > 12 || rest[mark] == ":" { return Minute(minute: minute) }
    return part.map { Minute(minute: $0.minute(minute), isNight: $0 == .night) }
      ?? Minute(minute: minute, isOpen: minute < 780)
  }
}
