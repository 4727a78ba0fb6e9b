/// The policy if an item with the same identity exists.
package enum ConflictPolicy: String, Sendable, CaseIterable {
  /// Throws `conflict`.
  case fail
  /// Keeps the existing item.
  case keep
  /// Merges without loss: null keeps the stored value, lists are united, other given values win.
  case merge
  /// Sets the given properties, also to null, and keeps the rest.
  case update
  /// Sets all properties, with defaults for those not given.
  case replace
}
