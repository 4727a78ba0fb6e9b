import Store

/// What a run writes to the store is grouped: one change for `undo`, in few transactions, which are
/// committed before anybody can notice it (docs/language.md, “When a step fails”).
extension Run {
  /// Commits what was written and not committed yet.
  ///
  /// - Throws: `store` or `io` that nothing catches, when what was written is lost.
  func commitWrites() throws {
    guard isGrouping, workspace.openedStore != nil || session.record != nil else { return }
    do {
      try RunError.translating {
        try writeLines()
        try workspace.openedStore?.database.commit()
      }
    } catch var error as RunError {
      error.isFatal = true
      throw error
    }
  }

  /// Commits what was written together with what other branches write that are ready to go on: they
  /// take their turns first, and the first of all that want a commit makes it for the others.
  ///
  /// - Throws: what `commitWrites` throws; `store` when the commit of another branch lost the writes.
  func commitWritesTogether() throws {
    guard isGrouping, transactionDepth == 0, journal?.isDurable != true,
      host.machine.simulation == nil, let turns, turns.othersAreReady, session.isOpen
    else { return try commitWrites() }
    let before = session.marks
    turns.leave()
    turns.enter()
    let after = session.marks
    if after.losses != before.losses {
      var error = RunError(.store, "what was written before is lost with what another branch wrote")
      error.isFatal = true
      throw error
    }
    if after.commits == before.commits { try commitWrites() }
  }

  /// Groups what a body writes, and commits it at the end, also when the body fails.
  func grouping<Result>(_ body: () throws -> Result) throws -> Result {
    isGrouping = true
    defer { isGrouping = false }
    do {
      let result = try body()
      noteEnd(nil)
      try endGrouping()
      return result
    } catch let cancellation as Cancellation where !cancellation.reason.keepsWrites {
      try? workspace.openedStore?.database.abandonSession()
      throw cancellation
    } catch {
      // What was done before the failure stays, as each step was told that it succeeded.
      if (error as? RunError)?.isFatal != true {
        noteEnd(nil, error)
        try? endGrouping()
      }
      throw error
    }
  }

  private func endGrouping() throws {
    try commitWrites()
    guard let store = workspace.openedStore else { return }
    try RunError.translating { try store.database.endSession() }
  }

  /// Makes the store part of the run, once it is there.
  func join(_ store: EntityStore) throws {
    if isGrouping, !hasJoinedStore {
      hasJoinedStore = true
      try RunError.translating {
        try store.database.begin(session, id, isResumed: isResumed)
      }
    }
    store.session.cause = cause
  }

  /// Runs a body as one transaction: all of what it writes, or nothing. What it tells is held until
  /// it is committed.
  func atomically<Result>(
    preparing entities: Set<String>, _ body: () throws -> Result
  ) throws -> Result {
    for entity in entities.sorted() { _ = try store(for: entity) }
    try commitWrites()
    let store = try store()
    let outer = heldTelling
    heldTelling = []
    defer { heldTelling = outer }
    let result = try RunError.translating {
      try store.database.atomic {
        let result = try body()
        if journal?.isDurable == true, let record = session.record {
          try store.runs.write(record)
        }
        return result
      }
    }
    let told = heldTelling ?? []
    heldTelling = outer
    for tell in told { self.tell(tell) }
    return result
  }

  /// Runs a body whose steps are one step for the journal.
  func asOneStep<Result>(_ body: () throws -> Result) rethrows -> Result {
    transactionDepth += 1
    defer { transactionDepth -= 1 }
    return try body()
  }

  /// Tells something, or holds it until the transaction around it is committed.
  func tell(_ telling: @escaping () -> Void) {
    if heldTelling == nil { telling() } else { heldTelling?.append(telling) }
  }
}
