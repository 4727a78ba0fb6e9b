import CEL
import ForeignText
import Items

/// Days, weeks, months and years on the local calendar: functions that preserve the time of day
/// across clock changes.
enum CalendarFunctions {
  /// Rows of the function table.
  static let table = [
    FunctionRow(in: "date") { name, context in
      Function(name) { (text: String) throws(EvaluationError) in
        guard let date = CivilDate(iso8601: text) else {
          throw EvaluationError(
            "\(Value.string(text)) is not a day such as 2026-11-20", help: help(for: text))
        }
        return try checked(context.clock.start(of: date))
      }.tryingFirst()
      Function(name) { (moment: Timestamp) in
        context.clock.startOfDay(at: moment)
      }
    },
    FunctionRow(in: "addDays") { shift($0, $1) { (days: $0, months: 0) } },
    FunctionRow(in: "addWeeks") { shift($0, $1) { (days: $0 &* 7, months: 0) } },
    FunctionRow(in: "addMonths") { shift($0, $1) { (days: 0, months: $0) } },
    FunctionRow(in: "addYears") { shift($0, $1) { (days: 0, months: $0 &* 12) } },
    FunctionRow("period") {
      Function($0) { (text: String) throws(EvaluationError) in try period(text).text }.tryingFirst()
    },
    FunctionRow(in: "add") { name, context in
      Function(name, .method) { (moment: Timestamp, text: String) throws(EvaluationError) in
        let period = try period(text)
        return try checked(
          CalendarFunctions.moment(
            moment, movedBy: period.days, months: period.months, context.clock))
      }.tryingSecond(beside: DateFunctions.sample)
    },
    FunctionRow(in: "nextDate") { name, context in
      Function(name) { (text: String, day: Timestamp) throws(EvaluationError) in
        try nextDay(text, due: day, done: day, context)
      }.trying(at: 0) { text throws(EvaluationError) in _ = try repeatRule(text.text) }
      Function(name) {
        (text: String, due: Timestamp, done: Timestamp) throws(EvaluationError) in
        let day = try nextDay(text, due: due, done: done, context)
        return due.isDay ? day : try checked(context.clock.sameTime(as: due, on: day))
      }.trying(at: 0) { text throws(EvaluationError) in _ = try repeatRule(text.text) }
    },
    FunctionRow(in: "nextDates") { name, context in
      Function(name, returns: .list(.timestamp)) {
        (text: String, day: Timestamp, count: Int64) throws(EvaluationError) -> Value in
        guard (0...mostDates).contains(count) else {
          throw EvaluationError("the number of days must be from 0 to \(mostDates)")
        }
        var rule = text
        var due = day
        var days: [Value] = []
        while days.count < count, let next = try next(rule, due: due, done: due, context) {
          due = try checked(context.clock.start(of: next.day))
          rule = next.rule.text
          days.append(.timestamp(due))
        }
        return .list(days)
      }.trying(at: 0) { text throws(EvaluationError) in _ = try repeatRule(text.text) }
    },
    FunctionRow(in: "nextRule") { name, context in
      Function(name, returns: .nullable(.string)) {
        (text: String, due: Timestamp, done: Timestamp) throws(EvaluationError) -> Value in
        try next(text, due: due, done: done, context).map { .string($0.rule.text) } ?? .null
      }.trying(at: 0) { text throws(EvaluationError) in _ = try repeatRule(text.text) }
    },
    FunctionRow(in: "isWorkday") { name, context in
      Function(name) { (day: Timestamp) in
        (context.holidays() ?? .none).isWorkday(context.clock.time(at: day).date)
      }
    },
    FunctionRow(in: "nextWorkday") { name, context in
      Function(name) { (day: Timestamp) throws(EvaluationError) in
        try workday(1, after: day, context)
      }
      Function(name) { (day: Timestamp, count: Int64) throws(EvaluationError) in
        try workday(count, after: day, context)
      }
    },
    FunctionRow(in: "daysUntil") { name, context in
      Function(name, .method) { (first: Timestamp, second: Timestamp) in
        days(from: first, to: second, context.clock)
      }
    },
  ]

