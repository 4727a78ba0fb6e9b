/// A problem in the user's text: its message, its location, and a suggested fix.
package struct Diagnostic: Error, Sendable {
  /// Severity of a diagnostic.
  package enum Severity: String, Sendable {
    case error, warning, note
  }

  /// Stable identifier of the kind of problem, such as `unknown-key`.
  package var id: String
  package var severity: Severity
  /// The problem in one sentence, without a full stop.
  package var message: String
  /// Position; nil if the problem is not in a text.
  package var span: Span?
  /// Advice; nil if there is none.
  package var help: String?
  /// Related places, each with a message.
  package var related: [Related]

  /// A related place with a message.
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

extension Diagnostic {
  /// The correct spelling of the word at the span; nil if uncertain.
  package var replacement: String? {
    guard let word = span?.text, !word.isEmpty, !word.contains(where: \.isWhitespace) else {
      return nil
    }
    return help.flatMap(Suggestion.name)
  }
}

/// All diagnostics of a failed operation, thrown together.
package struct Diagnostics: Error, Sendable {
  package let all: [Diagnostic]

  package init(_ all: [Diagnostic]) { self.all = all }
}
