/// A step that a test came by, for the tree that a failure shows.
package struct TestStep: Sendable {
  /// How it ended.
  package enum End: String, Sendable {
    case done, skipped, failed, cancelled
    /// It failed and was tried again.
    case repeated
    /// The run ended in it.
    case open
  }

  /// How many steps stand around it.
  package let depth: Int
  /// Its path in its document, such as `steps.page`.
  package let id: String
  /// The intent or the shortcut whose step it is.
  package let action: String
  /// What it calls, or its label.
  package let name: String
  package internal(set) var end: End
  /// Its value, or why it failed; empty when there is nothing to say.
  package internal(set) var note: String
}
