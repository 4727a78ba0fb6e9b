package import CEL

/// A filter for entries of the change log; by default, all.
package struct ChangeSelection: Sendable {
  /// Only entries after this sequence number.
  package var after: Int64?
  /// Only entries with this cause, such as the name of an intent.
  package var cause: String?
  /// Only entries of this item.
  package var item: ItemReference?
  /// Only entries at this time or later.
  package var since: Timestamp?
  /// Only entries of this run.
  package var run: String?
  /// Whether the latest come first.
  package var latestFirst: Bool
  /// The maximum number of entries.
  package var limit: Int

  package init(latestFirst: Bool = true, limit: Int = 1_000) {
    self.latestFirst = latestFirst
    self.limit = limit
  }
}