  /// Suggests the day that a text in the form of a country, or a word for a day, stands for.
  private static func help(for text: String) -> String? {
    switch text.lowercased() {
    case "today": return "write `today()`"
    case "tomorrow": return "write `today().addDays(1)`"
    case "yesterday": return "write `today().addDays(-1)`"
    default: break
    }
    let isDayFirst = !text.contains("/")
    return ForeignDate(text, isAlone: true, isDayFirst: isDayFirst)
      .map { "write `date(\"\($0.time.date)\")`" }
  }

  /// Largest number of units within the years 1 to 9999.
  private static let bound: Int64 = 4_000_000

  private static func shift(
    _ name: String, _ context: FunctionContext,
    _ parts: @escaping @Sendable (Int) -> (days: Int, months: Int)
  ) -> Function {
    Function(name, .method) { (moment: Timestamp, count: Int64) throws(EvaluationError) in
      let (days, months) = parts(Int(min(max(count, -bound), bound)))
      return try checked(Self.moment(moment, movedBy: days, months: months, context.clock))
    }
  }

  private static func period(_ text: String) throws(EvaluationError) -> Period {
    if let period = Period(text) { return period }
    throw EvaluationError("\(Value.string(text)) is not a period such as \(Period.examples)")
  }

  private static func repeatRule(_ text: String) throws(EvaluationError) -> RepeatRule {
    if let rule = RepeatRule(text) { return rule }
    throw EvaluationError("\(Value.string(text)) is not a rule such as \(RepeatRule.examples)")
  }

  /// Returns the next day on which a rule recurs, and the rule from then on; nil at its end.
  private static func next(
    _ text: String, due: Timestamp, done: Timestamp, _ context: FunctionContext
  ) throws(EvaluationError) -> (day: CivilDate, rule: RepeatRule)? {
    let rule = try repeatRule(text)
    let holidays = context.holidays()
    if holidays == nil, rule.needsHolidays {
      throw EvaluationError("no holidays are known", help: Holidays.help)
    }
    let clock = context.clock
    return rule.next(
      due: clock.time(at: due).date, done: clock.time(at: done).date, holidays ?? .none)
  }

  /// Returns the start of the next day on which a rule recurs.
  private static func nextDay(
    _ text: String, due: Timestamp, done: Timestamp, _ context: FunctionContext
  ) throws(EvaluationError) -> Timestamp {
    guard let next = try next(text, due: due, done: done, context) else {
      throw EvaluationError(
        "the rule has ended: no day follows", code: .overflow,
        help: "ask `nextRule(rule, due, done) != null` first")
    }
    return try checked(context.clock.start(of: next.day))
  }

  /// The most days of `nextDates`.
  private static let mostDates: Int64 = 1_000

  /// The most working days between two days.
  private static let mostWorkdays: Int64 = 10_000

  /// Returns the start of the n-th working day after a day, or before it if the number is negative.
  private static func workday(
    _ count: Int64, after day: Timestamp, _ context: FunctionContext
  ) throws(EvaluationError) -> Timestamp {
    guard count != 0, (-mostWorkdays...mostWorkdays).contains(count) else {
      throw EvaluationError(
        "the number of working days must be from 1 to \(mostWorkdays), or below 0")
    }
    let holidays = context.holidays() ?? .none
    var date = context.clock.time(at: day).date
    var left = abs(count)
    while left > 0 {
      date = date.adding(days: count > 0 ? 1 : -1)
      guard (1...9_999).contains(date.year) else { break }
      if holidays.isWorkday(date) { left -= 1 }
    }
    return try checked(context.clock.start(of: date))
  }

  private static func checked(_ moment: Timestamp) throws(EvaluationError) -> Timestamp {
    if moment.isInRange { return moment }
    throw EvaluationError("the time is outside the years 1 to 9999", code: .overflow)
  }

