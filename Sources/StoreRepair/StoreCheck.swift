import Items
import Store

/// What a check of a store found.
struct StoreCheck {
  var problems: [StoreProblem] = []
  /// Whether pages of the file are damaged, so that the file as a whole must be made anew.
  var isFileDamaged = false

  /// Whether the items, or what tells where they are, are damaged, which nothing in the file mends.
  var isBeyondRepair: Bool { problems.contains { $0.kind == .file } }
}
