package import CEL
import Engine
import Glibc
import Items
import Source
package import Store

/// Takes jobs from the queue and does them, one after the other, and looks after automations.
package final class Worker {
  /// How a worker works.
  package struct Options {
    /// Whether it ends when nothing is left to do now.
    package var isOnce = false
    /// Whether it looks after automations.
    package var hasAutomations = true
    /// Whether it takes jobs whatever of the machine they wait for, as a person asked for them now.
    package var isForced = false
    /// Which jobs it takes.
    package var selection = JobSelection()
    /// The folders of definitions, whose changes are news.
    package var definitionFolders: [String] = []
    /// Folders in which something may come to lie that brings jobs.
    package var intakeFolders: [String] = []

    package init() {}
  }

  /// What a worker did in all.
  package struct Summary: Equatable {
    package var done = 0
    package var failed = 0
    package var putBack = 0
    /// How many of those that are done told of something that could not be.
    package var doneInPart = 0
  }

  /// How often it is looked for what no event tells, such as mains that come back, in microseconds.
  private static let look: Int64 = 30_000_000
  /// How long to wait after the store could not be used, in microseconds.
  private static let recovery: Int64 = 10_000_000

  /// For how long the machine is believed to have what it had, in microseconds.
  private static let constancy: Int64 = 1_000_000
  /// How many jobs are put back before a pass ends.
  private static let patience = 32

  private let options: Options
  private let world: any WorkerWorld
  private let log: WorkerLog
  /// Makes the session anew when definitions or the store are others.
  private let makeSession: () throws -> WorkerSession
  /// What tells the definitions from others.
  private let fingerprint: () -> String
  /// What else brings jobs, such as shares that came in; gives when to look again, if ever.
  package var intake: ((WorkerSession) throws -> Timestamp?)?
  /// Hears of each session that was made.
  package var didMakeSession: ((WorkerSession) -> Void)?
  /// Hears that a job begins and has ended.
  package var willPerform: (WorkerSession, Job) -> Void = { _, _ in }
  package var didPerform: (Job, JobRunner.End?) -> Void = { _, _ in }
  /// Hears why a job has failed.
  package var didFail: (Job, String) -> Void = { _, _ in }
  private var session: WorkerSession?
  private var feed: AutomationFeed?
  private var knownFingerprint = ""
  /// Whether jobs wait for something of the machine that is not there.
  private var waitsForMachine = false
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

  /// Works until it is to end; with `isOnce` until nothing is left to do now.
  ///
  /// - Throws: what keeps it from beginning; later faults are waited out, unless it works once.
  package func run() throws {
    _ = try currentSession()
    log.note("worker begins", [("process", .int(Int64(getpid())))])
    while !world.isEnding {
      do {
        let before = summary
        let next = try pass()
        if world.isEnding { break }
        if options.isOnce {
          // A pass that many jobs were put back in has left others, unless it did none.
          if summary.putBack - before.putBack < Self.patience || summary.done == before.done {
            break
          }
          continue
        }
        world.wait(
          until: next,
          watching: (feed?.folders ?? []) + options.definitionFolders + options.intakeFolders,
          forMachine: waitsForMachine)
      } catch let error where !options.isOnce && Self.mayPass(error) {
        log.note("the store can't be used", level: .error, [("error", .string("\(error)"))])
        endSession()
        world.wait(
          until: Timestamp(microseconds: world.now.microseconds + Self.recovery), watching: [],
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

  /// Does all there is to do now; when to look again.
  package func pass() throws -> Timestamp? {
    let session = try currentSession()
    let store = session.store
    store.session.enqueuedJobs.removeAll(keepingCapacity: true)
    try store.jobs.mendDelays()
    var next = try feedJobs(session)
    var available = world.available()
    var lookedAt = world.now.microseconds
    // What is put back again and again leaves room for others.
    var refused = 0
    while !world.isEnding, refused < Self.patience,
      let job = try take(from: store, options.isForced ? Requirement.allCases : available)
    {
      willPerform(session, job)
      var end: JobRunner.End?
      defer { didPerform(job, end) }
      end = try JobRunner(session, world, log, didFail: didFail).perform(job)
      try store.database.endSession()
      switch end {
      case .done?: summary.done += 1
      case .doneInPart?:
        summary.done += 1
        summary.doneInPart += 1
      case .failed?, .givenUp?: summary.failed += 1
      case .putBack?, .lost?, nil:
        summary.putBack += 1
        refused += 1
      }
      if !world.isEnding { next = try feedJobs(session) }
      // To ask the kernel takes as long as a small job.
      let now = world.now.microseconds
      if end != .done || !(lookedAt..<lookedAt + Self.constancy).contains(now) {
        (available, lookedAt) = (world.available(), now)
      }
    }
    return try wake(next, store, world.available())
  }

  /// Takes a job in a transaction that stays open until its run has begun, or the job is put back.
  ///
  /// It does not wait for the disk: where a power cut takes it the job waits, as it does when its
  /// worker dies. What a durable run commits before it reaches outside brings it to the disk.
  private func take(from store: EntityStore, _ available: [Requirement]) throws -> Job? {
    try store.database.begin(WriteSession(), "worker", waitsForDisk: false)
    let job = try store.jobs.take(having: available, among: options.selection)
    if job == nil { try store.database.endSession() }
    return job
  }

  /// The earliest of what is to be looked at by the clock.
  private func wake(
    _ next: Timestamp?, _ store: EntityStore, _ available: [Requirement]
  ) throws -> Timestamp? {
    var next = next
    func note(_ time: Timestamp) { next = min(next ?? time, time) }
    if let due = try store.jobs.nextDue(having: available) {
      // One that is due and was not taken waits for another of its handler.
      note(Timestamp(microseconds: max(due, world.now.microseconds + 1_000_000)))
    }
    waitsForMachine = try store.jobs.missingRequirements().contains { !available.contains($0) }
    if try waitsForMachine || store.jobs.isAnyRunning() {
      note(Timestamp(microseconds: world.now.microseconds + Self.look))
    }
    return next
  }

  private func feedJobs(_ session: WorkerSession) throws -> Timestamp? {
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
    session?.store.database.shutDown()
    session = nil
    feed = nil
  }

  /// Whether a fault may pass by itself: a full disk, a lock, a store that was replaced.
  private static func mayPass(_ error: any Error) -> Bool {
    switch error {
    case let error as StoreError: error.code != .bug
    case let error as RunError: error.code == .store || error.code == .io || error.code == .busy
    case is Diagnostics: true
    default: false
    }
  }
}
