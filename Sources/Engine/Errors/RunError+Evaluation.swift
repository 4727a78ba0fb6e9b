import CEL
import Catalog

extension RunError {
  /// An evaluation that failed, at its place in the document.
  init(_ error: EvaluationError, in source: ExpressionSource?) {
    let code: Code =
      switch error.code {
      case .failed: .failed
      case .noSecret: .noSecret
      default: .invalidValue
      }
    let range = error.focus ?? error.range
    self.init(
      code, error.message, help: error.help,
      at: source.map { source in range.map(source.span) ?? source.span })
  }
}
