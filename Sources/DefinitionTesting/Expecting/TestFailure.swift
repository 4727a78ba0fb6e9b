import Engine
import Program
package import Source

/// One thing that is not as a test expects it.
package struct TestFailure: Sendable {
  /// What was looked at, such as `output[0].title`, or what went wrong.
  package let message: String
  /// What is expected; nil where the message says it all.
  package let expected: String?
  /// What there was instead.
  package let actual: String?
  /// Where it is expected, or where the run failed.
  package let span: Span?
  /// What to do about it.
  package let help: String?

  init(
    _ message: String, expected: String? = nil, actual: String? = nil, at span: Span? = nil,
    help: String? = nil
  ) {
    self.message = message
    self.expected = expected
    self.actual = actual
    self.span = span
    self.help = help
  }

  /// The same without the texts of secrets.
  func masked(_ secrets: KnownSecrets) -> TestFailure {
    TestFailure(
      secrets.masked(message), expected: expected.map(secrets.masked),
      actual: actual.map(secrets.masked), at: span, help: help.map(secrets.masked))
  }
  /// The error that was thrown, after some words.
  init(_ error: any Error, _ words: String = "", at span: Span? = nil) {
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

  /// Advice on how a test can deal with an error.
  private static func help(for error: RunError) -> String? {
    switch error.remedy {
    case .advice(let text): text
    case .answer(let key): "answer it in the test: `answers: {\(key): …}`"
    case .agree: "answer it in the test under `answers:`, by the step's `name` or its prompt"
    case .parameter(let name, _, _), .callParameter(let name):
      "give it in the test: `parameters: {\(name): …}`, or `input: …`"
    case .choose(let references): "one of " + references.joined(separator: ", ")
    default: nil
    }
  }
}
