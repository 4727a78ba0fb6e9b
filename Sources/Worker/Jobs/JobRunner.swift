import CEL
import Catalog
import Engine
import Items
import JSON
import POSIX
import Source
package import Store

/// Runs jobs and reports their outcome to the queue.
package struct JobRunner {
  /// The outcome of a job.
  package enum End: Equatable {
    case done, failed, givenUp, putBack, lost
    /// Put back: it found the network to be away, although there is a route.
    case cutOff
    /// Done, except for the parts that a message describes.
    case doneInPart
  }

  /// The delay after a job finds its handler busy.
  private static let busyDelay = Duration.seconds(5)

  private let session: WorkerSession
  private let log: WorkerLog
  private let world: any WorkerWorld

  private let didFail: (Job, String) -> Void
  /// The time until a job that finds the network to be away is tried again.
  package var outageDelay = Duration.seconds(60)
  /// Whether the network was away when a job last tried it.
  package var isCutOff = false

  package init(
    _ session: WorkerSession, _ world: any WorkerWorld, _ log: WorkerLog,
    didFail: @escaping (Job, String) -> Void = { _, _ in }
  ) {
    self.didFail = didFail
    self.session = session
    self.world = world
    self.log = log
  }

  /// Runs a job that was taken from the session's store.
  ///
  /// - Throws: Errors of the store when it cannot save the outcome.
  package func perform(_ job: Job) throws -> End {
    let fields: [(String, Value)] = [
      ("job", .int(job.number)), ("handler", .string(job.handler)), ("origin", .string(job.origin)),
    ]
    log.note("job begins", fields + [("attempt", .int(Int64(job.failures + 1)))])
    let began = world.now.microseconds
    func took() -> [(String, Value)] {
      [("took_ms", .int(max(0, world.now.microseconds - began) / 1000))]
    }
    do {
      let run = try self.run(job)
      try session.store.jobs.finish()
      log.note("job done", fields + took() + [("run", run.map(Value.int) ?? .null)])
      return .done
    } catch let cancellation as Cancellation {
      if cancellation.reason == .superseded { return lost(fields) }
      return try putBack(fields, because: "the worker was asked to end")
    } catch let error as Diagnostics {
      let text = error.all.first.map { "\($0.message) [\($0.id)]" } ?? "its definition is wrong"
      return try fail(job, text, isFinal: true, fields + took())
    } catch let error as StoreError where error.code == .superseded {
      return lost(fields)
    } catch let error as RunError {
      if error.code == .busy, error.status == 75 {
        return try putBack(fields, after: Self.busyDelay, because: error.message)
      }
      if error.code == .network, !world.available().contains(.network) {
        return try putBack(fields, requiring: [.network], because: error.message)
      }
      if error.code == .network, error.saysOutage || isCutOff && job.requires.contains(.network) {
        let end = try putBack(fields, after: outageDelay, because: error.message)
        return end == .putBack ? .cutOff : end
      }
      if error.code == .noSecret, !world.available().contains(.vault) {
        return try putBack(fields, requiring: [.vault], because: error.message)
      }
      let reason = "\(error.message) [\(error.code)]"
      if error.saysSettled { return try settle(job, reason, fields + took()) }
      return try fail(job, reason, isFinal: error.isPermanent, fields + took())
    }
  }

  // MARK: Running

  /// Runs a handler, or continues the run of an earlier worker; returns the run number.
  private func run(_ job: Job) throws -> Int64? {
    if let number = job.run, let record = try session.store.runs.run(number), record.isDurable {
      switch record.state {
      case .suspended, .interrupted, .failed: return try continueRun(record)
      case .running, .waiting:
        var error = RunError(.busy, "run \(number) goes on in process \(record.process)")
        error.status = 75
        throw error
      case .done: return number
      case .cancelled: break
      }
    }
    let run = session.makeRun(session.workspace, nil)
    _ = try run.perform(job)
    return run.number
  }

  private func continueRun(_ record: RecordedRun) throws -> Int64? {
    let workspace = try session.workspace(of: record)
    let lines = try session.store.runs.lines(ofRun: record.number)
    let call = try Run.call(of: record, lines, in: workspace)
    let run = session.makeRun(workspace, call)
    if record.state == .failed { try run.forgetFailure(of: record) }
    try run.resume(record, call) { _ in }
    return record.number
  }

  // MARK: Outcomes

  private func putBack(
    _ fields: [(String, Value)], requiring: [Requirement] = [], after delay: Duration = .zero,
    because reason: String
  ) throws -> End {
    let isKept = try keepingJob {
      try session.store.jobs.release(requiring: requiring, after: delay, because: reason)
    }
    guard isKept else { return lost(fields) }
    log.note("job put back", fields + [("reason", .string(reason))])
    return .putBack
  }

  private func fail(
    _ job: Job, _ reason: String, isFinal: Bool, _ fields: [(String, Value)]
  ) throws -> End {
    var due: Int64?
    let isKept = try keepingJob { due = try session.store.jobs.fail(reason, isFinal: isFinal) }
    guard isKept else { return lost(fields) }
    didFail(job, reason)
    let again = due.map { Value.string(Timestamp(microseconds: $0).jsonText) }
    log.note(
      due == nil ? "job given up" : "job failed", level: due == nil ? .error : .warning,
      fields + [("error", .string(reason)), ("again", again ?? .null)])
    return due == nil ? .givenUp : .failed
  }

  /// Ends a job that is partly done and need not be retried.
  private func settle(
    _ job: Job, _ reason: String, _ fields: [(String, Value)]
  ) throws -> End {
    guard try keepingJob({ try session.store.jobs.finish(reason) }) else { return lost(fields) }
    didFail(job, reason)
    log.note("job done in part", level: .warning, fields + [("error", .string(reason))])
    return .doneInPart
  }

  private func lost(_ fields: [(String, Value)]) -> End {
    session.store.jobs.forget()
    log.note("job was ended or taken over by another", level: .warning, fields)
    return .lost
  }

  /// Reports the outcome; false if another worker has taken over the job.
  private func keepingJob(_ body: () throws -> Void) throws -> Bool {
    do {
      try body()
      return true
    } catch let error as StoreError where error.code == .superseded {
      return false
    }
  }
}

extension RunError {
  /// Whether only a person can fix the cause, so that a retry is useless.
  fileprivate var isPermanent: Bool {
    switch code {
    case .needsValue, .ambiguous, .declined, .denied, .notAllowed, .noSecret: true
    default: false
    }
  }
}
