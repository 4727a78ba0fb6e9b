import CEL
import Catalog

extension RunError {
  /// An evaluation that failed, at its place in the document.
  init(_ error: EvaluationError, in source: ExpressionSource?) {
    let code: Code = error.code == .failed ? .failed : .invalidValue
    let range = error.focus ?? error.range
    self.init(
      code, error.message, at: source.map { source in range.map(source.span) ?? source.span })
  }
}
