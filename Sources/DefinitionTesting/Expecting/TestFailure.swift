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
}