  /// Returns the timestamp with the same local time on another day.
  ///
  /// A day skipped by a time zone, such as 30 December 2011 in Samoa, is passed over in the
  /// direction of the move, so that one day back never yields the same day.
  static func moment(
    _ moment: Timestamp, movedBy days: Int, months: Int = 0, _ clock: LocalClock
  ) -> Timestamp {
    var time = clock.time(at: moment)
    // Where clocks change at midnight, a day starts later; map start to start.
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

  /// Number of midnights after one timestamp and up to another; negative if reversed.
  static func days(from first: Timestamp, to second: Timestamp, _ clock: LocalClock) -> Int64 {
    let dates = (clock.time(at: first).date, clock.time(at: second).date)
    let days = dates.1.daysSinceEpoch - dates.0.daysSinceEpoch
    // A clock change of a full day skips a date, which does not count.
    let jump =
      clock.zone.period(at: second.seconds).offset - clock.zone.period(at: first.seconds).offset
    let leftOut = (abs(jump) + 43_200) / 86_400 * jump.signum()
    return Int64(leftOut.signum() == days.signum() ? days - leftOut : days)
  }
}

/// Functions on timestamps and durations, in local time.
enum DateFunctions {
  /// Rows of the function table.
  static let table = [
    FunctionRow(in: "now") { name, context in
      Function(name) { () throws(EvaluationError) in context.now() }
    },
    FunctionRow(in: "today") { name, context in
      Function(name) { () throws(EvaluationError) in
        context.clock.startOfDay(at: context.now())
      }
    },
    FunctionRow("seconds") { length($0, 1) }, FunctionRow("minutes") { length($0, 60) },
    FunctionRow("hours") { length($0, 3_600) }, FunctionRow("days") { length($0, 86_400) },
    FunctionRow("weeks") { length($0, 604_800) },
    FunctionRow(in: "startOf") { name, context in
      Function(name, .method) { (moment: Timestamp, name: String) throws(EvaluationError) in
        guard let unit = CalendarUnit(rawValue: name) else {
          let names = CalendarUnit.allCases.map(\.rawValue).joined(separator: ", ")
          throw EvaluationError("“\(name)” is not a unit of the calendar; choose one of \(names)")
        }
        let start = unit.start(of: context.clock.time(at: moment))
        return unit.isOfDays
          ? context.clock.start(of: start.date) : context.clock.moment(of: start)
      }.tryingSecond(beside: sample)
    },
    FunctionRow(in: "day") { name, context in
      Function(name, .method) { (moment: Timestamp) in
        context.clock.startOfDay(at: moment)
      }
    },
    FunctionRow(in: "time") { name, context in
      Function(name, .method, returns: .nullable(.string)) { (moment: Timestamp) -> Value in
        moment.isDay
          ? .null
          : .string(TimeOfDay.text(ofSecond: context.clock.time(at: moment).secondOfDay))
      }
    },
    FunctionRow(in: "reminderTime") { name, context in
      Function(name, .method, returns: .nullable(.timestamp)) {
        (text: String, due: Value) throws(EvaluationError) -> Value in
        guard let rule = ReminderRule(text) else {
          throw EvaluationError(
            "\(Value.string(text)) is not a reminder", help: "write \(ReminderRule.examples)")
        }
        var moment: Timestamp?
        if case .timestamp(let due) = due {
          moment = context.clock.moment(due: due, wholeDayAt: ReminderRule.secondOfDay)
        }
        return rule.moment(of: moment, in: context.clock).map(Value.timestamp) ?? .null
      }
    },
    FunctionRow("moment") { Function($0, .method) { (moment: Timestamp) in moment.asMoment } },
    FunctionRow(in: "isPast") { name, context in
      Function(name, .method, isPure: false) { (moment: Timestamp) throws(EvaluationError) in
        let now = context.now()
        return moment
          < (moment.isDay ? context.clock.startOfDay(at: now) : now)
      }
    },
    FunctionRow(in: "relative") { name, context in
      Function(name, .method, isPure: false) { (moment: Timestamp) throws(EvaluationError) in
        RelativeTime.text(
          for: moment, now: context.now(), clock: context.clock, in: context.language)
      }
    },
    // Human forms such as `2 days`, besides those of CEL.
    FunctionRow("duration") {
      Function($0) { (text: String) throws(EvaluationError) in
        if let length = DurationValue(text: text) ?? DurationReader.duration(text) { return length }
        throw EvaluationError(
          "\(Value.string(text)) is not a duration such as \(DurationReader.examples) or 29 min, "
            + "up to 292 years")
      }.tryingFirst()
    },
    FunctionRow(in: "parseDate") { name, context in
      Function(name, isPure: false) { (text: String, pattern: String) throws(EvaluationError) in
        try DatePattern(pattern).moment(in: text, now: context.now(), clock: context.clock)
      }.trying(at: 1) { pattern throws(EvaluationError) in try expectReadable(pattern.text) }
    },
    FunctionRow(in: "format") { name, context in
      Function(name, .method) { (length: DurationValue) in
        context.language.isEnglish
          ? DurationText.spoken(length) : context.language.spoken(length)
      }
      Function(name, .method) { (moment: Timestamp, pattern: String) throws(EvaluationError) in
        try DatePattern(pattern).text(
          of: moment, in: context.clock.zone, language: context.language)
      }.tryingSecond(beside: sample)
      // The second pattern is that of a time of day, for what is not a whole day.
      Function(name, .method) {
        (moment: Timestamp, day: String, time: String) throws(EvaluationError) in
        try DatePattern(moment.isDay ? day : day + time).text(
          of: moment, in: context.clock.zone, language: context.language)
      }.trying(at: 2) { pattern throws(EvaluationError) in
        _ = try DatePattern(pattern.text).text(of: Timestamp(seconds: 0), in: .utc)
      }
    },
  ]

