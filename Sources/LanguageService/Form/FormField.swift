package import Items

/// A field of a form of a definition.
package struct FormField: Sendable {
  /// The controls.
  package enum Control: Sendable {
    case text, longText, number, bool, list
    /// One of some values; the title of each, if it has one.
    case choice([(value: String, title: String)])
    /// Several of some values.
    case choices([String])
    /// A day, a moment or a length of time in words, by the name of its type.
    case words(String)
    /// An item of an entity.
    case item(String)
    /// A line for each name, such as `title: Call`.
    case map
    /// A comparison with one of some names.
    case condition([FormName])
    case expression
  }

  /// The key in its mapping; with `@` a key of the step itself.
  package let key: String
  package let title: String
  package let control: Control
  /// The text of its value; empty for none.
  package let text: String
  /// Whether it is shown though it is empty.
  package var isOpen = false

  /// The comparison in its text; nil if it is not one, or empty.
  package var condition: FormCondition? {
    guard case .condition(let names) = control, !text.isEmpty else { return nil }
    return FormCondition(text, among: names)
  }
}

/// A name that a step may use.
package struct FormName: Sendable {
  package let name: String
  /// The words for what it is.
  package let title: String
  /// Its type; nil if that is unknown.
  package var type: DataType?
  /// The step whose result has no name yet; nil for other names.
  package var step: String?
}

/// A step, a trigger or an input of a definition, as a form shows it.
package struct FormCard: Sendable {
  /// Its place, such as `steps.2.then.0`.
  package let path: String
  /// The verb, intent, shortcut, first word of a block, kind of a trigger, or name of an input.
  package let word: String
  package let title: String
  package var fields: [FormField] = []
  /// The fields that it has not, and needs not.
  package var others: [FormField] = []
  package var blocks: [FormBlock] = []
  /// Blocks that it can still have: their keys and titles.
  package var branches: [(key: String, title: String)] = []
  /// The names that its fields may use.
  package var names: [FormName] = []
  /// The keys that only the text has.
  package var kept: [String] = []
  /// The text of what the form cannot express; nil if it can.
  package var source: String?
  /// The bytes of the file.
  package let range: Range<Int>
}

/// A list of steps within a step or a definition.
package struct FormBlock: Sendable {
  package let path: String
  package let title: String
  /// The fields above the steps: the condition of a branch, or the label of an option.
  package var fields: [FormField] = []
  package let cards: [FormCard]
  /// The path to remove; nil if it belongs to its step.
  package var removal: String?
}
