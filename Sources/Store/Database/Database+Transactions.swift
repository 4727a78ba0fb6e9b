extension Database {
  /// For how long the writes of a run wait for one another, in nanoseconds.
  package static let runPatience: Int64 = 50_000_000

  // MARK: Sessions

  /// Begins to group what a run writes in a session: one change for `undo`, and transactions that stay
  /// open.
  ///
  /// The first write opens a transaction, in which each later one is a step of its own that fails
  /// alone. `commit` ends it, after which the next write opens another. All entities that the run may
  /// touch should be prepared before.
  /// - Parameters:
  ///   - run: What the log of changes calls the run.
  ///   - isResumed: Whether what an earlier process wrote in the run is part of the change.
  ///   - waitsForDisk: Whether what it commits is on the disk at once; else a power cut, and nothing
  ///     less, may take what no later commit has put there.
  /// - Throws: What the commit of a session before it throws.
  package func begin(
    _ session: WriteSession, _ run: String, isResumed: Bool = false, waitsForDisk: Bool = true
  ) throws {
    try endSession()
    var group: Int64?
    if isResumed, try changes.hasRuns(),
      let first = try connection.number(
        "SELECT min(batch) FROM errand_changes WHERE run = \(.text(run)) AND NOT undone")
    {
      group = first
    }
    session.begin(run, waitsForDisk: waitsForDisk, group: group)
    enter(session)
  }

  /// Commits what the session wrote, and ends it where it is a run's.
  ///
  /// - Throws: `full`, `io`; what was written since the last commit is lost then.
  package func endSession() throws {
    defer { if session.run != nil { enter(WriteSession()) } }
    try commit()
  }

  /// Takes back what the session wrote since the last commit and ends it, as if the process had died.
  package func abandonSession() throws {
    defer { if session.run != nil { enter(WriteSession()) } }
    if session.isOpen { try takeBack() }
  }

  private func enter(_ next: WriteSession) {
    next.follow(session)
    session = next
  }

  /// Commits what the session wrote since the last commit, with what came up of its run; does nothing
  /// inside of `atomic`.
  ///
  /// - Throws: `full`, `io`; what was written since the last commit is lost then.
  package func commit() throws {
    guard session.isOpen, connection.isAtFirstLevel else { return }
    do {
      if let record = session.record { try runs.write(record) }
      try connection.end(committing: true)
      session.close(committed: true)
    } catch {
      // Steps were told that this was written, so that none of them may go on as if it were.
      let hadWritten = session.hasWritten
      session.close(committed: false)
      throw hadWritten ? Self.losing(error) : error
    }
  }

  /// Commits what the session wrote when its transaction has been open for long enough.
  ///
  /// - Parameter nanoseconds: How long others may have to wait.
  package func commitIfDue(after nanoseconds: Int64 = runPatience) throws {
    if session.isOpen(for: nanoseconds) { try commit() }
  }

  // MARK: Transactions

  /// Whether a transaction is open.
  package var isInTransaction: Bool { connection.isInTransaction }

  /// Runs `body` with the write lock taken before its first read, and keeps all that it writes or
  /// nothing.
  ///
  /// What the session wrote before is committed first; in the log it is part of the run.
  package func atomic<Result>(_ body: () throws -> Result) throws -> Result {
    try commit()
    return try apart { try transaction(body) }
  }

  /// Runs `body`, whose writes are transactions of their own and not part of the one that the session
  /// keeps open.
  func apart<Result>(_ body: () throws -> Result) rethrows -> Result {
    let isGrouping = session.isGrouping
    session.isGrouping = false
    defer { session.isGrouping = isGrouping }
    return try body()
  }

  /// Runs `body` in a transaction that is on the disk no later than the next usual one.
  package func withoutWaitingForDisk<Result>(_ body: () throws -> Result) throws -> Result {
    try connection.withoutWaitingForDisk {
      try catchUp()
      return try body()
    }
  }

  /// Runs `body` with all its changes kept and logged together, or none of them when it throws.
  ///
  /// - Parameter waitsForDisk: Whether it is on the disk at the end; else no later than the next one.
  package func transaction<Result>(
    waitsForDisk: Bool = true, _ body: () throws -> Result
  ) throws -> Result {
    if connection.isInTransaction { return try step(body) }
    if session.run == nil { session.group = nil }
    guard session.isGrouping else {
      let group = session.group
      do {
        let prepared = {
          try self.prepareWriting()
          return try body()
        }
        let result =
          try waitsForDisk
          ? connection.transaction(prepared) : connection.withoutWaitingForDisk(prepared)
        session.close(committed: true)
        return result
      } catch {
        session.group = group
        forgetMade()
        throw error
      }
    }
    try connection.begin(waitsForDisk: session.waitsForDisk)
    session.open()
    do { try prepareWriting() } catch {
      try takeBack()
      throw error
    }
    return try step(body)
  }

  /// Expects, in a new transaction, that the file is the one that was opened and the session may write.
  private func prepareWriting() throws {
    try catchUp()
    try runs.expectLease()
  }

  /// Runs `body` as a part of the open transaction that is taken back alone when it fails.
  private func step<Result>(_ body: () throws -> Result) throws -> Result {
    let group = session.group
    do {
      let result = try connection.transaction(body)
      if session.isOpen { session.hasWritten = true }
      return result
    } catch {
      session.group = group
      forgetMade()
      guard session.isOpen else { throw error }
      let hadWritten = session.hasWritten
      if !connection.isInTransaction {
        // A full disk or a damaged file ended all of it.
        try takeBack()
        throw hadWritten ? Self.losing(error) : error
      }
      // Nobody should wait for a transaction with nothing in it.
      if connection.isAtFirstLevel, !hadWritten { try takeBack() }
      throw error
    }
  }

  /// Takes back the open transaction of the session.
  private func takeBack() throws {
    session.close(committed: false)
    forgetMade()
    try connection.end(committing: false)
  }

  /// Forgets which of the store's own tables are there, as the transaction that made them may be taken
  /// back.
  private func forgetMade() {
    isLogExtended = false
    RecordTables.forget(in: self)
  }

  /// The error of a step that took with it what was written before.
  private static func losing(_ error: any Error) -> any Error {
    guard var error = error as? StoreError else { return error }
    error.lostEarlierWrites = true
    return error
  }
}
