/// What an item was used for; it counts for ranking.
package enum Use: String, Sendable, CaseIterable {
  case open
  case share
  case save

  /// How much one use counts.
  package var weight: Double {
    switch self {
    case .open: 1
    case .share: 1.5
    case .save: 0.5
    }
  }
}
