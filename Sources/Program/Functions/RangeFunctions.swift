import CEL

/// Functions on ranges of time.
enum RangeFunctions {
  /// Rows of the function table.
  static let table = [
    FunctionRow(in: "range") { name, context in
      Function(name, .global, [.string], returns: type) {
        (text: Value) throws(EvaluationError) -> Value in
        let range = DayRange(
          text.text, now: context.now(), clock: context.clock, language: context.language)
        guard let range else {
          throw EvaluationError("\(text) is not a range of days such as \(DayRange.examples)")
        }
        return range.value
      }
      Function(name, .global, [.timestamp, .timestamp], returns: type) {
        (first: Value, last: Value) throws(EvaluationError) -> Value in
        guard case .timestamp(let start) = first, case .timestamp(var end) = last else {
          return .null
        }
        if end.isDay {
          let day = context.clock.time(at: end).date
          end = context.clock.start(of: day.adding(days: 1))
        }
        guard let range = DayRange(start, end) else {
          throw EvaluationError("a range cannot end before it starts", help: "swap its ends")
        }
        return range.value
      }
    }
  ]

  private static let type = CELType.record(
    RecordType("a range", [.init("start", .timestamp), .init("end", .timestamp)]))
}
