package import CEL
import Items

/// Days, weeks, months and years on the person's calendar: functions that keep the time of day,
/// whatever clocks do meanwhile.
enum CalendarFunctions {
  /// Their names.
  static let names = [
    "date", "addDays", "addWeeks", "addMonths", "addYears", "add", "daysUntil", "period",
    "nextDate",
  ]

  /// All of them.
  static func all(_ clock: LocalClock) -> [Function] {
    [
      Function("date") { (text: String) throws(EvaluationError) in
        guard let date = CivilDate(iso8601: text) else {
          throw EvaluationError("\(Value.string(text)) is not a day such as 2026-11-20")
        }
        return try checked(clock.start(of: date))
      },
      Function("date") { (moment: Timestamp) in clock.start(of: clock.time(at: moment).date) },
      shift("addDays", clock) { (days: $0, months: 0) },
      shift("addWeeks", clock) { (days: $0 &* 7, months: 0) },
      shift("addMonths", clock) { (days: 0, months: $0) },
      shift("addYears", clock) { (days: 0, months: $0 &* 12) },
      Function("period") { (text: String) throws(EvaluationError) in try period(text).text },
      Function("add", .method) { (moment: Timestamp, text: String) throws(EvaluationError) in
        let period = try period(text)
        return try checked(
          self.moment(moment, movedBy: period.days, months: period.months, clock))
      }.tryingSecond(beside: DateFunctions.sample),
      Function("nextDate") { (text: String, day: Timestamp) throws(EvaluationError) in
        try next(text, due: day, done: day, clock)
      }.trying(at: 0) { text throws(EvaluationError) in _ = try repeatRule(text.text) },
      Function("nextDate") {
        (text: String, due: Timestamp, done: Timestamp) throws(EvaluationError) in
        try next(text, due: due, done: done, clock)
      }.trying(at: 0) { text throws(EvaluationError) in _ = try repeatRule(text.text) },
      Function("daysUntil", .method) { (first: Timestamp, second: Timestamp) in
        days(from: first, to: second, clock)
      },
    ]
  }

  /// The greatest number of units that can lie within the years 1 to 9999.
  private static let bound: Int64 = 4_000_000

  private static func shift(
    _ name: String, _ clock: LocalClock,
    _ parts: @escaping @Sendable (Int) -> (days: Int, months: Int)
  ) -> Function {
    Function(name, .method) { (moment: Timestamp, count: Int64) throws(EvaluationError) in
      let (days, months) = parts(Int(min(max(count, -bound), bound)))
      return try checked(self.moment(moment, movedBy: days, months: months, clock))
    }
  }

  private static func period(_ text: String) throws(EvaluationError) -> Period {
    if let period = Period(text) { return period }
    throw EvaluationError(
      "\(Value.string(text)) is not a period such as \(Period.examples)")
  }

  private static func repeatRule(_ text: String) throws(EvaluationError) -> RepeatRule {
    if let rule = RepeatRule(text) { return rule }
    throw EvaluationError(
      "\(Value.string(text)) isn't a rule such as \(RepeatRule.examples)")
  }

  /// The first moment of the day on which a rule wants something again.
  private static func next(
    _ text: String, due: Timestamp, done: Timestamp, _ clock: LocalClock
  ) throws(EvaluationError) -> Timestamp {
    let rule = try repeatRule(text)
    guard let date = rule.next(due: clock.time(at: due).date, done: clock.time(at: done).date)
    else { throw EvaluationError("no day follows", code: .overflow) }
    return try checked(clock.start(of: date))
  }

  private static func checked(_ moment: Timestamp) throws(EvaluationError) -> Timestamp {
    if moment.isInRange { return moment }
    throw EvaluationError(
      "the moment lies outside the years 1 to 9999", code: .overflow)
  }

  /// The moment at which the wall shows the same time of another day.
  ///
  /// A day that a zone left out, as Samoa did on 30 December 2011, is passed over in the direction
  /// of the move, so that one day back is never the same day.
  static func moment(
    _ moment: Timestamp, movedBy days: Int, months: Int = 0, _ clock: LocalClock
  ) -> Timestamp {
    var time = clock.time(at: moment)
    // Where clocks are put forward at midnight, a day begins later; from one beginning to another.
    let isStart = clock.start(of: time.date) == moment
    func sameTime(of date: CivilDate) -> Timestamp {
      if isStart { return clock.start(of: date) }
      time.date = date
      return clock.moment(of: time)
    }
    let date = time.date.adding(days: days, months: months)
    let moved = sameTime(of: date)
    guard days < 0 || months < 0, clock.time(at: moved).date != date else { return moved }
    return sameTime(of: date.adding(days: -1))
  }

