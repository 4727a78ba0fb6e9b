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

/// A predicate on words, such as whether one is a verb's name.
package typealias WordTest = @Sendable (String) -> Bool
