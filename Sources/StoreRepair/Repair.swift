import Store

/// What a repair did to a store.
package struct Repair: Hashable, Sendable {
  /// What was wrong before.
  package var found: [StoreProblem] = []
  /// What is wrong still.
  package var left: [StoreProblem] = []
  /// The path of the copy that was made of the store before it was changed; nil when nothing was
  /// changed, and for a store in memory.
  package var backup: String?
  /// What could not be kept, a sentence each.
  package var losses: [String] = []

  /// A repair that has nothing to do.
  package init() {}

  init(found: [StoreProblem]) {
    self.found = found
    left = found
  }
}
