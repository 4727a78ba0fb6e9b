import Glibc
import POSIX

/// What one run writes: one change for `undo`, in transactions that stay open for a while.
struct RunWrites {
  /// The run, as the log of changes calls it.
  let id: String
  /// Whether transactions stay open until `commit`.
  var isGrouping: Bool
  /// Whether what it commits is on the disk at once; else no later than the next commit that is.
  let waitsForDisk: Bool
  /// The first entry of the run in the log, with what is not committed yet.
  var group: Int64?
  /// The first entry of the run that is committed.
  private(set) var committedGroup: Int64?
  /// When the open transaction began, in nanoseconds of the monotonic clock; nil when none is open.
  private(set) var began: Int64?
  /// Whether the open transaction has anything in it.
  var hasWritten = false

  /// How many transactions were committed, and how many were lost with what was in them.
  private(set) var commits = 0
  private(set) var losses = 0

  /// - Parameter group: the first entry of what an earlier process wrote in the run.
  init(id: String, isGrouping: Bool, waitsForDisk: Bool = true, group: Int64? = nil) {
    self.id = id
    self.waitsForDisk = waitsForDisk
    self.group = group
    committedGroup = group
    self.isGrouping = isGrouping
  }

  /// Notes that a transaction was opened.
  mutating func open() {
    began = MonotonicClock.nanoseconds
    hasWritten = false
  }

  /// Notes that the open transaction is committed, or lost.
  mutating func close(committed: Bool) {
    if committed { commits += 1 } else if hasWritten { losses += 1 }
    began = nil
    hasWritten = false
    if committed { committedGroup = group } else { group = committedGroup }
  }

  /// Whether the transaction is open for a number of nanoseconds.
  func isOpen(for nanoseconds: Int64) -> Bool {
    began.map { MonotonicClock.nanoseconds - $0 >= nanoseconds } ?? false
  }
}
