/// A use of an item, which counts for ranking.
package enum Use: String, Sendable, CaseIterable {
  case open
  case share
  case save

  /// The weight of one use.
  package var weight: Double {
    switch self {
    case .open: 1
    case .share: 1.5
    case .save: 0.5
    }
  }
}
