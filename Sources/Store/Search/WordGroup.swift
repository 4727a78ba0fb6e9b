/// A word of a search, in all its forms, as one thing that an item has or has not.
struct WordGroup {
  /// A form of it.
  struct Phrase {
    /// The words as the text index has them.
    let text: String
    /// Whether the last word may go on.
    let isBeginning: Bool
    /// The column of the text index, from 1; 0 for all.
    let column: Int
    /// What it counts beside the word as it was written.
    let weight: Double
  }

  /// What another form counts than the one that was written.
  static let otherForm = 0.6

  /// The FTS5 expression of all forms.
  let expression: String
  let phrases: [Phrase]
}
