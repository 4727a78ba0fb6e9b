import CEL
import CLinux
import Engine
import ErrandKit
import Glibc
import Items
import POSIX
import Program
import Source
import Store
import Worker

/// `errand hub sync`.
extension HubCommand {
  func sync() throws {
    try Reexec.goOnWithRecordedRun(invocation)
    let (run, member) = try membership()
    guard arguments.isOn("follow") else {
      return try sync(run, connect(service: member.service))
    }
    if let text = ProcessEnvironment.value(HubFollower.parentVariable), let parent = Int32(text) {
      // Started by a worker, and of no use without it.
      guard errand_end_with_parent() == 0, getppid() == parent else { return }
    }
    invocation.say("Sending and merging changes as they come. Ctrl-C ends it.")
    invocation.console.flush()
    guard let lock = try HubLock(run.store(), "hub-follow").wait(for: nil) else { return }
    defer { lock.release() }
    try follow(run, member)
  }

  func sync(_ run: Run, _ hub: any HubConnection) throws {
    let progress = ProgressLine(console: invocation.console, label: "syncing")
    defer { progress.clear() }
    let outcome = try syncOnce(run, hub) {
      progress.update(done: $0.sent + $0.received, fraction: nil)
    }
    progress.clear()
    try tell(outcome)
  }

  /// Syncs once; processes that sync one library take turns.
  private func syncOnce(
    _ run: Run, _ hub: any HubConnection, progress: @escaping (HubSync.Outcome) -> Void = { _ in }
  ) throws -> HubSync.Outcome {
    let store = try run.store()
    var unable: [Int64] = []
    let outcome = try inTurn(store) {
      var sync = HubSync(store, hub, progress: progress)
      sync.revert = { number in
        guard let record = try store.runs.run(number) else { return }
        do { _ = try run.undo(.run(record.id)) { _, _ in } } catch { unable.append(number) }
      }
      let outcome = try sync.run()
      try HubFiles(run: run, store: store, hub: hub).send()
      return outcome
    }
    for job in outcome.lostJobs { tellOfLostJob(job.handler, job.run, run, unable) }
    return outcome
  }

  /// Runs `body` while no other process syncs the library, and words the failures of the hub.
  private func inTurn<Result>(_ store: Database, _ body: () throws -> Result) throws -> Result {
    guard let lock = try HubLock(store, "hub-sync").wait(for: Self.patience) else {
      throw RunError(.busy, "another process is syncing this library")
    }
    defer { lock.release() }
    return try reporting(body)
  }

  /// The longest wait for another process that syncs the library.
  private static let patience = Duration.seconds(60)

  /// Tells that another machine does a job that this one had begun.
  private func tellOfLostJob(
    _ handler: String, _ number: Int64?, _ run: Run, _ unable: [Int64]
  ) {
    defer { invocation.console.flush() }
    let name = number.map { "run \($0) of `\(handler)`" } ?? "`\(handler)`"
    guard let number, unable.contains(number) else {
      invocation.console.err(
        "errand: another machine does \(name) now; its changes here were reverted\n")
      return
    }
    let text =
      "another machine did \(name), too; its changes here stay, since something was built on them"
    invocation.console.err("errand: \(text)\n")
    let notification = DesktopNotification(
      title: "A job was done twice", text: text, urgency: .normal, actions: [])
    _ = run.host.keepNotification(notification, [])
  }

  func tell(_ outcome: HubSync.Outcome) throws {
    guard invocation.mode.isPlain else {
      return try invocation.resultWriter.write(
        .record([
          "sent": outcome.sent, "received": outcome.received,
          "changed": outcome.changed, "conflicts": outcome.conflicts,
          "strays": outcome.strays,
        ]))
    }
    if outcome.strays > 0 {
      invocation.say(
        "\(outcome.strays.counted("row")) of the hub with numbers that it never gave: nobody reads "
          + "them; the hub's owner removes them with `errand hub init`.")
    }
    if outcome.wasRestored {
      invocation.say("The hub was restored from a backup, so all was compared again.")
    }
    if outcome.wasCopied {
      invocation.say("This library is a copy of another machine's and is now one of its own.")
    }
    let sent = outcome.sent.counted("change")
    let changed = outcome.changed.counted("item")
    invocation.say(
      outcome.changed == 0
        ? "Sent \(sent); nothing new here." : "Sent \(sent); \(changed) changed here.")
    if outcome.conflicts > 0 {
      invocation.say(
        "\(outcome.conflicts.counted("conflict")): `errand hub conflicts` shows what was merged.")
    }
  }

