package import CEL
package import Store

/// Who hears the dialog of a run and answers its questions.
package protocol Front: AnyObject {
  /// Whether a person can answer.
  var canAnswer: Bool { get }
  /// Whether it wants to hear of steps.
  var observesSteps: Bool { get }
  /// Says a sentence.
  func say(_ text: String)
  /// Puts something on the screen.
  func show(_ presentation: Presentation)
  /// Asks a question; called only when somebody can answer.
  ///
  /// - Throws: `cancelled` when the person leaves.
  func ask(_ question: Question) throws -> Reply
  /// Hears that a step of the asked-for intent or shortcut begins.
  func step(_ path: [String])
}

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

  init(_ kind: Kind, key: String, prompt: String) {
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

/// Something to put on the screen.
package struct Presentation: Sendable {
  package enum Layout: Sendable {
    case text(String)
    /// Items, each with its title, subtitle and reference.
    case cards([Card])
    case table(columns: [String], rows: [[String]])
  }

  package struct Card: Sendable {
    package let title: String
    package let subtitle: String?
    package let reference: String?
    /// The title with the words of the search that found it; nil when they are not in it.
    package var markedTitle: MarkedText?
    /// The text of a property with the words that are not all in the title; nil when it is not
    /// needed.
    package var snippet: MarkedText?
  }

  package let layout: Layout
  /// What is shown, for other programs.
  package let value: Value

  package init(_ layout: Layout, value: Value) {
    self.layout = layout
    self.value = value
  }
}
