import CEL

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
