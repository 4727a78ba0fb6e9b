/// A problem in a text that a person wrote: what is wrong, where, and what to do.
package struct Diagnostic: Error, Sendable {
  package enum Severity: String, Sendable {
    case error, warning, note
  }

  /// A stable name for the kind of problem, such as `unknown-key`.
  package var id: String
  package var severity: Severity
  /// What is wrong, in one sentence without a full stop.
  package var message: String
  /// Where; nil when the problem is not in a text.
  package var span: Span?
  /// What to do about it, when there is something to say.
  package var help: String?
  /// Other places that belong to the problem, each with its own words.
  package var related: [Related]

  package struct Related: Sendable {
    package let message: String
    package let span: Span

    package init(_ message: String, at span: Span) {
      self.message = message
      self.span = span
    }
  }

  package init(
    _ id: String, _ message: String, at span: Span? = nil, help: String? = nil,
    severity: Severity = .error, related: [Related] = []
  ) {
    self.id = id
    self.severity = severity
    self.message = message
    self.span = span
    self.help = help
    self.related = related
  }
}

/// Diagnostics thrown together: everything that was found wrong, not only the first.
package struct Diagnostics: Error, Sendable {
  package let all: [Diagnostic]

  package init(_ all: [Diagnostic]) {
    self.all = all
  }
}
