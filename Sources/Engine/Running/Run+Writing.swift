import Store
/// What a run writes to the store is grouped, and committed before anybody can notice it.
extension Run {
  /// Commits what was written and not committed yet.
  func commitWrites() throws {}

  /// Runs a body as one transaction: all of what it writes, or nothing.
  func atomically<Result>(_ body: () throws -> Result) throws -> Result {
    try commitWrites()
    let store = try store()
    return try store.transaction { try body() }
  }
}
