import Glibc
import POSIX

/// The writes of one run, or those outside of any run: their cause, lease, transactions, and the
/// records of the run written with them.
///
/// A run creates its own session, updates it, and passes it to the database it writes to.
package final class WriteSession {
  /// The run's name in the change log; nil outside of a run.
  package internal(set) var run: String?
  /// The cause in the change log: the name of an intent or a command.
  package var cause = ""
  /// The run's lease; nil when none is needed.
  package var lease: RunLease?
  /// The lease of the job that the store is writing for; nil outside of one.
  package internal(set) var job: JobLease?
  /// The ids of recently enqueued jobs, until a caller has read them.
  package var enqueuedJobs: [Int64] = []
  /// The pending records of the run, written with each commit; nil for an unrecorded run.
  package var record: PendingRun?
  /// Index updates that an import defers to the end of a transaction; nil when they are immediate.
  var batch: ImportBatch?

  // MARK: Grouping

  /// Whether transactions stay open until `commit`; otherwise each write is one.
  var isGrouping = false
  /// Whether commits are synced to disk; otherwise those since the last sync may be lost in a power
  /// cut.
  private(set) var waitsForDisk = true
  /// The first log entry of the current change, including uncommitted ones.
  var group: Int64?
  /// The first committed log entry of the run.
  private var committedGroup: Int64?
  /// The change that is being undone or redone; nil in other changes.
  var reverted: Int64?
  /// The start of the open transaction on the monotonic clock, in ns; nil when none is open.
  private var began: Int64?
  /// Whether the open transaction contains any writes.
  var hasWritten = false
  /// The numbers of committed transactions of the run and of rolled-back ones with writes.
  package private(set) var marks = (commits: 0, losses: 0)

  package init() {}

  /// Starts grouping the writes of a run.
  ///
  /// - Parameter group: The first log entry of an earlier process in the same run.
  func begin(_ run: String, waitsForDisk: Bool, group: Int64?) {
    self.run = run
    self.waitsForDisk = waitsForDisk
    self.group = group
    committedGroup = group
    isGrouping = true
  }

  /// Inherits the state that outlives a session: the job and the enqueued jobs.
  func follow(_ other: WriteSession) {
    if cause.isEmpty { cause = other.cause }
    job = other.job
    enqueuedJobs = other.enqueuedJobs
  }

  /// Whether the transaction is open.
  package var isOpen: Bool { began != nil }

  /// Whether the transaction has been open for at least a time.
  func isOpen(for time: Duration) -> Bool {
    began.map { .nanoseconds(MonotonicClock.nanoseconds - $0) >= time } ?? false
  }

  /// Records that a transaction was opened.
  func open() {
    began = MonotonicClock.nanoseconds
    hasWritten = false
  }

  /// Records that the transaction was committed or lost.
  func close(committed: Bool) {
    if committed { marks.commits += 1 } else if hasWritten { marks.losses += 1 }
    began = nil
    hasWritten = false
    if committed { committedGroup = group } else { group = committedGroup }
  }
}
