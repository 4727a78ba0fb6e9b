package import CEL

/// A run as recorded in the store.
package struct RecordedRun: Sendable {
  /// The state of a run.
  package enum State: String, Sendable {
    /// Waiting for other runs of the same name to end.
    case waiting
    /// Running, or its process died.
    case running
    /// Suspended until someone resumes it.
    case suspended
    case done, failed, cancelled
    /// Its process died or lost the run to another; derived from `running` when the run is read.
    case interrupted

    /// Whether the run has ended.
    package var isOver: Bool { self == .done || self == .failed || self == .cancelled }
  }

  /// The row id.
  package let number: Int64
  /// The run's name in the change log.
  package let id: String
  /// The intent or shortcut that was called.
  package let name: String
  package var state: State
  package let started: Timestamp
  package let ended: Timestamp?
  package let isDurable: Bool
  package let mode: String?
  /// The id of the process that runs it.
  package let process: Int32
  /// The call, as encoded by the engine.
  package let call: String
  /// The result, as encoded by the engine; empty without a value.
  package let result: String
  /// The error, as encoded by the engine; empty when the run did not fail.
  package let error: String
  /// The hashes of the definitions that the run uses, in order of first use.
  package let definitions: [String]
}

/// A run before it is recorded.
package struct NewRun: Sendable {
  package let id: String
  package let name: String
  package let isDurable: Bool
  package let mode: String?
  package let process: Int32
  package let call: String
  /// The definitions that the run uses, with their hashes.
  package let definitions: [(hash: String, text: String)]

  package init(
    id: String, name: String, isDurable: Bool, mode: String?, process: Int32, call: String,
    definitions: [(hash: String, text: String)]
  ) {
    self.id = id
    self.name = name
    self.isDurable = isDurable
    self.mode = mode
    self.process = process
    self.call = call
    self.definitions = definitions
  }
}

/// A filter for recorded runs.
package struct RunSelection: Sendable {
  /// Restricts to runs of this intent or shortcut.
  package var name: String?
  /// Restricts to runs that failed or whose process died.
  package var isFailed = false
  package var limit: Int

  package init(limit: Int) { self.limit = limit }
}

/// One line of a run's journal: a decision or a step at one place.
package struct JournalLine: Sendable {
  /// The kind of a journal line.
  package enum Kind: Int64, Sendable {
    /// A step with side effects outside the store is about to run.
    case begun = 0
    /// A step completed.
    case done = 1
    /// A step failed.
    case failed = 2
    /// A step was skipped: its guard was false.
    case skipped = 3
    /// A decision, such as the branch taken.
    case decided = 4
    /// An attempt failed and will be retried.
    case attempted = 5
  }

  /// The line number within the run, from 1.
  package let number: Int64
  /// A key that is unique within the run: the place and the kind of entry there.
  package let key: String
  package let kind: Kind
  /// The name of the step.
  package let name: String
  package let time: Timestamp
  /// The duration, in whole microseconds.
  package let took: Duration
  /// The values, as encoded by the run.
  package let data: String

  package init(
    number: Int64, key: String, kind: Kind, name: String, time: Timestamp, took: Duration,
    data: String
  ) {
    self.number = number
    self.key = key
    self.kind = kind
    self.name = name
    self.time = time
    self.took = took
    self.data = data
  }
}

/// The pending writes of a recorded run: its start, journal lines and end.
package final class PendingRun {
  /// The end of a run.
  package struct End {
    package let state: RecordedRun.State
    /// The value, in the journal's encoding.
    package var result = ""
    /// The error, in the same encoding.
    package var error = ""

    package init(state: RecordedRun.State) { self.state = state }
  }

  /// The values recorded when the run starts.
  package let newRun: NewRun
  /// The row id; nil until the run is stored.
  package var number: Int64?
  /// The journal lines that are not committed yet.
  package private(set) var lines: [JournalLine] = []
  /// The end of the run; nil while it is running.
  package var end: End?
  /// The text of the transcript, if it is to be written; nil for none.
  package var transcript: (() -> String?)?
  /// Whether the end is stored.
  package internal(set) var isEndWritten = false

  package init(_ newRun: NewRun, number: Int64? = nil) {
    self.newRun = newRun
    self.number = number
  }

  /// Appends a line to be written by the next commit.
  package func append(_ line: JournalLine) { lines.append(line) }

  /// Removes and returns the pending lines.
  func takeLines() -> [JournalLine] {
    defer { lines = [] }
    return lines
  }
}

/// A run's right to write, fenced against earlier holders.
package struct RunLease: Sendable {
  /// The row id of the run.
  package let run: Int64
  /// The fencing token: unique among the leases of this run.
  package let fence: Int64

  package init(run: Int64, fence: Int64) {
    self.run = run
    self.fence = fence
  }
}

/// A process's right to run a job and to write for it.
package struct JobLease: Hashable, Sendable {
  package let job: Int64
  package let fence: Int64
  /// Whether a transaction marked the job as done; that transaction may have been rolled back.
  var isDone = false
}

/// Chains jobs: the next one is dequeued in the transaction that completes the last, so that each
/// job costs one commit.
final class JobSuccession {
  /// Dequeues the next job within the open transaction; nil when none is ready.
  let take: () throws -> JobLease?
  /// The job that was dequeued and not started; its transaction may have been rolled back.
  var next: JobLease?

  init(_ take: @escaping () throws -> JobLease?) { self.take = take }
}
