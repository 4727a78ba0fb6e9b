/// Reserved words, which cannot name an intent or a shortcut.
package enum ReservedWord {
  /// Words that begin a block, in the order used in messages.
  package static let heads = Step.blocks.map { $0[0].name }
  /// Keys that modify a step.
  package static let modifiers = Step.modifiers.map(\.name)

  /// Whether a name begins a block, belongs to one or modifies a step.
  static func isBlockWord(_ name: String) -> Bool {
    modifiers.contains(name) || Step.blocks.contains { $0.contains { $0.name == name } }
  }

  /// Whether a name is reserved for a verb of a later release.
  package static func isLaterVerb(_ name: String) -> Bool { name == "write" }
}

/// The words of verbs that definitions are read with.
package struct VerbWords: Sendable {
  /// No verbs, for documents that have no steps.
  package static let none = VerbWords { _ in false }

  /// Whether a word is a verb's name, which is reserved.
  let isVerb: @Sendable (String) -> Bool
  /// Whether a verb has an argument.
  let takes: @Sendable (_ verb: String, _ argument: String) -> Bool

  /// Creates the words by their lookups.
  package init(
    isVerb: @escaping @Sendable (String) -> Bool,
    takes: @escaping @Sendable (_ verb: String, _ argument: String) -> Bool = { _, _ in false }
  ) {
    self.isVerb = isVerb
    self.takes = takes
  }
}