  /// How many days begin after one moment and up to another; negative when it lies before.
  static func days(from first: Timestamp, to second: Timestamp, _ clock: LocalClock) -> Int64 {
    let dates = (clock.time(at: first).date, clock.time(at: second).date)
    let days = dates.1.daysSinceEpoch - dates.0.daysSinceEpoch
    // A clock that jumped by a whole day left one out, which nobody lived through.
    let jump =
      clock.zone.period(at: second.seconds).offset - clock.zone.period(at: first.seconds).offset
    let leftOut = (abs(jump) + 43_200) / 86_400 * jump.signum()
    return Int64(leftOut.signum() == days.signum() ? days - leftOut : days)
  }
}

/// A unit of the calendar or the clock, by the name that `startOf` takes.
package enum CalendarUnit: String, CaseIterable, Sendable {
  case second, minute, hour, day, week, month, quarter, year

  /// What the wall showed when the unit began in which a time lies; weeks begin on Monday.
  package func start(of time: CivilTime) -> CivilTime {
    switch self {
    case .second: CivilTime(date: time.date, secondOfDay: time.secondOfDay)
    case .minute: CivilTime(date: time.date, secondOfDay: time.secondOfDay / 60 * 60)
    case .hour: CivilTime(date: time.date, secondOfDay: time.secondOfDay / 3_600 * 3_600)
    case .day: CivilTime(date: time.date)
    case .week: CivilTime(date: time.date.adding(days: -time.date.daysSinceMonday))
    case .month: CivilTime(date: time.date.adding(days: 1 - time.date.day))
    case .quarter:
      CivilTime(
        date: time.date.adding(days: 1 - time.date.day, months: -((time.date.month - 1) % 3)))
    case .year: CivilTime(date: time.date.adding(days: 1 - time.date.dayOfYear))
    }
  }
}

/// Functions on moments and lengths of time, on the user's wall.
enum DateFunctions {
  /// Their names.
  static let names = [
    "now", "today", "seconds", "minutes", "hours", "days", "weeks", "startOf", "relative",
    "format", "duration", "parseDate",
  ]

  /// All of them.
  static func all(_ context: FunctionContext) -> [Function] {
    let clock = context.clock
    return [
      Function("now") { () throws(EvaluationError) in context.now() },
      Function("today") { () throws(EvaluationError) in
        clock.start(of: clock.time(at: context.now()).date)
      },
      length("seconds", 1), length("minutes", 60), length("hours", 3_600),
      length("days", 86_400), length("weeks", 604_800),
      Function("startOf", .method) {
        (moment: Timestamp, name: String) throws(EvaluationError) in
        guard let unit = CalendarUnit(rawValue: name) else {
          let names = CalendarUnit.allCases.map(\.rawValue).joined(separator: ", ")
          throw EvaluationError("“\(name)” isn't a unit of the calendar; choose one of \(names)")
        }
        return clock.moment(of: unit.start(of: clock.time(at: moment)))
      }.tryingSecond(beside: sample),
      Function("relative", .method, isPure: false) {
        (moment: Timestamp) throws(EvaluationError) in
        RelativeTime.text(for: moment, now: context.now(), clock: clock)
      },
      // Beside CEL's own forms, those that a person would write.
      Function("duration") { (text: String) throws(EvaluationError) in
        if let length = Duration(text: text) ?? DurationReader.duration(text) { return length }
        throw EvaluationError(
          "\(Value.string(text)) is not a duration such as \(DurationReader.examples) or 29 min, "
            + "up to 292 years")
      },
      Function("parseDate", isPure: false) {
        (text: String, pattern: String) throws(EvaluationError) in
        do throws(DatePattern.Failure) {
          return try DatePattern(pattern).moment(in: text, now: context.now(), clock: clock)
        } catch {
          throw EvaluationError(error.message)
        }
      }.trying(at: 1) { pattern throws(EvaluationError) in try expectReadable(pattern.text) },
      Function("format", .method) { (length: Duration) in DurationText.spoken(length) },
      Function("format", .method) {
        (moment: Timestamp, pattern: String) throws(EvaluationError) in
        do throws(DatePattern.Failure) {
          return try DatePattern(pattern).text(of: moment, in: clock.zone)
        } catch {
          throw EvaluationError(error.message)
        }
      }.tryingSecond(beside: sample),
    ]
  }