  // MARK: Following

  /// The longest time between two syncs of a follower.
  private static let longestPause = Duration.seconds(30)
  /// The time in which several changes of this machine become one push.
  private static let gathering = Duration.milliseconds(50)
  /// The number of jobs of the hub that a worker may have.
  private static let jobsPerWorker = 4

  /// Syncs whenever the hub or the library has something new, until the person ends it.
  private func follow(_ run: Run, _ member: HubStore.Membership) throws {
    let store = try run.store()
    let watch = store.watch()
    var delay = Duration.seconds(1)
    while true {
      do {
        let hub = try connect(service: member.service)
        try reporting { try hub.listen() }
        while true {
          let outcome = try syncOnce(run, hub)
          delay = .seconds(1)
          if outcome.sent + outcome.changed > 0 {
            try tell(outcome)
            invocation.console.flush()
          }
          if try takeJobs(store, hub) == 0 { try waitForNews(hub, watch, store) }
        }
      } catch let error as RunError where error.code == .network || error.code == .busy {
        invocation.console.err(
          "errand: \(error.message); trying again in \(delay.components.seconds) s\n")
        invocation.console.flush()
        try Self.pause(delay)
        delay = min(delay * 2, Self.longestPause)
      }
    }
  }

  /// - Throws: `Cancellation` when the person ends the wait.
  static func pause(_ time: Duration) throws {
    var descriptor = pollfd(fd: Interruption.run.pollDescriptor, events: Int16(POLLIN), revents: 0)
    if poll(&descriptor, 1, Int32(clamping: time.milliseconds)) > 0 {
      throw Cancellation(.interrupted)
    }
  }

  /// Takes jobs for the workers of this library, if it has any.
  private func takeJobs(_ store: Database, _ hub: any HubConnection) throws -> Int {
    let workers = try reporting { try store.jobs.seats?.others().count ?? 0 }
    guard workers > 0 else { return 0 }
    return try inTurn(store) {
      var sync = HubSync(store, hub)
      sync.didRefuse = tellOfDeadJobs
      return try sync.takeJobs(
        limit: workers * Self.jobsPerWorker, having: invocation.machineState.available())
    }
  }

  /// Tells which jobs of other machines cannot be read, a line for each sender and name.
  private func tellOfDeadJobs(_ jobs: [(handler: String, sender: String)]) {
    let groups = Dictionary(grouping: jobs) { "`\($0.handler)` from \($0.sender)".inOneLine }
    for (name, jobs) in groups.sorted(by: { $0.key < $1.key }) {
      invocation.console.err(
        "errand: \(jobs.count.counted("job")) of the hub for \(name) cannot be read and "
          + "\(jobs.count == 1 ? "is" : "are") dead; `errand queue --hub` lists them\n")
    }
    invocation.console.flush()
  }

  /// Waits until the hub gives a sign, the library changed, or leases must be renewed.
  private func waitForNews(
    _ hub: any HubConnection, _ watch: StoreWatch?, _ store: Database
  ) throws {
    let isHolding = try reporting { try store.hub.jobs.openCount() > 0 }
    let longest = isHolding ? min(hub.leaseTime / 3, Self.longestPause) : Self.longestPause
    let end = MonotonicClock.nanoseconds + longest.nanoseconds
    while MonotonicClock.nanoseconds < end {
      let rest = Duration.nanoseconds(max(0, end - MonotonicClock.nanoseconds))
      let pause = min(rest, StoreWatch.patience)
      if try reporting({ try hub.wait(pause, or: watch?.descriptor ?? -1) }) { return }
      // A write is seen before its commit, which may bring others along.
      if watch?.takeNews() == true, try reporting({ try hub.wait(Self.gathering, or: -1) }) {
        return
      }
      if try reporting({ try store.hub.hasNews() }) { return }
    }
  }
}
