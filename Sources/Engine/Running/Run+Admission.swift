import CEL
import Catalog
import Glibc
import Program
import Store

/// Who may run when others of the same name run (docs/language.md, “Once at a time”).
extension Run {
  /// How long a run that is queued sleeps between two looks, in nanoseconds.
  private static let queueLook: Int64 = 100_000_000

  /// Records a run that may run now, or waits until it may, and gives its number.
  ///
  /// - Throws: `busy` with the exit status 75 when others run.
  func admit(
    _ draft: RunDraft, _ definition: ActionDefinition, in store: EntityStore
  ) throws -> Int64 {
    switch definition.runMode {
    case .queued: return try queue(draft, definition, in: store)
    case .restart: return try restart(draft, in: store)
    case .single: return try enter(draft, limit: 1, in: store)
    case .parallel, nil: return try enter(draft, limit: definition.maxRuns ?? .max, in: store)
    }
  }

  /// Records a run that may run at once.
  private func enter(_ draft: RunDraft, limit: Int, in store: EntityStore) throws -> Int64 {
    let fence = newFence()
    let lease = try RunError.translating {
      try store.database.transaction {
        let lease = RunLease(run: try store.runs.record(draft), fence: fence)
        try expectLease(lease, draft.name, limit: limit, in: store)
        return lease
      }
    }
    session.lease = lease
    return lease.run
  }

  /// Takes a lease, and the lock that shows that its run is alive.
  ///
  /// - Throws: `busy`.
  func expectLease(
    _ lease: RunLease, _ name: String, limit: Int, in store: EntityStore
  ) throws {
    let answer = try store.runs.askForLease(lease, name: name, limit: limit, keepsPlace: false)
    if case .taken(let others) = answer { throw Self.refusal(of: name, others) }
    try takeLock(of: lease.run, in: store)
  }

  private func takeLock(of run: Int64, in store: EntityStore) throws {
    let locks = store.runs.locks
    guard try locks?.lock(run, silentFor: RunStore.frozenAfter) ?? true else {
      var error = RunError(
        .busy, "run \(run) goes on in another process", remedy: .cancelRun(run))
      error.status = Self.refusedStatus
      throw error
    }
  }

  /// Records a run that waits for its turn, and waits.
  private func queue(
    _ draft: RunDraft, _ definition: ActionDefinition, in store: EntityStore
  ) throws -> Int64 {
    let fence = newFence()
    var isTold = false
    let (lease, answer) = try RunError.translating {
      try store.database.transaction {
        let run = try store.runs.record(draft, state: .waiting)
        let lease = RunLease(run: run, fence: fence)
        let answer = try store.runs.askForLease(lease, name: draft.name, limit: 1, keepsPlace: true)
        if case .taken(let others) = answer, let most = definition.maxRuns, others.count >= most {
          throw Self.refusal(of: draft.name, others)
        }
        try takeLock(of: run, in: store)
        return (lease, answer)
      }
    }
    // Others could not come to their end while a transaction is open, as that of a job's taking.
    try RunError.translating { try store.database.commit() }
    var last = answer
    let strand = Strand(interrupt)
    do {
      while case .taken(let others) = last {
        if !isTold, let first = others.first {
          host.log("`\(draft.name)` waits for run \(first.number)")
          isTold = true
        }
        store.runs.locks?.beat(lease.run)
        try pause(for: Duration(totalNanoseconds: Self.queueLook), strand)
        last = try RunError.translating {
          let answer = try store.runs.askForLease(
            lease, name: draft.name, limit: 1, keepsPlace: true)
          try store.database.commit()
          return answer
        }
      }
    } catch {
      try? store.runs.setState(.cancelled, ofRun: lease.run)
      store.runs.locks?.unlock(lease.run)
      throw error
    }
    session.lease = lease
    try RunError.translating {
      try store.database.transaction {
        try store.runs.expect(lease)
        try store.runs.setState(.running, ofRun: lease.run)
      }
    }
    return lease.run
  }

  /// Records a run that takes the place of those that go on.
  private func restart(_ draft: RunDraft, in store: EntityStore) throws -> Int64 {
    let fence = newFence()
    let (lease, others) = try RunError.translating {
      try store.database.transaction {
        let lease = RunLease(run: try store.runs.record(draft), fence: fence)
        let others = try store.runs.revokeLeases(of: draft.name, except: lease.run)
        for other in others { try store.runs.setState(.cancelled, ofRun: other.number) }
        try expectLease(lease, draft.name, limit: .max, in: store)
        return (lease, others)
      }
    }
    // They can write nothing more; what they wait for is ended, too.
    for other in others where other.state == .running || other.state == .waiting {
      guard other.process != getpid() else { continue }
      // A worker ends the job alone, and goes on with others.
      let isJob = try store.jobs.running(ofRun: other.number) != nil
      kill(other.process, isJob ? SIGUSR1 : SIGTERM)
    }
    session.lease = lease
    return lease.run
  }

  /// What no other right to write is called.
  func newFence() -> Int64 {
    host.randomBytes(8).reduce(Int64(0)) { ($0 & (.max >> 8)) << 8 | Int64($1) }
  }

  /// The exit status of a run that its mode does not let run (sysexits.h, `EX_TEMPFAIL`).
  static let refusedStatus: Int32 = 75

  private static func refusal(of name: String, _ others: [RecordedRun]) -> RunError {
    let who = others.prefix(3).map { "run \($0.number) in process \($0.process)" }
      .joined(separator: ", ")
    var error = RunError(
      .busy, "`\(name)` is running already: \(who)",
      remedy: others.first.map { .cancelRun($0.number) })
    error.status = refusedStatus
    return error
  }
}
