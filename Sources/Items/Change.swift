package import CEL

/// An entry of the change log.
package struct Change: Hashable, Sendable {
  /// The kind of a change.
  package enum Kind: Int64, Sendable {
    case create = 0
    case update = 1
    case delete = 2
    /// Items were created, with all ids from `id` to `last`.
    case createMany = 3
    /// Items were deleted, with all ids from `id` to `last`.
    case deleteMany = 4
    /// A file was moved.
    case moveFile = 5
  }

  /// The position in the log, ascending.
  package let sequence: Int64
  /// The `sequence` of the first change in the same transaction.
  package let group: Int64
  /// The time of the change.
  package let time: Timestamp
  /// The kind of the change.
  package let kind: Kind
  /// The entity's name; empty for a file.
  package let entity: String
  /// The item's id.
  package let id: Int64
  /// The last item's id; equals `id` except for `createMany` and `deleteMany`.
  package let last: Int64
  /// The cause, such as the name of an intent; `undo` for an undo.
  package let cause: String
  /// The id of the run; nil if none is recorded.
  package let run: String?
  /// Whether it was undone.
  package let isUndone: Bool
  /// The moved file; nil for other changes.
  package let move: FileMove?

  package init(
    sequence: Int64, group: Int64, time: Timestamp, kind: Kind, entity: String, id: Int64,
    last: Int64, cause: String, run: String? = nil, isUndone: Bool = false,
    move: FileMove? = nil
  ) {
    self.sequence = sequence
    self.group = group
    self.time = time
    self.kind = kind
    self.entity = entity
    self.id = id
    self.last = last
    self.cause = cause
    self.run = run
    self.isUndone = isUndone
    self.move = move
  }
}
