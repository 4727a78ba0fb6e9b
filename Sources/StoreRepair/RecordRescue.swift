import Store

/// What became of the records of one kind when a damaged store was rescued.
package struct RecordRescue: Hashable, Sendable {
  /// What the records are.
  package enum Kind: String, CaseIterable, Sendable {
    case runs, jobs, shares
  }

  /// What the records are.
  package let kind: Kind
  /// How many were saved.
  package internal(set) var saved = 0
  /// How many more the store had; nil when what tells it is damaged.
  package internal(set) var lost: Int?
  /// How many runs that were not over have lost a part of their journal, so that they can't go on.
  package internal(set) var ended = 0

  /// Whether each record was saved with all it had.
  package var isWhole: Bool { lost == 0 && ended == 0 }

  init(_ kind: Kind) { self.kind = kind }
}
