/// A match of a search, with the parts of its score.
package struct SearchHit: Sendable {
  /// The number of the item.
  package let id: Int64
  /// BM25 over the words, by the weights of the properties, and what being called so adds.
  package internal(set) var relevance: Double
  /// What the use of the item adds, as a factor from 1.
  package let use: Double

  /// What matches are ordered by, the largest first.
  package var score: Double { relevance * use }
}
