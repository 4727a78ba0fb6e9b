import CEL
import Catalog
import Items
import Source

extension ActionCompiler {
  /// Reports a text that is returned, whatever happens in the run, and can't be read as what
  /// `returns` says.
  func expectReturnable(_ value: Value?, at span: Span) {
    guard isChecked(span), let returns, case .string(let text)? = value else { return }
    let reader = DateReader(now: Timestamp(seconds: 1_795_219_200), clock: .utc)
    let isReadable =
      switch returns.unwrapped {
      case .date: reader.date(text) != nil
      case .timestamp: reader.timestamp(text) != nil
      case .duration: DurationReader.duration(text) != nil
      case .int, .double, .bool, .url, .period, .enumeration:
        (try? LiteralReader.read(text, as: returns.unwrapped).get()) != nil
      default: true
      }
    if isReadable { return }
    collector.report(
      Diagnostic(
        "invalid-value",
        "`returns` says \(returns.description), but the result is the text “\(text.shortened)”",
        at: span, help: "return another value, or write `returns: string`"))
  }
}

extension CompiledStep.Kind {
  /// The value that a `value` step gives in every run; nil for other steps and values.
  var writtenValue: Value? {
    if case .verb(let call) = self { call.givenValue?.known } else { nil }
  }
}
