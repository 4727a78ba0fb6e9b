/// What to do when an item with the same identity is stored already.
package enum ConflictPolicy: String, Sendable, CaseIterable {
  /// Throws `conflict`.
  case fail
  /// Leaves the stored item as it is.
  case keep
  /// Loses nothing: null leaves the stored value, lists are united, other given values win.
  case merge
  /// Sets the given properties, to null as well, and leaves the others.
  case update
  /// Sets every property anew, with the defaults for what is not given.
  case replace
}
