import Engine
import Program
package import Source

/// A failed expectation or an error of a test.
package struct TestFailure: Sendable {
  /// The subject, such as `output[0].title`, or an error message.
  package let message: String
  /// The expected value; nil for an error.
  package let expected: String?
  /// The actual value, cut if it is long.
  package let actual: String?
  /// The whole expected and actual values, if they are cut.
  package private(set) var whole: (expected: String, actual: String)?
  /// The place of the expectation or of the failed step.
  package let span: Span?
  /// The advice on how to fix it.
  package let help: String?

  /// A failure with a message.
  package init(
    _ message: String, expected: String? = nil, actual: String? = nil, at span: Span? = nil,
    help: String? = nil, whole: (expected: String, actual: String)? = nil
  ) {
    self.whole = whole
    self.message = message
    self.expected = expected
    self.actual = actual
    self.span = span
    self.help = help
  }

  /// A copy with other advice.
  func advising(_ help: String) -> TestFailure {
    TestFailure(
      message, expected: expected, actual: actual, at: span, help: help, whole: whole)
  }

  /// A copy with secrets masked.
  func masked(_ secrets: KnownSecrets) -> TestFailure {
    TestFailure(
      secrets.masked(message), expected: expected.map(secrets.masked),
      actual: actual.map(secrets.masked), at: span, help: help.map(secrets.masked),
      whole: whole.map { (secrets.masked($0.expected), secrets.masked($0.actual)) })
  }

  /// A failure for a thrown error, with a prefix.
  package init(_ error: any Error, _ words: String = "", at span: Span? = nil) {
    switch error {
    case let error as RunError:
      self.init(
        "\(words)\(error.message) [\(error.code)]", at: error.span ?? span,
        help: Self.help(for: error))
    case let error as Diagnostics:
      let first = error.all.first
      let others = error.all.count > 1 ? ", and \(error.all.count - 1) more mistakes" : ""
      self.init(
        "\(words)\(first?.message ?? "a mistake") [\(first?.id ?? "internal")]\(others)",
        at: first?.span ?? span, help: first?.help)
    case let error as Diagnostic:
      self.init("\(words)\(error.message) [\(error.id)]", at: error.span ?? span, help: error.help)
    default: self.init("\(words)\(error) [internal]", at: span)
    }
  }

  /// Advice for the remedies that a test can apply.
  private static func help(for error: RunError) -> String? {
    switch error.remedy {
    case .advice(let text): text
    case .answer(let key): "answer it in the test: `answers: {\(key): …}`"
    case .agree: "answer it in the test under `answers:`, by the step's `name` or its prompt"
    case .parameter(let name, _, _), .callParameter(let name):
      "add it to the test: `parameters: {\(name): …}`, or `input: …`"
    case .choose(let references): "one of " + references.joined(separator: ", ")
    default: nil
    }
  }
}
