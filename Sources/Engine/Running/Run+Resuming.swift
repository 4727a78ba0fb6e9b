import CEL
import Catalog
import Glibc
import Program
package import Store

/// Resuming and cancelling recorded runs.
extension Run {
  /// The call of a recorded run, without the answers used since.
  package static func call(
    of record: RecordedRun, _ lines: [JournalLine], in workspace: Workspace
  ) throws -> RecordedCall {
    try RecordedCall(record.call, lines, try reader(in: workspace))
  }

  /// A read-only journal.
  package static func reader(in workspace: Workspace) throws -> RunJournal {
    RunJournal(
      isDurable: true, values: try ValueFiles(workspace.store()), now: { Timestamp(seconds: 0) },
      schema: { try? workspace.schema(of: $0) })
  }

  /// Starts an intent or a shortcut again with the call of a recorded run.
  ///
  /// - Throws: as `perform` does.
  package func perform(
    _ name: String, again call: RecordedCall, done: (Outcome) throws -> Void
  ) throws {
    hold(to: call.permissions)
    try perform(name, each: call.calls, done: done)
  }

  /// Resumes a run at the end of its journal.
  ///
  /// The workspace must contain the recorded definitions.
  /// - Parameters:
  ///   - call: the recorded call.
  ///   - done: called with the outcome of each call.
  /// - Throws: `busy` when the run, or another that excludes it, is active.
  package func resume(
    _ record: RecordedRun, _ call: RecordedCall, done: (Outcome) throws -> Void
  ) throws {
    hold(to: call.permissions)
    identity.cause = identity.caller ?? record.name
    id = record.id
    try workspace.check(action: record.name)
    try authorize(record.name)
    let action = try workspace.action(record.name)
    let store = try store()
    if let text = try RunError.translating({ try store.runs.transcript(ofRun: record.number) }) {
      transcript.resume(text)
    }
    let definition = action.definition
    let lease = RunLease(run: record.number, fence: newFence())
    let limit = definition.runMode == .parallel ? definition.maxRuns ?? .max : 1
    let lines = try RunError.translating {
      try store.transaction {
        try store.runs.takeOver(run: record.number, process: getpid())
        try expectLease(lease, record.name, limit: limit, in: store)
        return try store.runs.lines(ofRun: record.number)
      }
    }
    session.lease = lease
    recorder.isResumed = true
    let resumed = PendingRun(
      NewRun(
        id: record.id, name: record.name, isDurable: true, mode: record.mode, process: getpid(),
        call: record.call, definitions: []), number: record.number)
    recorder.takenAnswers = lines.count { $0.key.hasPrefix(RecordedCall.answerKey) }
    try follow(resumed, isDurable: true, after: lines, in: store)
    try conclude(action, call.calls, done)
  }

  /// Removes the failure that ended a run from its journal, so that it resumes at the failed step.
  package func forgetFailure(of record: RecordedRun) throws {
    let store = try store()
    let journal = try Self.reader(in: workspace)
    guard !record.error.isEmpty,
      let failure = RunError(journal: try journal.value(ofText: record.error))?.line
    else { return }
    try RunError.translating {
      let lines = try store.runs.lines(ofRun: record.number)
      let numbers = try FailureLines(lines, of: failure, in: journal).numbers
      try store.runs.removeLines(numbers, ofRun: record.number)
    }
  }

  /// Cancels a run that is active elsewhere, or will not be resumed.
  ///
  /// - Returns: whether it ended by itself; otherwise its write access was revoked.
  package func cancel(_ record: RecordedRun) throws -> Bool {
    let store = try store()
    func end() throws -> Bool {
      try RunError.translating { try store.runs.setState(.cancelled, ofRun: record.number) }
      return true
    }
    switch record.state {
    case .done, .failed, .cancelled:
      throw RunError(.conflict, "run \(record.number) has already ended")
    case .suspended, .interrupted: return try end()
    case .running, .waiting: break
    }
    try RunError.translating {
      try store.runs.want("cancel", ofRun: record.number)
      if let job = try store.jobs.running(ofRun: record.number) {
        _ = try store.jobs.cancel(JobSelection(numbers: [job.number]))
        // A worker cancels only this job and continues with others.
        kill(record.process, SIGUSR1)
      } else {
        kill(record.process, SIGTERM)
      }
    }
    let task = TaskContext(interrupt)
    for _ in 0..<Self.cancelPolls {
      guard let now = try store.runs.run(record.number) else { return true }
      if now.state.isOver { return true }
      if now.state == .interrupted { return try end() }
      try pause(for: DurationValue(totalNanoseconds: Self.cancelPollInterval), task)
    }
    try RunError.translating {
      try store.runs.revokeLease(of: record.number, wanting: "cancel")
      try store.runs.setState(.cancelled, ofRun: record.number)
    }
    return false
  }

  /// Number of polls for the end of a run, and their interval in nanoseconds.
  private static let cancelPolls = 150
  private static let cancelPollInterval: Int64 = 100_000_000
}
