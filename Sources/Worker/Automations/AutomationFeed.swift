package import CEL
import Catalog
import Engine
import Items
import JSON
import POSIX
package import Program
import Source
package import Store

/// Enqueues jobs for the events that trigger automations.
///
/// Progress is stored as cursors. A cursor and the jobs from advancing it are committed in one
/// transaction, so that each job is enqueued once, however many workers run.
package final class AutomationFeed {
  /// The number of log entries to read at a time.
  static let batch = 500
  /// The number of log entries without a match after which a cursor is saved.
  static let lag: Int64 = 200
  /// The limit on how often an automation may trigger itself in a chain.
  static let maxSelfTriggers = 3
  /// The delay before an unreadable folder is tried again.
  private static let retryDelay = Duration.seconds(60)
  /// The number of failures in a row after which a schedule rests, its first rest, and the longest.
  private static let failuresBeforeRest = 3
  private static let firstRest = Duration.seconds(60)
  private static let longestRest = Duration.seconds(3_600)
  /// The number of vanished files that a folder's cursor remembers.
  private static let keptFiles = 500

  let session: WorkerSession
  let world: any WorkerWorld
  private let log: WorkerLog
  private(set) var triggers: [ActiveTrigger] = []
  private(set) var cursors: [String: AutomationCursor] = [:]
  /// The log positions read so far, for cursors that are not saved at each read.
  var readUpTo: [String: Int64] = [:]
  /// The position in the log at the last look for what is due, and the time of the next, by cursor.
  var dueLooks: [String: (sequence: Int64, next: Timestamp?)] = [:]
  /// The automations whose failure was logged.
  private var reported: Set<String> = []
  /// The failures in a row of each automation, and the end of the rest that follows them.
  private var failures: [String: (count: Int, restEnd: Timestamp)] = [:]
  private(set) lazy var run = session.makeRun(session.workspace, nil)

  /// A trigger of an automation.
  struct ActiveTrigger {
    let name: String
    let action: CompiledAction
    let trigger: CompiledTrigger
    /// The name of its cursor.
    var cursor: String { AutomationFeed.name(of: trigger, name) }
  }

  /// Creates the feed of a session's automations; logs and skips those with mistakes.
  package init(_ session: WorkerSession, _ world: any WorkerWorld, _ log: WorkerLog) {
    self.session = session
    self.world = world
    self.log = log
    for name in session.catalog.automationNames {
      do {
        let action = try session.workspace.automation(name)
        guard let automation = action.definition.automation, automation.isEnabled else { continue }
        if automation.isOncePerHub, try session.store.hub.membership() == nil {
          log.note("automation rests: this library has no hub", [("automation", .string(name))])
          continue
        }
        triggers += action.triggers.map { ActiveTrigger(name: name, action: action, trigger: $0) }
      } catch {
        let message = (error as? Diagnostics).map { $0.all.first?.message ?? "" } ?? "\(error)"
        report("automation left out", of: name, message)
      }
    }
  }

  /// The folders watched by `file` triggers.
  package var folders: [String] {
    triggers.compactMap { armed in
      if case .file(let folder, _) = armed.trigger.event { world.expanded(folder) } else { nil }
    }
  }

  /// Whether a trigger depends on the network.
  package var watchesNetwork: Bool {
    triggers.contains {
      switch $0.trigger.event {
      case .machine(.online), .machine(.offline): true
      default: false
      }
    }
  }

  /// Records the end of a job, so that a schedule that fails each time rests longer and longer.
  ///
  /// - Returns: Whether it is the first of failures in a row.
  package func noteEnd(of job: Job, _ end: JobRunner.End) -> Bool {
    let name = job.handler
    guard job.origin == "automation \(name)" else { return false }
    switch end {
    case .done, .doneInPart: failures[name] = nil
    case .failed, .putBack, .cutOff, .lost: break
    case .givenUp:
      let count = (failures[name]?.count ?? 0) + 1
      var restEnd = world.now
      if count >= Self.failuresBeforeRest {
        // 16 doublings reach the longest rest.
        let steps = min(count - Self.failuresBeforeRest, 16)
        let rest = min(Self.firstRest * (1 << steps), Self.longestRest)
        restEnd = Timestamp(microseconds: restEnd.microseconds + rest.microseconds)
        log.note(
          "automation rests", level: .warning,
          [
            ("automation", .string(name)), ("failures", .int(Int64(count))),
            ("until", .string(restEnd.jsonText)),
          ])
      }
      failures[name] = (count, restEnd)
      return count == 1
    }
    return false
  }

  /// Deletes cursors of removed automations, and jobs that wait for a condition of theirs.
  package func forgetOthers() throws {
    let known = Set(triggers.map(\.cursor) + triggers.map { JobQueue.dayCursor(of: $0.name) })
    try session.store.jobs.removeCursors(
      session.store.jobs.cursors().keys.filter { !known.contains($0) })
    let kept = Set(triggers.map(\.name)).map { name in
      (
        name,
        triggers.filter { $0.name == name && $0.trigger.hold != nil }.map(\.trigger.holdPrefix)
      )
    }
    try session.store.jobs.withdrawHeld(except: Dictionary(uniqueKeysWithValues: kept))
  }

  /// Checks all triggers and enqueues the resulting jobs.
  ///
  /// - Returns: The time of the next check; nil if no trigger depends on time.
  package func look() throws -> Timestamp? {
    guard !triggers.isEmpty else { return nil }
    cursors = try session.store.jobs.cursors()
    return try triggers.compactMap { armed in
      do { return try check(armed) } catch let error as RunError
        where ![.store, .io, .busy].contains(error.code)
      {
        // A failing automation must not block other automations, and is logged once.
        if reported.insert(armed.name).inserted {
          report("automation failed", of: armed.name, error.message)
        }
        return nil
      }
    }.min()
  }

  func report(
    _ message: String, of name: String, _ error: String, level: WorkerLog.Level = .error
  ) {
    log.note(message, level: level, [("automation", .string(name)), ("error", .string(error))])
  }

  /// Checks a trigger; returns the time of the next check.
  private func check(_ armed: ActiveTrigger) throws -> Timestamp? {
    let event = armed.trigger.event
    let host = run.host
    if let schedule = AutomationSchedule(
      event, host.clock, home: host.home(), holidays: host.holidays())
    {
      if let lack = schedule.lack { throw RunError(.failed, "its times need \(lack)") }
      return try check(schedule, armed)
    }
    switch event {
    case .created(let entity):
      try checkChanges(of: entity, [.create, .createMany], armed)
    case .changed(let entity):
      let kinds: [Change.Kind] =
        armed.trigger.hold == nil
        ? [.update] : [.create, .createMany, .update, .delete, .deleteMany]
      try checkChanges(of: entity, kinds, armed)
    case .machine(let happening): return try check(happening, armed)
    case .due(let due): return try check(due, armed)
    case .file(let folder, let match):
      if try !checkFiles(folder, match, armed) {
        return Timestamp(microseconds: world.now.microseconds + Self.retryDelay.microseconds)
      }
    case .every, .days, .cron, .share, .webhook: break
    }
    return nil
  }

  /// Whether a trigger fires at a time of day.
  func admits(_ armed: ActiveTrigger, _ time: Timestamp) -> Bool {
    armed.trigger.admits(time, in: run.host.clock)
  }

  /// The name of the cursor of an automation's trigger.
  package static func name(of trigger: CompiledTrigger, _ automation: String) -> String {
    "\(automation) \(trigger.key)"
  }

  // MARK: Clock

  private func check(_ schedule: AutomationSchedule, _ armed: ActiveTrigger) throws -> Timestamp {
    let trigger = armed.trigger
    let old = cursors[armed.cursor]
    let look = schedule.look(at: world.now, last: old?.last)
    guard look.last != old?.last else { return look.next }
    let cursor = AutomationCursor(name: armed.cursor, last: look.last)
    try commit(cursor, from: old) {
      guard let due = look.due, admits(armed, due),
        world.now >= failures[armed.name]?.restEnd ?? due
      else { return [] }
      // While the previous job is waiting, no further one is enqueued, since they have the same key.
      let job = try job(armed, trigger.value(time: .timestamp(due)), key: trigger.key)
      return [dueJob(job, armed, occasion: schedule.occasion(of: due))]
    }
    return look.next
  }

  // MARK: Folders

  /// Checks a folder; false if it cannot be read.
  private func checkFiles(
    _ folder: String, _ match: String?, _ armed: ActiveTrigger
  ) throws -> Bool {
    let path = world.expanded(folder)
    guard let files = world.files(in: path) else { return false }
    let pattern = match.map(GlobPattern.init)
    let seen = files.filter { pattern?.matches(name: $0.name, path: $0.name) ?? true }
    let state = seen.map { "\($0.size) \($0.modified.microseconds) \($0.name.lineEscaped)" }
    let old = cursors[armed.cursor]
    // A file that reappears unchanged, such as one whose move was undone, is not a new one; the
    // lines of vanished files begin with a minus.
    let lines = (old?.state ?? "").split(separator: "\n").map {
      String($0.hasPrefix("-") ? $0.dropFirst() : $0)
    }
    let known = Set(lines)
    let present = Set(state)
    let vanished = lines.filter { !present.contains($0) }.suffix(Self.keptFiles).map { "-" + $0 }
    let text = (vanished + state).joined(separator: "\n")
    guard old == nil || text != old?.state else { return true }
    var cursor = AutomationCursor(name: armed.cursor, state: text)
    cursor.last = old?.last
    try commit(cursor, from: old) {
      // Files that exist at the first check do not count.
      guard old != nil, admits(armed, world.now) else { return [] }
      return try zip(seen, state).filter { !known.contains($0.1) }.map { file, line in
        let value = armed.trigger.value(
          time: .timestamp(world.now), path: .string(path + "/" + file.name))
        return dueJob(try job(armed, value, key: "file \(line)"), armed, occasion: line)
      }
    }
    return true
  }

  // MARK: Jobs

  /// A job of an automation.
  struct DueJob {
    let job: NewJob
    /// The name of the event on all machines, if only a single one handles it; nil if all do.
    let occasion: String?
    /// The effect on the queue.
    var effect = Effect.enqueue

    enum Effect {
      /// It is put into the queue.
      case enqueue
      /// It takes the place of the job that waits under its key.
      case renew
      /// The job that waits under its key is taken back.
      case withdraw
    }
  }

  func dueJob(_ job: NewJob, _ armed: ActiveTrigger, occasion: String) -> DueJob {
    guard let automation = armed.action.definition.automation, automation.isOncePerHub else {
      return DueJob(job: job, occasion: nil)
    }
    return DueJob(
      job: job, occasion: job.day.map { "day \($0)" } ?? "\(armed.trigger.key) \(occasion)")
  }

  func job(_ armed: ActiveTrigger, _ trigger: Value, key: String) throws -> NewJob {
    try run.job(of: armed.action, trigger, key: key)
  }

  /// Moves a cursor and enqueues the jobs; false if another worker moved it first.
  @discardableResult
  func commit(
    _ cursor: AutomationCursor, from old: AutomationCursor?, _ jobs: () throws -> [DueJob]
  ) throws -> Bool {
    let jobs = try jobs()
    struct Superseded: Error {}
    do {
      try session.store.transaction {
        guard try session.store.jobs.move(cursor, from: old) else { throw Superseded() }
        for due in jobs { try enqueue(due) }
      }
    } catch is Superseded {
      return false
    }
    for due in jobs { note(due) }
    return true
  }

  /// Puts a job into the queue, or changes the one that waits, within the open transaction.
  ///
  /// - Returns: Its number; nil if it is not a new one of this machine.
  @discardableResult
  func enqueue(_ due: DueJob) throws -> Int64? {
    switch due.effect {
    case .renew: try session.store.jobs.renew(due.job)
    case .withdraw: try session.store.jobs.withdraw(due.job)
    case .enqueue:
      guard let occasion = due.occasion else { return try session.store.jobs.enqueue(due.job) }
      try session.store.hub.jobs.claim(due.job, occasion: occasion)
    }
    return nil
  }

  private func note(_ due: DueJob) {
    guard due.effect == .enqueue else { return }
    log.note(
      due.job.refusal ?? "automation set off", level: due.job.refusal == nil ? .info : .error,
      [("automation", .string(due.job.handler))])
  }
}

extension String {
  /// The text with line breaks escaped, for use in a list of lines.
  fileprivate var lineEscaped: String {
    guard utf8.contains(where: { $0 == 0x0A || $0 == 0x5C }) else { return self }
    var text = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "\n": text += "\\n"
      case "\\": text += "\\\\"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
