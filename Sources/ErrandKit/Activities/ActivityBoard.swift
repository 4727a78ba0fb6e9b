package import Engine
import Glibc
import POSIX
import Synchronization

/// Shows other programs what this process does: what steps tell of after a moment, so that a loop
/// costs no file for each pass, and what is told by itself once it has taken a second.
package final class ActivityBoard: Sendable {
  /// What is told by itself.
  private struct Entry {
    package var latest: Activity
    package let began: Int64
    package var written: Int64?

    /// Whether it is to be written now.
    package func isDue(at now: Int64) -> Bool { now - (written ?? began) >= ActivityBoard.patience }
  }

  /// What steps told of an activity since it was written.
  private struct Told {
    /// How far it has come; nil where it is only told that it is over.
    package var active: Activity?
    /// Its end; nil while it goes on.
    package var end: Activity?
    /// Whether one of the same key was over before.
    package var isAnew = false

    package init(_ activity: Activity) { take(activity) }

    package var key: String { (active ?? end)?.key ?? "" }

    package mutating func take(_ activity: Activity) {
      if activity.state != .active {
        if end == nil { end = activity }
      } else if end == nil {
        active = active.map(activity.filled) ?? activity
      } else {
        self = Told(activity)
        isAnew = true
      }
    }
  }

  private struct State {
    /// What steps have told and is not written yet.
    package var told: [Told] = []
    /// Whether a thread is about to write it.
    package var isFlushing = false
    /// What the process was asked for: a run, a job or an import. Every run has one, so that it
    /// stands alone: an array would have to be made.
    package var main: Entry?
    package var others: [Entry] = []
    package var isWatching = false
  }

  private let folder: ActivityFolder
  private let state = Mutex(State())
  /// Held while something that steps told is written, so that it is written in its order.
  private let writing = Mutex(())
  /// For how long what steps tell is gathered, in nanoseconds; nil until it is asked for.
  private let delay: Int?

  /// After which time an activity is shown, and how often it is written, in nanoseconds.
  private static let patience: Int64 = 1_000_000_000
  /// How many activities of one process are followed beside its main one.
  private static let limit = 64

  package init(_ folder: ActivityFolder, delay: Int? = 100_000_000) {
    self.folder = folder
    self.delay = delay
  }

  /// Shows what steps of a run with this host tell of, and what takes long in it.
  func follow(_ host: inout Host) {
    host.noteActivity = { self.note($0) }
    host.machine.exec = { [exec = host.machine.exec] request, bounds in
      self.watch()
      // A program that looks sees what was told before it began.
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

  // MARK: The main activity

  /// Begins what the process was asked for.
  package func begin(_ activity: Activity) {
    state.withLock { $0.main = Entry(latest: activity, began: MonotonicClock.nanoseconds) }
  }

  /// Tells how far the main activity has come.
  package func progress(_ progress: Progress) {
    state.withLock { state in
      guard var main = state.main else { return }
      main.latest.done = progress.isOver ? nil : progress.done
      main.latest.total = progress.isOver ? nil : progress.total
      main.latest.detail = progress.label
      let now = MonotonicClock.nanoseconds
      if main.isDue(at: now) {
        main.written = now
        folder.note(main.latest, age: now - main.began)
      }
      state.main = main
    }
  }

  /// Ends the main activity.
  package func end(_ end: Activity.State, _ detail: String? = nil) {
    flush()
    state.withLock { state in
      guard var main = state.main else { return }
      state.main = nil
      guard main.written != nil else { return }
      main.latest.state = end
      main.latest.detail = detail
      folder.note(main.latest)
    }
  }

  // MARK: Others

  /// Tells of an activity; from any thread.
  package func note(_ activity: Activity) {
    if activity.kind == .step { return gather(activity) }
    state.withLock { state in
      let now = MonotonicClock.nanoseconds
      guard let index = state.others.firstIndex(where: { $0.latest.key == activity.key }) else {
        guard activity.state == .active, state.others.count < Self.limit else { return }
        state.others.append(Entry(latest: activity, began: now))
        return
      }
      state.others[index].latest = activity
      let entry = state.others[index]
      if activity.state != .active {
        state.others.remove(at: index)
        if entry.written != nil { folder.note(activity) }
      } else if entry.isDue(at: now) {
        state.others[index].written = now
        folder.note(activity, age: now - entry.began)
      }
    }
  }

  // MARK: Steps

  private func gather(_ activity: Activity) {
    let (isFull, isFirst) = state.withLock { state in
      if let index = state.told.firstIndex(where: { $0.key == activity.key }) {
        state.told[index].take(activity)
      } else {
        state.told.append(Told(activity))
      }
      defer { state.isFlushing = true }
      return (state.told.count > Self.limit, !state.isFlushing)
    }
    if isFull { return flush() }
    guard isFirst, let delay else { return }
    // It ends after that, or with the process.
    _ = BranchThread { [self] in
      Self.sleep(timespec(tv_sec: 0, tv_nsec: delay))
      flush()
    }
  }

  /// Writes what steps have told.
  package func flush() {
    writing.withLock { _ in
      let told = state.withLock { state in
        state.isFlushing = false
        defer { state.told = [] }
        return state.told
      }
      for told in told {
        if let active = told.active { folder.note(active, isAnew: told.isAnew) }
        if let end = told.end { folder.note(end) }
      }
    }
  }

  private static func sleep(_ length: timespec) {
    var pause = length
    var left = timespec()
    while nanosleep(&pause, &left) != 0, errno == EINTR { pause = left }
  }

  // MARK: Watching

  /// Shows what has gone on for long enough without telling anything.
  package func tick() {
    state.withLock { state in
      let now = MonotonicClock.nanoseconds
      if let main = state.main, main.written == nil, main.isDue(at: now) {
        state.main?.written = now
        folder.note(main.latest, age: now - main.began)
      }
      for index in state.others.indices
      where state.others[index].written == nil && state.others[index].isDue(at: now) {
        state.others[index].written = now
        let entry = state.others[index]
        folder.note(entry.latest, age: now - entry.began)
      }
    }
  }

  /// Looks once, on a thread of its own, whether what goes on has taken long enough to be shown.
  package func watch() {
    let isFirst = state.withLock { state in
      defer { state.isWatching = true }
      return !state.isWatching
    }
    guard isFirst else { return }
    // It ends after that look, or with the process.
    _ = BranchThread { [self] in
      Self.sleep(timespec(tv_sec: 1, tv_nsec: 20_000_000))
      tick()
    }
  }
}
