package import CEL

/// One entry of the change log.
package struct Change: Hashable, Sendable {
  /// What was done.
  package enum Kind: Int64, Sendable {
    case create = 0
    case update = 1
    case delete = 2
    /// Many items were created, with all the numbers from `id` to `last`.
    case createMany = 3
    /// Many items were deleted, with all the numbers from `id` to `last`.
    case deleteMany = 4
    /// A file was moved.
    case moveFile = 5
  }

  /// Its place in the log; larger is later.
  package let sequence: Int64
  /// The first change of the same transaction.
  package let group: Int64
  /// When.
  package let time: Timestamp
  /// What was done.
  package let kind: Kind
  /// The entity's name; empty for a file.
  package let entity: String
  /// The item's number.
  package let id: Int64
  /// The number of the last item; the same as `id` but for `createMany` and `deleteMany`.
  package let last: Int64
  /// What did it, such as the name of an intent; `undo` for what was taken back.
  package let cause: String
  /// The id of the run that did it; nil when none is recorded.
  package let run: String?
  /// Whether it was taken back.
  package let isUndone: Bool
  /// The file that was moved; nil for other changes.
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
