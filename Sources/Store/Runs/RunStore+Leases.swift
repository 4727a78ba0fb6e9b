import Glibc

/// Who may run: a run with a lease may write while the store has its fence.
extension RunStore {
  /// What came of asking for a lease.
  package enum LeaseAnswer: Sendable {
    case granted
    /// Others of the name hold theirs.
    case taken([RecordedRun])
  }

  /// How long a process may be asleep before its runs are taken over, in nanoseconds.
  package static let frozenAfter: Int64 = 30_000_000_000

  /// The locks that tell which runs are alive; nil in memory, where there is one process.
  package var locks: RunLocks? { database.runLocks }

  /// Whether the process of a run is there, and not frozen where others may take the run over.
  func isAlive(_ run: RecordedRun) -> Bool {
    if run.isDurable || run.mode != nil {
      if database.session.lease?.run == run.number { return true }
      guard let locks, (try? locks.isHeld(run.number)) == true else { return false }
      return locks.silence(of: run.number) <= Self.frozenAfter
    }
    return kill(run.process, 0) == 0 || errno == EPERM
  }

  /// Gives a run a lease unless too many others of the name have one.
  ///
  /// Leases of processes that died or are frozen are taken away.
  /// - Parameters:
  ///   - limit: How many may run at once.
  ///   - keepsPlace: Whether the run waits in the order of their numbers when it is not its turn.
  /// - Throws: `superseded` when the run waited and was ended meanwhile.
  package func askForLease(
    _ asked: RunLease, name: String, limit: Int, keepsPlace: Bool,
    frozenAfter limitOfSilence: Int64 = frozenAfter
  ) throws -> LeaseAnswer {
    // The store would ask for the fence that is only given here.
    try withoutLease {
      try RecordTables.journal.make(in: database)
      try dropDeadLeases(of: name, except: asked.run, limitOfSilence)
      if try wanted(ofRun: asked.run) != nil { throw Self.superseded }
      let ahead: SQL =
        keepsPlace
        ? "(NOT waiting OR run < \(.int(asked.run)))" : "NOT waiting"
      let others = try connection.numbers(
        """
        SELECT run FROM errand_leases WHERE name = \(.text(name)) AND run <> \(.int(asked.run)) \
        AND \(ahead) ORDER BY run
        """)
      let isGranted = others.count < limit
      if isGranted || keepsPlace {
        try connection.run(
          """
          INSERT INTO errand_leases (run, name, fence, waiting) VALUES (\(.int(asked.run)), \
          \(.text(name)), \(.int(asked.fence)), \(.int(isGranted ? 0 : 1))) \
          ON CONFLICT (run) DO UPDATE SET fence = excluded.fence, waiting = excluded.waiting
          """)
      }
      return isGranted ? .granted : .taken(try others.compactMap { try self.run($0) })
    }
  }

  /// Takes the leases of all others of a name away, and notes that they are to end.
  ///
  /// - Returns: Those that had one.
  package func revokeLeases(of name: String, except run: Int64) throws -> [RecordedRun] {
    try withoutLease {
      try RecordTables.journal.make(in: database)
      let others = try connection.numbers(
        """
        SELECT run FROM errand_leases WHERE name = \(.text(name)) AND run <> \(.int(run))
        """
      ).compactMap { try self.run($0) }
      for other in others { try revokeLease(of: other.number, wanting: "restart") }
      return others
    }
  }

  /// Takes the lease of a run away, and notes why.
  package func revokeLease(of run: Int64, wanting reason: String) throws {
    try database.transaction {
      try connection.run("DELETE FROM errand_leases WHERE run = \(.int(run))")
      try connection.run(
        "UPDATE errand_runs SET wanted = \(.text(reason)) WHERE number = \(.int(run))")
    }
  }

  /// Runs `body` in a transaction that takes no lease of its own.
  private func withoutLease<Result>(_ body: () throws -> Result) throws -> Result {
    let session = database.session
    let own = session.lease
    session.lease = nil
    defer { session.lease = own }
    return try database.transaction(body)
  }

  private func dropDeadLeases(
    of name: String, except run: Int64, _ limitOfSilence: Int64
  ) throws {
    let holders = try connection.numbers(
      "SELECT run FROM errand_leases WHERE name = \(.text(name)) AND run <> \(.int(run))")
    for holder in holders {
      let isHeld = try locks?.isHeld(holder) ?? true
      let isFrozen = isHeld && (locks?.silence(of: holder) ?? 0) > limitOfSilence
      guard !isHeld || isFrozen else { continue }
      try connection.run("DELETE FROM errand_leases WHERE run = \(.int(holder))")
    }
  }

  /// Expects that the run which writes may still do so.
  ///
  /// - Throws: `superseded`.
  package func expectLease() throws {
    try database.jobs.expectTaken()
    if let lease = database.session.lease { try expect(lease) }
  }

  /// Expects that a run may write by a lease.
  ///
  /// - Throws: `superseded`.
  package func expect(_ lease: RunLease) throws {
    let isGranted = try connection.exists(
      """
      SELECT 1 FROM errand_leases \
      WHERE run = \(.int(lease.run)) AND fence = \(.int(lease.fence)) AND NOT waiting
      """)
    if !isGranted { throw Self.superseded }
  }

  private static var superseded: StoreError {
    StoreError(.superseded, "the run was ended or taken over by another process")
  }
}