  /// A moment with which a function is tried.
  static var sample: Value { .timestamp(Timestamp(seconds: 1_795_219_200)) }

  /// Expects a pattern that a text can be read by.
  private static func expectReadable(_ pattern: String) throws(EvaluationError) {
    do throws(DatePattern.Failure) {
      try DatePattern(pattern).expectReadable()
    } catch {
      let advice = DatePattern.advice(on: pattern).map { "\($0.message); \($0.help)" }
      throw EvaluationError(advice ?? error.message)
    }
  }

  private static func length(_ name: String, _ unit: Int64) -> Function {
    Function(name) { (count: Int64) throws(EvaluationError) in
      let (seconds, overflow) = count.multipliedReportingOverflow(by: unit)
      let length = Duration(seconds: seconds)
      guard !overflow, length.totalNanoseconds != nil else {
        throw EvaluationError(
          "\(count) \(name) are longer than 292 years, the longest length of time",
          code: .overflow)
      }
      return length
    }
  }
}

/// CEL's getters of a moment's parts, as the person's clock shows them.
///
/// CEL has them in UTC; with a zone, `m.getHours("UTC")`, they are CEL's own.
enum LocalGetters {
  /// Their names.
  static let names = [
    "getFullYear", "getMonth", "getDate", "getDayOfMonth", "getDayOfWeek", "getDayOfYear",
    "getHours", "getMinutes", "getSeconds", "getMilliseconds",
  ]

  /// All of them.
  static func all(_ clock: LocalClock) -> [Function] {
    [
      getter("getFullYear", clock) { $0.date.year },
      getter("getMonth", clock) { $0.date.month - 1 },
      getter("getDate", clock) { $0.date.day }, getter("getDayOfMonth", clock) { $0.date.day - 1 },
      getter("getDayOfWeek", clock) { $0.date.dayOfWeek },
      getter("getDayOfYear", clock) { $0.date.dayOfYear - 1 },
      getter("getHours", clock) { $0.hour }, getter("getMinutes", clock) { $0.minute },
      getter("getSeconds", clock) { $0.second },
      getter("getMilliseconds", clock) { Int($0.nanoseconds / 1_000_000) },
    ]
  }

  private static func getter(
    _ name: String, _ clock: LocalClock, _ part: @escaping @Sendable (CivilTime) -> Int
  ) -> Function {
    Function(name, .method) { (moment: Timestamp) in Int64(part(clock.time(at: moment))) }
  }
}

/// How far a moment lies from now, as a person says it: `5 minutes ago`, `tomorrow`.
package enum RelativeTime {
  /// The words for a moment; days, months and years are counted on the wall's calendar.
  package static func text(for moment: Timestamp, now: Timestamp, clock: LocalClock) -> String {
    let isPast = moment <= now
    let seconds = now.seconds.subtractingReportingOverflow(moment.seconds).partialValue.magnitude
    switch seconds {
    case ..<60: return isPast ? "just now" : "in a moment"
    case ..<3_600: return words(Int(seconds / 60), "minute", isPast)
    case ..<86_400: return words(Int(seconds / 3_600), "hour", isPast)
    default: break
    }
    let (there, here) = (clock.time(at: moment).date, clock.time(at: now).date)
    let (early, late) = isPast ? (there, here) : (here, there)
    let days = late.daysSinceEpoch - early.daysSinceEpoch
    switch days {
    case ..<2: return isPast ? "yesterday" : "tomorrow"
    case ..<7: return words(days, "day", isPast)
    case ..<30: return words(days / 7, "week", isPast)
    default: break
    }
    let partOfMonth = late.day < early.day ? 1 : 0
    let months = (late.year - early.year) * 12 + late.month - early.month - partOfMonth
    if months < 12 { return words(max(months, 1), "month", isPast) }
    return words(months / 12, "year", isPast)
  }

  private static func words(_ count: Int, _ unit: String, _ isPast: Bool) -> String {
    let amount = "\(count) \(unit)\(count == 1 ? "" : "s")"
    return isPast ? "\(amount) ago" : "in \(amount)"
  }
}
