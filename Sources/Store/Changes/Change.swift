public import CEL

/// One entry of the change log.
public struct Change: Hashable, Sendable {
  /// What was done.
  public enum Kind: Int64, Sendable {
    case create = 0
    case update = 1
    case delete = 2
    /// Many items were created, with all the numbers from `id` to `last`.
    case createMany = 3
    /// Many items were deleted, with all the numbers from `id` to `last`.
    case deleteMany = 4
  }

  /// Its place in the log; larger is later.
  public let sequence: Int64
  /// The first change of the same transaction.
  public let group: Int64
  /// When.
  public let time: Timestamp
  /// What was done.
  public let kind: Kind
  /// The entity's name.
  public let entity: String
  /// The item's number.
  public let id: Int64
  /// The number of the last item; the same as `id` but for `createMany` and `deleteMany`.
  public let last: Int64
  /// What did it, such as the name of an intent; `undo` for what was taken back.
  public let cause: String
}
