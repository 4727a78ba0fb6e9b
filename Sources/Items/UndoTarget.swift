/// The selection of a change to undo.
package enum UndoTarget: Hashable, Sendable {
  /// The latest change that is not undone.
  case latest
  /// The change that an entry of the log belongs to.
  case number(Int64)
  /// The latest change with this cause, such as the name of an intent.
  case cause(String)
  /// All changes of a run.
  case run(String)
}
