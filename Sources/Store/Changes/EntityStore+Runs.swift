extension EntityStore {
  /// For how long the writes of a run wait for one another, in nanoseconds.
  package static let runPatience: Int64 = 50_000_000

  /// Begins to group what a run writes: one change for `undo`, and transactions that stay open.
  ///
  /// The first write opens a transaction, in which each later one is a step of its own that fails
  /// alone. `commitRun` ends it, after which the next write opens another. All entities that the run
  /// may touch should be prepared before.
  /// - Parameters:
  ///   - isGrouping: Whether transactions stay open; else each write is one, as usual.
  ///   - isResumed: Whether what an earlier process wrote in the run is part of the change.
  ///   - waitsForDisk: Whether what it commits is on the disk at once; else a power cut, and nothing
  ///     less, may take what no later commit has put there.
  /// - Throws: What the commit of a run before it throws.
  package func beginRun(
    _ id: String, isGrouping: Bool = true, isResumed: Bool = false, waitsForDisk: Bool = true
  ) throws {
    try endRun()
    var group: Int64?
    if isResumed, try logHasRuns(),
      case .int(let first)? = try connection.first(
        "SELECT min(batch) FROM errand_changes WHERE run = \(.text(id)) AND NOT undone")
    {
      group = first
    }
    run = RunWrites(
      id: id, isGrouping: isGrouping, waitsForDisk: waitsForDisk, group: group)
  }

  /// Commits what the run wrote and ends the grouping.
  ///
  /// - Throws: `full`, `io`; what was written since the last commit is lost then.
  package func endRun() throws {
    defer {
      run = nil
      // Whoever wrote with the run may be gone.
      willCommitRun = nil
    }
    try commitRun()
  }

  /// Commits what the run wrote since the last commit; does nothing inside of `atomic`.
  ///
  /// - Throws: `full`, `io`; what was written since the last commit is lost then.
  package func commitRun() throws {
    guard run?.began != nil, connection.isAtFirstLevel else { return }
    do {
      try willCommitRun?()
      try connection.end(committing: true)
      run?.close(committed: true)
    } catch {
      // Steps were told that this was written, so that none of them may go on as if it were.
      let hadWritten = run?.hasWritten == true
      run?.close(committed: false)
      guard hadWritten, var failure = error as? StoreError else { throw error }
      failure.lostEarlierWrites = true
      throw failure
    }
  }

  /// How many transactions of the run were committed, and how many were lost; nil where nothing waits
  /// for a commit.
  package var openRunMarks: (commits: Int, losses: Int)? {
    guard let run, run.began != nil else { return nil }
    return (run.commits, run.losses)
  }

  /// How many transactions of the run were committed, and how many were lost.
  package var runMarks: (commits: Int, losses: Int) { (run?.commits ?? 0, run?.losses ?? 0) }

  /// Takes back what the run wrote since the last commit and ends the grouping, as if the process had
  /// died.
  package func abandonRun() throws {
    defer {
      run = nil
      willCommitRun = nil
    }
    guard run?.began != nil else { return }
    try takeBackRun()
  }

  /// Commits what the run wrote when its transaction has been open for long enough.
  ///
  /// - Parameter nanoseconds: How long others may have to wait.
  package func commitRunIfDue(after nanoseconds: Int64 = runPatience) throws {
    guard let run, run.began != nil, run.isOpen(for: nanoseconds) else { return }
    try commitRun()
  }

  /// Runs `body` with the write lock taken before its first read, and keeps all that it writes or
  /// nothing.
  ///
  /// What the run wrote before is committed first; in the log it is part of the run.
  package func atomic<Result>(_ body: () throws -> Result) throws -> Result {
    try commitRun()
    let isGrouping = run?.isGrouping
    run?.isGrouping = false
    defer { if let isGrouping { run?.isGrouping = isGrouping } }
    return try write(body)
  }

  // MARK: Transactions

  /// Runs `body` in a transaction whose changes are logged together.
  ///
  /// - Parameter waitsForDisk: Whether it is on the disk at the end; else no later than the next one.
  func write<Result>(
    waitsForDisk: Bool = true, _ body: () throws -> Result
  ) throws -> Result {
    if connection.isInTransaction { return try step(body) }
    log.group = run?.group
    guard let run, run.isGrouping else {
      do {
        let caughtUp = {
          try self.catchUp()
          try self.expectLease()
          return try body()
        }
        let result =
          try waitsForDisk
          ? connection.transaction(caughtUp) : connection.withoutWaitingForDisk(caughtUp)
        self.run?.group = log.group
        self.run?.close(committed: true)
        return result
      } catch {
        log.isExtended = false
        RecordTables.forget(in: self)
        throw error
      }
    }
    try connection.begin(waitsForDisk: run.waitsForDisk)
    self.run?.open()
    do {
      try catchUp()
      try expectLease()
    } catch {
      try takeBackRun()
      throw error
    }
    return try step(body)
  }

  /// Runs `body` as a part of the open transaction that is taken back alone when it fails.
  private func step<Result>(_ body: () throws -> Result) throws -> Result {
    let group = log.group
    do {
      let result = try connection.transaction(body)
      if run?.began != nil {
        run?.group = log.group
        run?.hasWritten = true
      }
      return result
    } catch {
      log.group = group
      log.isExtended = false
      RecordTables.forget(in: self)
      guard let run, run.began != nil else { throw error }
      if !connection.isInTransaction {
        // A full disk or a damaged file ended all of it.
        try takeBackRun()
        guard run.hasWritten, var error = error as? StoreError else { throw error }
        error.lostEarlierWrites = true
        throw error
      }
      // Nobody should wait for a transaction with nothing in it.
      if connection.isAtFirstLevel, !run.hasWritten { try takeBackRun() }
      throw error
    }
  }

  /// Takes back the open transaction of the run.
  private func takeBackRun() throws {
    run?.close(committed: false)
    log.isExtended = false
    RecordTables.forget(in: self)
    try connection.end(committing: false)
  }
}
