package import CEL

/// Which entries of the log of changes are meant; without any condition, all.
package struct ChangeSelection: Sendable {
  /// Only entries after this place in the log.
  package var after: Int64?
  /// Only entries of this cause, such as the name of an intent.
  package var cause: String?
  /// Only entries of this item.
  package var item: ItemReference?
  /// Only entries of this moment and later.
  package var since: Timestamp?
  /// Only entries of this run.
  package var run: String?
  /// Whether the latest come first.
  package var latestFirst: Bool
  /// How many at most.
  package var limit: Int

  package init(latestFirst: Bool = true, limit: Int = 1_000) {
    self.latestFirst = latestFirst
    self.limit = limit
  }
}
