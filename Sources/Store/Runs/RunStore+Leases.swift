import Glibc
import POSIX

/// Leases of runs: a run may write while the store has its fencing token.
extension RunStore {
  /// The result of a lease request.
  package enum LeaseAnswer: Sendable {
    case granted
    /// Other runs of the name hold the leases.
    case taken([RecordedRun])
  }

  /// The time without heartbeats after which a process's runs are taken over.
  package static let frozenAfter = Duration.seconds(30)

  /// The liveness locks of runs; nil in memory, where there is only one process.
  package var locks: LivenessLocks? { database.runLocks }

  /// Whether the process of a run is alive, and not frozen if others may take the run over.
  func isAlive(_ run: RecordedRun) -> Bool {
    if run.isDurable || run.mode != nil {
      if database.session.lease?.run == run.number { return true }
      guard let locks, (try? locks.isHeld(run.number)) == true else { return false }
      return locks.silence(of: run.number) <= Self.frozenAfter
    }
    return kill(run.process, 0) == 0 || errno == EPERM
  }

  /// Grants a run a lease unless too many others of the name have one.
  ///
  /// Leases of dead or frozen processes are revoked.
  /// - Parameters:
  ///   - limit: The maximum number of concurrent runs.
  ///   - keepsPlace: Whether a run that must wait is queued in the order of row ids.
  /// - Throws: `superseded` when the run was ended while it waited.
  package func askForLease(
    _ asked: RunLease, name: String, limit: Int, keepsPlace: Bool,
    frozenAfter limitOfSilence: Duration = frozenAfter
  ) throws -> LeaseAnswer {
    // A transaction checks the lease, which is only granted here.
    try withoutLease {
      try SystemTables.journal.make(in: database)
      try dropDeadLeases(of: name, except: asked.run, limitOfSilence)
      if try wanted(ofRun: asked.run) != nil { throw Self.superseded }
      let ahead: SQL = keepsPlace ? "(NOT waiting OR run < \(.int(asked.run)))" : "NOT waiting"
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

  /// Revokes the leases of all others of a name, asking them to end.
  ///
  /// - Returns: The runs that had one.
  package func revokeLeases(of name: String, except run: Int64) throws -> [RecordedRun] {
    try withoutLease {
      try SystemTables.journal.make(in: database)
      let others = try holders(of: name, except: run).compactMap { try self.run($0) }
      for other in others { try revokeLease(of: other.number, wanting: "restart") }
      return others
    }
  }

  /// Revokes the lease of a run, recording the reason.
  package func revokeLease(of run: Int64, wanting reason: String) throws {
    try database.transaction {
      try connection.run("DELETE FROM errand_leases WHERE run = \(.int(run))")
      try connection.run(
        "UPDATE errand_runs SET wanted = \(.text(reason)) WHERE number = \(.int(run))")
    }
  }

  /// Runs `body` in a transaction that does not check the lease.
  private func withoutLease<Result>(_ body: () throws -> Result) throws -> Result {
    let session = database.session
    let own = session.lease
    session.lease = nil
    defer { session.lease = own }
    return try database.transaction(body)
  }

  /// The other runs of a name that have a lease or wait for one.
  private func holders(of name: String, except run: Int64) throws -> [Int64] {
    try connection.numbers(
      "SELECT run FROM errand_leases WHERE name = \(.text(name)) AND run <> \(.int(run))")
  }

  private func dropDeadLeases(of name: String, except run: Int64, _ limitOfSilence: Duration) throws
  {
    for holder in try holders(of: name, except: run) {
      let isHeld = try locks?.isHeld(holder) ?? true
      let isFrozen = isHeld && (locks?.silence(of: holder) ?? .zero) > limitOfSilence
      guard !isHeld || isFrozen else { continue }
      try connection.run("DELETE FROM errand_leases WHERE run = \(.int(holder))")
    }
  }

  /// Checks that the current run may still write.
  ///
  /// - Throws: `superseded`.
  package func expectLease() throws {
    try database.jobs.expectTaken()
    if let lease = database.session.lease { try expect(lease) }
  }

  /// Checks that a lease is still valid.
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
