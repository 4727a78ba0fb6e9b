/// What the entries of the log of changes have in common until the next transaction.
struct LogState {
  /// What makes the changes that follow: the name of an intent or a command.
  var cause = ""
  /// The first entry of the change that is open.
  var group: Int64?
  /// The change that is being taken back or made again; nil in other changes.
  var reverted: Int64?
  /// Whether the log is known to have the columns of later releases.
  var isExtended = false

  /// Whether changes are being taken back or made again.
  var isReverting: Bool { reverted != nil }
}
