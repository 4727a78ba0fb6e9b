/// Which change is to be taken back.
package enum UndoTarget: Hashable, Sendable {
  /// The latest that was not taken back.
  case latest
  /// The one to which an entry of the log belongs.
  case number(Int64)
  /// The latest of a cause, such as the name of an intent.
  case cause(String)
  /// All that one run wrote.
  case run(String)
}
