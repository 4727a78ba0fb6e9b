import Inbox

extension Invocation {
  /// The path beside which shares wait and files are kept: that of the store.
  ///
  /// - Throws: `UsageError` where nothing is kept, or there is no place for it.
  func inboxBase() throws -> String {
    guard let path = try storePath() else {
      throw UsageError(
        "there is no place for the inbox: HOME is not set",
        help: "set HOME, or give the store with --store PATH")
    }
    guard path != ":memory:" else { throw UsageError("a store in memory has no inbox") }
    return path
  }

  /// The folder in which shares for the store wait.
  func inbox() throws -> InboxFolder { InboxFolder(besideStore: try inboxBase()) }
}
