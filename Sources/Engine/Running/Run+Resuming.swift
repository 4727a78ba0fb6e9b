import CEL
import Catalog
import Glibc
import Program
package import Store

/// Runs that go on from their journals.
extension Run {
  /// What a recorded run was asked with, without the answers that were taken since.
  package static func call(
    of record: RecordedRun, _ lines: [JournalLine], in workspace: Workspace
  ) throws -> RecordedCall {
    try RecordedCall(record.call, lines, try reader(in: workspace))
  }

  /// A journal that only reads what others wrote.
  package static func reader(in workspace: Workspace) throws -> RunJournal {
    RunJournal(
      isDurable: true, values: try ValueFiles(workspace.store()), now: { Timestamp(seconds: 0) },
      schema: { try? workspace.schema(of: $0) })
  }

  /// Runs an intent or a shortcut as a recorded run was asked to, from its beginning.
  ///
  /// - Throws: what `perform` throws.
  package func perform(
    _ name: String, again call: RecordedCall, done: (Outcome) throws -> Void
  ) throws {
    hold(to: call.permissions)
    try perform(name, each: call.calls, done: done)
  }

  /// Goes on with a run where its journal ends.
  ///
  /// The workspace has the definitions that the run began with.
  /// - Parameters:
  ///   - call: what it was asked with.
  ///   - done: is told what each call came to.
  /// - Throws: `busy` when it goes on elsewhere, or others of its name run.
  package func resume(
    _ record: RecordedRun, _ call: RecordedCall, done: (Outcome) throws -> Void
  ) throws {
    hold(to: call.permissions)
    cause = record.name
    id = record.id
    try workspace.check(action: record.name)
    try authorize(record.name)
    let action = try workspace.action(record.name)
    let store = try store()
    let definition = action.definition
    let lease = RunLease(run: record.number, fence: newFence())
    let limit = definition.runMode == .parallel ? definition.maxRuns ?? .max : 1
    let lines = try RunError.translating {
      try store.database.transaction {
        try store.runs.takeOver(run: record.number, process: getpid())
        try expectLease(lease, record.name, limit: limit, in: store)
        return try store.runs.lines(ofRun: record.number)
      }
    }
    session.lease = lease
    isResumed = true
    let goingOn = RunRecord(
      RunDraft(
        id: record.id, name: record.name, isDurable: true, mode: record.mode, process: getpid(),
        call: record.call, definitions: []), number: record.number)
    takenAnswers = lines.count { $0.key.hasPrefix(RecordedCall.answerKey) }
    try follow(goingOn, isDurable: true, after: lines, in: store)
    try conclude(action, call.calls, done)
  }

  /// Forgets the failure that ended a run, so that it goes on with the step that failed.
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

  /// Ends a run that goes on elsewhere, or will not go on any more.
  ///
  /// - Returns: Whether it ended by itself; else it can write nothing any more.
  package func cancel(_ record: RecordedRun) throws -> Bool {
    let store = try store()
    switch record.state {
    case .done, .failed, .cancelled:
      throw RunError(.conflict, "run \(record.number) is over already")
    case .suspended, .interrupted:
      try RunError.translating { try store.runs.setState(.cancelled, ofRun: record.number) }
      return true
    case .running, .waiting: break
    }
    try RunError.translating {
      try store.runs.want("cancel", ofRun: record.number)
      if let job = try store.jobs.running(ofRun: record.number) {
        _ = try store.jobs.cancel(JobSelection(numbers: [job.number]))
        // A worker ends the job alone, and goes on with others.
        kill(record.process, SIGUSR1)
      } else {
        kill(record.process, SIGTERM)
      }
    }
    let strand = Strand(interrupt)
    for _ in 0..<Self.cancelLooks {
      guard let now = try store.runs.run(record.number) else { return true }
      if now.state.isOver { return true }
      if now.state == .interrupted {
        try RunError.translating { try store.runs.setState(.cancelled, ofRun: record.number) }
        return true
      }
      try pause(for: Duration(totalNanoseconds: Self.cancelPause), strand)
    }
    try RunError.translating {
      try store.runs.revokeLease(of: record.number, wanting: "cancel")
      try store.runs.setState(.cancelled, ofRun: record.number)
    }
    return false
  }

  /// How often is looked whether a run has ended, and how long the pause between is, in nanoseconds.
  private static let cancelLooks = 150
  private static let cancelPause: Int64 = 100_000_000
}
