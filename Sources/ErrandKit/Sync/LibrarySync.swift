import CEL
import CLinux
package import Engine
import Glibc
package import Items
import POSIX
package import Store

/// The sync of a library with its hub, one process at a time: once, or until it is ended.
///
/// It needs a connection, so it works in the program with the network, which
/// ``Errand/sync(following:)`` starts.
package struct LibrarySync {
  /// The state of a sync, for a front to draw.
  package enum State {
    /// Changes are sent and merged; the counts so far.
    case syncing(HubSync.Outcome)
    /// Everything is sent and merged; also after each round of ``follow()`` that changed something.
    case synced(HubSync.Outcome)
    /// Another machine is doing, or has done, a job that this one had started with a recorded run;
    /// the changes of the run stay if later changes depend on them.
    case lostJob(handler: String, run: Int64?, isKept: Bool)
    /// Jobs of other machines cannot be read and are dead now.
    case unreadable([(handler: String, sender: String)])
    /// The hub cannot be reached; ``follow()`` tries again after the delay.
    case waiting(RunError, Duration)
  }

  private let run: Run
  private let store: Database
  private let interrupt: Interrupt
  private let connect: () throws -> any HubConnection
  private let draw: (State) throws -> Void

  /// - Parameters:
  ///   - interrupt: The request to end.
  ///   - connect: Connects to the hub.
  ///   - draw: Called with each state.
  package init(
    _ run: Run, _ interrupt: Interrupt, connect: @escaping () throws -> any HubConnection,
    draw: @escaping (State) throws -> Void
  ) throws {
    (self.run, self.interrupt, self.connect, self.draw) = (run, interrupt, connect, draw)
    store = try run.store()
  }

  // MARK: Once

  /// Sends and merges everything.
  ///
  /// - Throws: `network`, `denied`, `busy`; `Cancellation` when the person ends it.
  package func once() throws { try draw(.synced(sync(connect()))) }

  private func sync(_ hub: any HubConnection) throws -> HubSync.Outcome {
    var kept: [Int64] = []
    let outcome = try holdingLock("hub-sync", for: Self.patience) {
      var sync = HubSync(store, hub) { try? draw(.syncing($0)) }
      sync.revert = { number in
        guard let record = try store.runs.run(number) else { return }
        do { _ = try run.undo(.run(record.id)) { _, _ in } } catch { kept.append(number) }
      }
      let outcome = try sync.run()
      try HubFiles(run: run, hub: hub).send()
      return outcome
    }
    for job in outcome.lostJobs {
      let isKept = job.run.map(kept.contains) ?? false
      try draw(.lostJob(handler: job.handler, run: job.run, isKept: isKept))
    }
    return outcome
  }

  /// The longest wait for another process that syncs the library.
  private static let patience = Duration.seconds(60)
  /// The pause between attempts to get a lock.
  private static let lockPause = Duration.milliseconds(20)

  /// Runs `body` while it holds a lock beside the store; a store in memory needs none.
  ///
  /// - Parameter patience: The longest wait for the lock; nil for none.
  private func holdingLock<Result>(
    _ name: String, for patience: Duration?, _ body: () throws -> Result
  ) throws -> Result {
    guard case .file(let file) = store.location else { return try RunError.reportingHub(body) }
    let path = "\(file).\(name)"
    let start = MonotonicClock.nanoseconds
    while true {
      let lock: FileLock?
      do { lock = try FileLock(path) } catch {
        throw RunError(.io, "cannot lock \(path): \(error.reason)")
      }
      if let lock {
        defer { lock.release() }
        return try RunError.reportingHub(body)
      }
      let waited = Duration.nanoseconds(MonotonicClock.nanoseconds - start)
      if let patience, waited > patience {
        throw RunError(.busy, "another process is syncing this library")
      }
      try pause(Self.lockPause)
    }
  }

  /// - Throws: `Cancellation` when the person ends the pause.
  private func pause(_ time: Duration) throws {
    var descriptor = pollfd(fd: interrupt.pollDescriptor, events: Int16(POLLIN), revents: 0)
    if poll(&descriptor, 1, Int32(clamping: time.milliseconds)) > 0 {
      throw Cancellation(.interrupted)
    }
  }

  // MARK: Following

  /// The longest time between two syncs of a follower.
  private static let longestPause = Duration.seconds(30)
  /// The time in which several changes of this machine become one push.
  private static let gathering = Duration.milliseconds(50)
  /// The number of jobs of the hub that a worker may have.
  private static let jobsPerWorker = 4

  /// Syncs whenever the hub or the library has something new, and takes jobs for the library's
  /// workers; one process at a time.
  ///
  /// - Parameter available: Returns the requirements of jobs that the machine meets now.
  /// - Throws: `Cancellation` when the person ends it; `denied` and errors of the library.
  package func follow(having available: () -> [Requirement]) throws {
    try holdingLock("hub-follow", for: nil) {
      let watch = store.watch()
      var delay = Duration.seconds(1)
      while true {
        do {
          let hub = try connect()
          try RunError.reportingHub { try hub.listen() }
          while true {
            let outcome = try sync(hub)
            delay = .seconds(1)
            if outcome.sent + outcome.changed > 0 { try draw(.synced(outcome)) }
            if try takeJobs(hub, available) == 0 { try waitForNews(hub, watch) }
          }
        } catch let error as RunError where error.code == .network || error.code == .busy {
          try draw(.waiting(error, delay))
          try pause(delay)
          delay = min(delay * 2, Self.longestPause)
        }
      }
    }
  }

  /// Takes jobs for the workers of this library, if it has any; returns their number.
  private func takeJobs(
    _ hub: any HubConnection, _ available: () -> [Requirement]
  ) throws -> Int {
    let workers = try RunError.reportingStore { try store.jobs.seats?.others().count ?? 0 }
    guard workers > 0 else { return 0 }
    return try holdingLock("hub-sync", for: Self.patience) {
      var sync = HubSync(store, hub)
      sync.didRefuse = { try? draw(.unreadable($0)) }
      return try sync.takeJobs(limit: workers * Self.jobsPerWorker, having: available())
    }
  }

  /// Waits until the hub gives a sign, the library changed, or leases must be renewed.
  private func waitForNews(_ hub: any HubConnection, _ watch: StoreWatch?) throws {
    try RunError.reportingHub {
      let isHolding = try store.hub.jobs.openCount() > 0
      let longest = isHolding ? min(hub.leaseTime / 3, Self.longestPause) : Self.longestPause
      let end = MonotonicClock.nanoseconds + longest.nanoseconds
      while MonotonicClock.nanoseconds < end {
        let rest = Duration.nanoseconds(max(0, end - MonotonicClock.nanoseconds))
        if try hub.wait(min(rest, StoreWatch.patience), or: watch?.descriptor ?? -1) { return }
        // A write is seen before its commit, which may bring others along.
        if watch?.takeNews() == true, try hub.wait(Self.gathering, or: -1) { return }
        if try store.hub.hasNews() { return }
      }
    }
  }
}

extension RunError {
  /// Runs `body`, whose errors of the hub and the store become errors of a run.
  package static func reportingHub<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try reportingStore(body) } catch let failure as HubFailure {
      switch failure.kind {
      case .interrupted: throw Cancellation(.interrupted)
      case .away:
        throw RunError(
          .network, failure.message, help: "the library works without it; try again later")
      case .refused:
        throw RunError(
          .denied, failure.message, help: "check the service, the login and its rights with psql")
      }
    }
  }
}
