package import Source

/// Why a run failed: a code, words for a person, and the path of the step (language §8).
package struct RunError: Error, Sendable {
  /// The codes of language §8, and those that a `fail` step makes up.
  package struct Code: Hashable, Sendable, CustomStringConvertible {
    package let name: String

    package init(_ name: String) {
      self.name = name
    }

    package var description: String { name }

    package static let needsValue = Code("needs-value")
    package static let invalidValue = Code("invalid-value")
    package static let ambiguous = Code("ambiguous")
    package static let notFound = Code("not-found")
    package static let conflict = Code("conflict")
    package static let declined = Code("declined")
    package static let cancelled = Code("cancelled")
    package static let denied = Code("denied")
    package static let io = Code("io")
    package static let store = Code("store")
    package static let failed = Code("failed")
    package static let `internal` = Code("internal")
  }

  package let code: Code
  /// What failed, with which value, in a sentence without a full stop.
  package let message: String
  /// What to do about it.
  package let remedy: Remedy?
  /// The names of the steps that led there, the outermost first.
  package var path: [String] = []
  /// Where the step or the expression stands.
  package var span: Span?
  /// Whether the value of an argument that the person gave did not fit, which is bad usage.
  package var isUsage = false

  package init(_ code: Code, _ message: String, remedy: Remedy?, at span: Span? = nil) {
    self.code = code
    self.message = message
    self.remedy = remedy
    self.span = span
  }

  /// An error with advice that reads the same everywhere.
  package init(_ code: Code, _ message: String, help: String? = nil, at span: Span? = nil) {
    self.init(code, message, remedy: help.map(Remedy.advice), at: span)
  }

  /// The same error, from within a step.
  func within(_ step: String, at span: Span?) -> RunError {
    var error = self
    error.path.insert(step, at: 0)
    if error.span == nil { error.span = span }
    return error
  }

  /// The error of an argument that the person gave.
  package var asUsage: RunError {
    var error = self
    error.isUsage = true
    return error
  }
}
