/// A question to a person.
package struct Question: Sendable {
  package enum Kind: Sendable {
    /// Any text; the type says what will fit.
    case text(typeName: String)
    case choice([Choice], many: Bool)
    case confirmation(danger: Bool)
  }

  package struct Choice: Sendable {
    package let title: String
    package let subtitle: String?
    /// A reference such as `link:42`, when the choice is a stored item.
    package let reference: String?

    package init(title: String, subtitle: String? = nil, reference: String? = nil) {
      self.title = title
      self.subtitle = subtitle
      self.reference = reference
    }
  }

  package let kind: Kind
  /// What to answer it by ahead of time: `--answer KEY=…`.
  package let key: String
  package let prompt: String
  /// What an empty answer stands for, as text.
  package var defaultText: String?
  package var suggestions: [String] = []
  /// Why the last answer did not fit.
  package var problem: String?

  /// A question that is answered with yes or no, where nothing of a run asks it.
  package static func confirming(_ prompt: String, key: String, danger: Bool) -> Question {
    Question(.confirmation(danger: danger), key: key, prompt: prompt)
  }

  package init(_ kind: Kind, key: String, prompt: String) {
    self.kind = kind
    self.key = key
    self.prompt = prompt
  }
}

/// What a person answers.
package enum Reply: Sendable {
  /// Text as typed; empty takes the default.
  case text(String)
  /// The positions of the choices taken.
  case chosen([Int])
  case confirmed(Bool)
}
