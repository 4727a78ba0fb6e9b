import CEL
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
