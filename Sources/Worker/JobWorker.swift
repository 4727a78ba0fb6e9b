package import CEL
import Engine
import Glibc
import Items
import POSIX
import Source
package import Store

/// Runs the jobs of the queue, one at a time, and triggers automations.
///
/// `Worker` owns background work: running queued jobs, triggering automations, and reading the
/// machine state that jobs require.
package final class JobWorker {
  /// Options of a worker.
  package struct Options {
    /// Whether it ends when no job is ready.
    package var isOnce = false
    /// Whether it triggers automations.
    package var hasAutomations = true
    /// Whether it runs jobs regardless of the machine state they require.
    package var isForced = false
    /// The jobs to run.
    package var selection = JobSelection()
    /// The definition folders to watch for changes.
    package var definitionFolders: [String] = []

    package init() {}
  }

  /// The numbers of jobs handled so far.
  package struct Summary: Equatable {
    package var done = 0
    package var failed = 0
    package var putBack = 0
    /// The number of done jobs that reported a partial failure.
    package var doneInPart = 0
  }

  /// The poll interval for conditions without an event (such as mains power).
  private static let pollInterval = Duration.seconds(30)
  /// The delay before retrying after the store was unavailable.
  private static let retryDelay = Duration.seconds(10)

  /// The validity of a reading of the machine state.
  private static let machineStateLifetime = Duration.seconds(1)
  /// The first and the longest delay between two attempts during a network outage.
  private static let firstOutageDelay = Duration.seconds(60)
  private static let longestOutageDelay = Duration.seconds(900)
  /// The number of jobs put back after which a pass ends.
  private static let maxPutBacks = 32

  private let options: Options
  private let world: any WorkerWorld
  private let log: WorkerLog
  /// Makes a new session after definitions or the store have changed.
  private let makeSession: () throws -> WorkerSession
  /// Returns a value that changes with the definitions.
  private let fingerprint: () -> String
  /// Another source of jobs, such as shares; returns the time of the next check, if any.
  package var intake: ((WorkerSession) throws -> Timestamp?)?
  /// The folders to watch for it.
  package var intakeFolders: () -> [String] = { [] }
  /// Called with each new session.
  package var didMakeSession: ((WorkerSession) -> Void)?
  /// Called before and after each job.
  package var willPerform: (WorkerSession, Job) -> Void = { _, _ in }
  package var didPerform: (Job, JobRunner.End?) -> Void = { _, _ in }
  /// Called with the reason when a job fails.
  package var didFail: (Job, String) -> Void = { _, _ in }
  /// Called with the reason when an automation begins to fail, once for all failures in a row.
  package var didBeginFailing: (WorkerSession, Job, String) -> Void = { _, _, _ in }
  private var session: WorkerSession?
  private var feed: AutomationFeed?
  private var knownFingerprint = ""
  /// Whether jobs are waiting for a machine state.
  private var waitsForMachine = false
  /// The network outage that a job found; one job at a time retries while all other jobs wait.
  private var outage: (retry: Timestamp, delay: Duration)?
  private(set) package var summary = Summary()

  package init(
    _ options: Options, _ world: any WorkerWorld, _ log: WorkerLog,
    fingerprint: @escaping () -> String = { "" },
    makeSession: @escaping () throws -> WorkerSession
  ) {
    self.options = options
    self.world = world
    self.log = log
    self.fingerprint = fingerprint
    self.makeSession = makeSession
  }

  /// Runs until asked to end or, with `isOnce`, until no job is ready.
  ///
  /// - Throws: Errors at the start; later errors are retried, unless `isOnce`.
  package func run() throws {
    _ = try currentSession()
    log.note("worker begins", [("process", .int(Int64(getpid())))])
    while !world.isEnding {
      do {
        let before = summary
        let next = try pass()
        if world.isEnding { break }
        if options.isOnce {
          // After many put-backs, other jobs may be ready, unless the pass did none.
          if summary.putBack - before.putBack < Self.maxPutBacks || summary.done == before.done {
            break
          }
          continue
        }
        world.wait(
          until: next,
          watching: (feed?.folders ?? []) + options.definitionFolders + intakeFolders(),
          forMachine: waitsForMachine || feed?.watchesNetwork == true)
      } catch let error where !options.isOnce && Self.isTemporary(error) {
        log.note("the store cannot be used", level: .error, [("error", .string("\(error)"))])
        endSession()
        world.wait(
          until: Timestamp(microseconds: world.now.microseconds + Self.retryDelay.microseconds),
          watching: [],
          forMachine: false)
      }
    }
    session?.store.jobs.seats?.leave()
    log.note(
      "worker ends",
      [
        ("done", .int(Int64(summary.done))), ("failed", .int(Int64(summary.failed))),
        ("put_back", .int(Int64(summary.putBack))),
      ])
  }

  /// Runs all jobs that are ready; returns the time of the next check.
  package func pass() throws -> Timestamp? {
    let session = try currentSession()
    let store = session.store
    store.session.enqueuedJobs.removeAll(keepingCapacity: true)
    try store.jobs.repairDelays()
    var next = try enqueueJobs(session)
    var available = available()
    var readAt = world.now.microseconds
    store.jobs.goOn(among: options.selection) { [world, options] in
      // After a long job, the machine state must be read again.
      let age = world.now.microseconds - readAt
      if world.isEnding || !(0..<Self.machineStateLifetime.microseconds).contains(age) {
        return nil
      }
      return options.isForced ? Requirement.allCases : available
    }
    // Without this, a job not put back would count as interrupted by a crash of this process.
    defer { try? store.jobs.stop() }
    // Stop after too many put-backs, so that a blocked handler cannot starve other jobs.
    var refused = 0
    while !world.isEnding, refused < Self.maxPutBacks,
      let job = try take(from: store, options.isForced ? Requirement.allCases : available)
    {
      willPerform(session, job)
      var end: JobRunner.End?
      defer { didPerform(job, end) }
      var reason = ""
      var runner = JobRunner(session, world, log) { [didFail] in
        reason = $1
        didFail($0, $1)
      }
      runner.isCutOff = outage != nil
      runner.outageDelay = nextOutageDelay
      end = try runner.perform(job)
      try store.endSession()
      note(end, of: job)
      if let end, feed?.noteEnd(of: job, end) == true { didBeginFailing(session, job, reason) }
      switch end {
      case .done?: summary.done += 1
      case .doneInPart?:
        summary.done += 1
        summary.doneInPart += 1
      case .failed?, .givenUp?: summary.failed += 1
      case .putBack?, .cutOff?, .lost?, nil:
        summary.putBack += 1
        refused += 1
      }
      if !world.isEnding { next = try enqueueJobs(session) }
      // Reading the machine state takes as long as a small job.
      let now = world.now.microseconds
      if end != .done || !(readAt..<readAt + Self.machineStateLifetime.microseconds).contains(now) {
        (available, readAt) = (self.available(), now)
      }
    }
    return try wake(next, store, self.available())
  }

  // MARK: Outages

  /// The requirements that are met; no network during an outage, until it is tried again.
  private func available() -> [Requirement] {
    let available = world.available()
    // A new route is a reason to try at once.
    if !available.contains(.network) { outage = nil }
    guard let outage, !options.isForced, world.now < outage.retry else { return available }
    return available.filter { $0 != .network }
  }

  private var nextOutageDelay: Duration {
    outage.map { min($0.delay * 2, Self.longestOutageDelay) } ?? Self.firstOutageDelay
  }

  /// Begins, prolongs or ends an outage after a job.
  private func note(_ end: JobRunner.End?, of job: Job) {
    if end == .cutOff {
      let delay = nextOutageDelay
      if outage == nil {
        log.note("the network is away; jobs that need it wait for one that tries", level: .warning)
      }
      outage = (Timestamp(microseconds: world.now.microseconds + delay.microseconds), delay)
    } else if outage != nil, job.requires.contains(.network),
      [.done, .doneInPart].contains(end)
    {
      outage = nil
      log.note("the network is back")
    }
  }

  /// Takes a job in a transaction that stays open until its run begins or the job is put back.
  ///
  /// Commits without waiting for the disk: after a power loss the job is waiting again, as after a
  /// crash of its worker. The commits of a durable run before external effects also make it
  /// durable.
  private func take(from store: Database, _ available: [Requirement]) throws -> Job? {
    try store.begin(WriteSession(), "worker", waitsForDisk: false)
    let job = try store.jobs.take(having: available, among: options.selection)
    if job == nil { try store.endSession() }
    return job
  }

  /// The earliest time at which something must be checked.
  private func wake(
    _ next: Timestamp?, _ store: Database, _ available: [Requirement]
  ) throws -> Timestamp? {
    var next = next
    func note(_ time: Timestamp) { next = min(next ?? time, time) }
    if let due = try store.jobs.nextDue(having: available, among: options.selection) {
      // A due job that was not taken is waiting for another job of its handler.
      note(Timestamp(microseconds: max(due, world.now.microseconds + 1_000_000)))
    }
    if let outage { note(max(outage.retry, world.now)) }
    waitsForMachine = try store.jobs.missingRequirements().contains { !available.contains($0) }
    if try waitsForMachine || store.jobs.isAnyRunning() {
      note(Timestamp(microseconds: world.now.microseconds + Self.pollInterval.microseconds))
    }
    return next
  }

  private func enqueueJobs(_ session: WorkerSession) throws -> Timestamp? {
    let again = try intake?(session)
    let next = options.hasAutomations ? try feed?.look() : nil
    return [again, next].compactMap { $0 }.min()
  }

  private func currentSession() throws -> WorkerSession {
    let print = fingerprint()
    if let session, print == knownFingerprint { return session }
    if session != nil {
      endSession()
      log.note("definitions have changed")
    }
    let made = try makeSession()
    session = made
    knownFingerprint = print
    didMakeSession?(made)
    if options.hasAutomations {
      let feed = AutomationFeed(made, world, log)
      try feed.forgetOthers()
      self.feed = feed
    }
    return made
  }

  private func endSession() {
    session?.store.jobs.seats?.leave()
    session?.store.shutDown()
    session = nil
    feed = nil
  }

  /// Whether an error may be temporary: a full disk, a lock, a replaced store.
  private static func isTemporary(_ error: any Error) -> Bool {
    switch error {
    case let error as StoreError: error.code != .bug
    case let error as RunError: error.code == .store || error.code == .io || error.code == .busy
    case is Diagnostics: true
    default: false
    }
  }
}
