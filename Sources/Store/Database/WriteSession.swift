import Glibc
import POSIX

/// What one run writes, or what is written outside of any: who makes the changes, by what right, in
/// which transactions, and what is recorded of the run with them.
///
/// A run makes its own, fills in what comes up, and hands it to the database that it writes to.
package final class WriteSession {
  /// The run, as the log of changes calls it; nil outside of one.
  package internal(set) var run: String?
  /// What makes the changes, for the change log: the name of an intent or a command.
  package var cause = ""
  /// The right of the run to write; nil for one that needs none.
  package var lease: RunLease?
  /// The right to do the job for which the store writes; nil when it does none.
  package internal(set) var job: JobLease?
  /// The numbers of the jobs that were put into the queue lately, until somebody has looked at them.
  package var enqueuedJobs: [Int64] = []
  /// What is recorded of the run, written with each of its commits; nil for one that is not recorded.
  package var record: RunRecord?
  /// What an import puts off to the end of a transaction; nil when all is done at once.
  var batch: ImportBatch?

  // MARK: Grouping

  /// Whether transactions stay open until `commit`; else each write is one.
  var isGrouping = false
  /// Whether what it commits is on the disk at once; else a power cut, and nothing less, may take what
  /// no later commit has put there.
  private(set) var waitsForDisk = true
  /// The first entry in the log of the change that is open, with what is not committed yet.
  var group: Int64?
  /// The first entry in the log of the run that is committed.
  private var committedGroup: Int64?
  /// The change that is being taken back or made again; nil in other changes.
  var reverted: Int64?
  /// When the open transaction began, in nanoseconds of the monotonic clock; nil when none is open.
  private var began: Int64?
  /// Whether the open transaction has anything in it.
  var hasWritten = false
  /// How many transactions of the run were committed, and how many were lost with what was in them.
  package private(set) var marks = (commits: 0, losses: 0)

  package init() {}

  /// Begins to group what a run writes.
  ///
  /// - Parameter group: the first entry of what an earlier process wrote in the run.
  func begin(_ run: String, waitsForDisk: Bool, group: Int64?) {
    self.run = run
    self.waitsForDisk = waitsForDisk
    self.group = group
    committedGroup = group
    isGrouping = true
  }

  /// Takes over what outlasts another session: the job and what was put into the queue.
  func follow(_ other: WriteSession) {
    if cause.isEmpty { cause = other.cause }
    job = other.job
    enqueuedJobs = other.enqueuedJobs
  }

  /// Whether its transaction is open.
  package var isOpen: Bool { began != nil }

  /// Whether the transaction is open for a number of nanoseconds.
  func isOpen(for nanoseconds: Int64) -> Bool {
    began.map { MonotonicClock.nanoseconds - $0 >= nanoseconds } ?? false
  }

  /// Notes that a transaction was opened.
  func open() {
    began = MonotonicClock.nanoseconds
    hasWritten = false
  }

  /// Notes that the open transaction is committed, or lost.
  func close(committed: Bool) {
    if committed { marks.commits += 1 } else if hasWritten { marks.losses += 1 }
    began = nil
    hasWritten = false
    if committed { committedGroup = group } else { group = committedGroup }
  }
}
