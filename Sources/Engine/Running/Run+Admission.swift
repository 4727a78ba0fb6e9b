import CEL
import Catalog
import Glibc
import POSIX
import Program
import Store

/// Run modes: admission of a run while others of the same name are active (docs/language.md, “Once
/// at a time”).
extension Run {
  /// Polling interval of a queued run.
  private static let pollInterval = Duration.milliseconds(100)

  /// Records a run as soon as its mode admits it, and returns its number.
  ///
  /// - Throws: `busy` with exit status 75 when other runs are active.
  func admit(
    _ newRun: NewRun, _ definition: ActionDefinition, in store: Database
  ) throws -> Int64 {
    switch definition.runMode {
    case .queued: return try queue(newRun, definition, in: store)
    case .restart: return try restart(newRun, in: store)
    case .single: return try enter(newRun, limit: 1, in: store)
    case .parallel, nil: return try enter(newRun, limit: definition.maxRuns ?? .max, in: store)
    }
  }

  /// Records a run that may start immediately.
  private func enter(_ newRun: NewRun, limit: Int, in store: Database) throws -> Int64 {
    let fence = newFence()
    let lease = try transaction { store in
      let lease = RunLease(run: try store.runs.record(newRun), fence: fence)
      try expectLease(lease, newRun.name, limit: limit, in: store)
      return lease
    }
    session.lease = lease
    return lease.run
  }

  /// Acquires a lease and the liveness lock of the run.
  ///
  /// - Throws: `busy`.
  func expectLease(_ lease: RunLease, _ name: String, limit: Int, in store: Database) throws {
    let answer = try store.runs.askForLease(lease, name: name, limit: limit, keepsPlace: false)
    if case .taken(let others) = answer { throw Self.refusal(of: name, others) }
    try takeLock(of: lease.run, in: store)
  }

  private func takeLock(of run: Int64, in store: Database) throws {
    let locks = store.runs.locks
    guard try locks?.lock(run, silentFor: RunStore.frozenAfter) ?? true else {
      throw RunError(.busy, "run \(run) is active in another process", remedy: .cancelRun(run))
        .with(\.status, Self.refusedStatus)
    }
  }

  /// Records a waiting run, and waits for its turn.
  private func queue(
    _ newRun: NewRun, _ definition: ActionDefinition, in store: Database
  ) throws -> Int64 {
    let fence = newFence()
    var isLogged = false
    var (lease, last) = try transaction { store in
      let run = try store.runs.record(newRun, state: .waiting)
      let lease = RunLease(run: run, fence: fence)
      let answer = try store.runs.askForLease(lease, name: newRun.name, limit: 1, keepsPlace: true)
      if case .taken(let others) = answer, let most = definition.maxRuns, others.count >= most {
        throw Self.refusal(of: newRun.name, others)
      }
      try takeLock(of: run, in: store)
      return (lease, answer)
    }
    // An open transaction, such as the dequeuing of a job, would keep other runs from finishing.
    try RunError.translating { try store.commit() }
    let task = TaskContext(interrupt)
    do {
      while case .taken(let others) = last {
        if !isLogged, let first = others.first {
          host.log("`\(newRun.name)` waits for run \(first.number)")
          isLogged = true
        }
        store.runs.locks?.beat(lease.run)
        try pause(for: DurationValue(totalNanoseconds: Self.pollInterval.nanoseconds), task)
        try RunError.translating {
          last = try store.runs.askForLease(lease, name: newRun.name, limit: 1, keepsPlace: true)
          try store.commit()
        }
      }
    } catch {
      try? store.runs.setState(.cancelled, ofRun: lease.run)
      store.runs.locks?.unlock(lease.run)
      throw error
    }
    session.lease = lease
    try transaction { store in
      try store.runs.expect(lease)
      try store.runs.setState(.running, ofRun: lease.run)
    }
    return lease.run
  }

  /// Records a run that replaces the active ones.
  private func restart(_ newRun: NewRun, in store: Database) throws -> Int64 {
    let fence = newFence()
    let (lease, others) = try transaction { store in
      let lease = RunLease(run: try store.runs.record(newRun), fence: fence)
      let others = try store.runs.revokeLeases(of: newRun.name, except: lease.run)
      for other in others { try store.runs.setState(.cancelled, ofRun: other.number) }
      try expectLease(lease, newRun.name, limit: .max, in: store)
      return (lease, others)
    }
    // Their leases are revoked; the signal ends their waits.
    for other in others where other.state == .running || other.state == .waiting {
      guard other.process != getpid() else { continue }
      // A worker cancels only this job and continues with others.
      let isJob = try store.jobs.running(ofRun: other.number) != nil
      kill(other.process, isJob ? SIGUSR1 : SIGTERM)
    }
    session.lease = lease
    return lease.run
  }

  /// A random fencing token.
  func newFence() -> Int64 {
    host.randomBytes(8).reduce(Int64(0)) { ($0 & (.max >> 8)) << 8 | Int64($1) }
  }

  /// Exit status of a run rejected by its mode (sysexits.h, `EX_TEMPFAIL`).
  static let refusedStatus: Int32 = 75

  private static func refusal(of name: String, _ others: [RecordedRun]) -> RunError {
    let who = others.prefix(3).map { "run \($0.number) in process \($0.process)" }
      .joined(separator: ", ")
    let remedy = others.first.map { Remedy.cancelRun($0.number) }
    return RunError(.busy, "`\(name)` is running already: \(who)", remedy: remedy)
      .with(\.status, refusedStatus)
  }
}
