/// What there is to say of a search besides the items that it found.
package struct SearchSummary: Hashable, Sendable {
  /// A word that no item has.
  package struct MissingWord: Hashable, Sendable {
    /// The word as it was given.
    package let word: String
    /// A word that some item has and that is a letter away; nil when there is none.
    package let suggestion: String?
  }

  /// How many items match in all, as far as they were counted.
  package let count: Int
  /// Whether there are more than `count`.
  package let hasMore: Bool
  /// The words that no item has; looked for only where no item has all of them.
  package let missing: [MissingWord]
}