  /// A sample timestamp for validating arguments.
  static var sample: Value { .timestamp(Timestamp(seconds: 1_795_219_200)) }

  /// Checks that a pattern can parse text.
  private static func expectReadable(_ pattern: String) throws(EvaluationError) {
    do throws(EvaluationError) {
      try DatePattern(pattern).expectReadable()
    } catch {
      let advice = DatePattern.advice(on: pattern).map { "\($0.message); \($0.help)" }
      throw EvaluationError(advice ?? error.message)
    }
  }

  private static func length(_ name: String, _ unit: Int64) -> Function {
    Function(name) { (count: Int64) throws(EvaluationError) in
      let (seconds, overflow) = count.multipliedReportingOverflow(by: unit)
      let length = DurationValue(seconds: seconds)
      guard !overflow, length.totalNanoseconds != nil else {
        throw EvaluationError(
          "\(count) \(name) are longer than the maximum duration of 292 years",
          code: .overflow)
      }
      return length
    }
  }
}

/// CEL's getters for the parts of a timestamp, in local time.
///
/// CEL defines them in UTC; with an explicit zone, as in `m.getHours("UTC")`, CEL's own are used.
enum LocalGetters {
  /// Rows of the function table.
  static let table = [
    FunctionRow(in: "getFullYear") { getter($0, $1) { $0.date.year } },
    FunctionRow(in: "getMonth") { getter($0, $1) { $0.date.month - 1 } },
    FunctionRow(in: "getDate") { getter($0, $1) { $0.date.day } },
    FunctionRow(in: "getDayOfMonth") { getter($0, $1) { $0.date.day - 1 } },
    FunctionRow(in: "getDayOfWeek") { getter($0, $1) { $0.date.dayOfWeek } },
    FunctionRow(in: "getDayOfYear") { getter($0, $1) { $0.date.dayOfYear - 1 } },
    FunctionRow(in: "getHours") { getter($0, $1) { $0.hour } },
    FunctionRow(in: "getMinutes") { getter($0, $1) { $0.minute } },
    FunctionRow(in: "getSeconds") { getter($0, $1) { $0.second } },
    FunctionRow(in: "getMilliseconds") { getter($0, $1) { Int($0.nanoseconds / 1_000_000) } },
  ]

  private static func getter(
    _ name: String, _ context: FunctionContext, _ part: @escaping @Sendable (CivilTime) -> Int
  ) -> Function {
    Function(name, .method) { (moment: Timestamp) in Int64(part(context.clock.time(at: moment))) }
  }
}
