/// A match of a search, with the parts of its score.
public struct SearchHit: Sendable {
  /// The number of the item.
  public let id: Int64
  /// BM25 over the words, by the weights of the properties.
  public internal(set) var relevance: Double
  /// What the use of the item adds, as a factor from 1.
  public let use: Double

  /// What matches are ordered by, the largest first.
  public var score: Double { relevance * use }
}
