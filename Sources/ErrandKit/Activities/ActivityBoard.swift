package import Engine
import Glibc
import POSIX
import Synchronization

/// Publishes the activities of this process to other programs. Activities of steps are batched, so
/// that a loop does not write a file for each pass; all others are published once they have lasted
/// a second.
package final class ActivityBoard: Sendable {
  /// An activity that is not from a step.
  private struct Entry {
    var latest: Activity
    let began: Int64
    var written: Int64?

    /// Whether it has to be written now.
    func isDue(at now: Int64) -> Bool {
      now - (written ?? began) >= ActivityBoard.interval.nanoseconds
    }
  }

  /// Updates of a step's activity since it was last written.
  private struct PendingUpdate {
    /// The latest progress; nil if only the end was reported.
    var active: Activity?
    /// The end; nil while it is in progress.
    var end: Activity?
    /// Whether an earlier activity with the same key has ended.
    var isAnew = false

    init(_ activity: Activity) { merge(activity) }

    var key: String { (active ?? end)?.key ?? "" }

    mutating func merge(_ activity: Activity) {
      if activity.state != .active {
        if end == nil { end = activity }
      } else if end == nil {
        active = active.map(activity.filled) ?? activity
      } else {
        self = PendingUpdate(activity)
        isAnew = true
      }
    }
  }

  /// The state under the lock.
  private struct State {
    /// Updates of steps that are not written yet.
    var pending: [PendingUpdate] = []
    /// Whether a flush is scheduled.
    var isFlushing = false
    /// The activity of the process as a whole: a run, a job or an import.
    var main: Activity?
    /// The keys of activities started but not ended by steps of the main one.
    var openSteps: Set<String> = []
    var entries: [Entry] = []
    var isWatching = false
  }

  private let folder: ActivityFolder
  private let state = Mutex(State())
  /// Serializes the writing of step updates, to keep their order.
  private let writing = Mutex(())
  /// The batching delay of step updates; nil to write only on `flush`.
  private let delay: Duration?

  /// The time before an activity is shown, and between its updates.
  private static let interval = Duration.seconds(1)
  /// The maximum number of activities of a process.
  private static let limit = 64

  package init(_ folder: ActivityFolder, delay: Duration? = .milliseconds(100)) {
    self.folder = folder
    self.delay = delay
  }

  /// Observes a run with this host: activities of its steps, and long-running programs and
  /// requests.
  func follow(_ host: inout Host) {
    host.noteActivity = { self.note($0) }
    host.machine.exec = { [exec = host.machine.exec] request, bounds in
      self.watch()
      // A program that reads the folder sees the updates before its start.
      self.flush()
      return try exec(request, bounds)
    }
    if let http = host.machine.http {
      host.machine.http = { request, bounds in
        self.watch()
        return try http(request, bounds)
      }
    }
  }

  // MARK: Main activity

  /// Begins the activity of the process.
  package func begin(_ activity: Activity) {
    state.withLock { state in
      state.main = activity
      state.entries.removeAll { $0.latest.key == activity.key }
    }
    note(activity)
  }

  /// Updates the progress of the main activity.
  package func progress(_ progress: Progress) {
    let main = state.withLock { state in
      state.main?.done = progress.isOver ? nil : progress.done
      state.main?.total = progress.isOver ? nil : progress.total
      state.main?.detail = progress.label
      return state.main
    }
    main.map(note)
  }

  /// Ends the main activity; unless it is done, those that its steps left open end with it.
  ///
  /// - Parameter continuesLater: Whether the run will go on, so that those of its steps stay.
  package func end(
    _ end: Activity.State, _ detail: String? = nil, continuesLater: Bool = false
  ) {
    let (main, open) = state.withLock { state in
      defer { (state.main, state.openSteps) = (nil, []) }
      state.main?.state = end
      state.main?.detail = detail
      return (state.main, state.openSteps)
    }
    if end != .done, !continuesLater {
      for key in open.sorted() {
        var step = Activity(.step, key: key, title: "")
        step.state = end
        enqueue(step)
      }
    }
    flush()
    main.map(note)
  }

  // MARK: Other activities

  /// Records an update of an activity. Thread-safe.
  package func note(_ activity: Activity) {
    if activity.kind == .step { return enqueue(activity) }
    state.withLock { state in
      guard let index = state.entries.firstIndex(where: { $0.latest.key == activity.key }) else {
        guard activity.state == .active, state.entries.count < Self.limit else { return }
        state.entries.append(Entry(latest: activity, began: MonotonicClock.nanoseconds))
        return
      }
      state.entries[index].latest = activity
      if activity.state == .active { return writeIfDue(&state.entries[index]) }
      if state.entries.remove(at: index).written != nil { folder.note(activity) }
    }
  }

  /// Writes an entry if it is due.
  private func writeIfDue(_ entry: inout Entry) {
    let now = MonotonicClock.nanoseconds
    guard entry.isDue(at: now) else { return }
    entry.written = now
    folder.note(entry.latest, age: .nanoseconds(now - entry.began))
  }

  // MARK: Steps

  private func enqueue(_ activity: Activity) {
    let (isFull, isFirst) = state.withLock { state in
      if activity.state != .active {
        state.openSteps.remove(activity.key)
      } else if state.openSteps.count < Self.limit {
        state.openSteps.insert(activity.key)
      }
      if let index = state.pending.firstIndex(where: { $0.key == activity.key }) {
        state.pending[index].merge(activity)
      } else {
        state.pending.append(PendingUpdate(activity))
      }
      defer { state.isFlushing = true }
      return (state.pending.count > Self.limit, !state.isFlushing)
    }
    if isFull { return flush() }
    guard isFirst, let delay else { return }
    // The thread ends after the flush, or with the process.
    _ = BranchThread { [self] in
      Self.sleep(timespec(tv_sec: 0, tv_nsec: Int(delay.nanoseconds)))
      flush()
    }
  }

  /// Writes all pending step updates.
  package func flush() {
    writing.withLock { _ in
      let pending = state.withLock { state in
        state.isFlushing = false
        defer { state.pending = [] }
        return state.pending
      }
      for pending in pending {
        if let active = pending.active { folder.note(active, isAnew: pending.isAnew) }
        if let end = pending.end { folder.note(end) }
      }
    }
  }

  private static func sleep(_ length: timespec) {
    var pause = length
    var left = timespec()
    while nanosleep(&pause, &left) != 0, errno == EINTR { pause = left }
  }

  // MARK: Watching

  /// Shows activities that are due without a new update.
  package func tick() {
    state.withLock { state in
      for index in state.entries.indices where state.entries[index].written == nil {
        writeIfDue(&state.entries[index])
      }
    }
  }

  /// Starts a thread that checks once whether the current activities have become due.
  package func watch() {
    let isFirst = state.withLock { state in
      defer { state.isWatching = true }
      return !state.isWatching
    }
    guard isFirst else { return }
    // The thread ends after the check, or with the process.
    _ = BranchThread { [self] in
      Self.sleep(timespec(tv_sec: 1, tv_nsec: 20_000_000))
      tick()
    }
  }
}
