package import CEL
import Catalog
import Engine
import Items
package import Program
import Source
import Store

/// Puts a job into the queue for each thing that sets an automation off.
///
/// What was seen is kept in the store as cursors. A cursor and the jobs that come of moving it are one
/// transaction, so that each job exists once however many workers look.
package final class AutomationFeed {
  /// How many entries of the log are looked at in one go.
  private static let batch = 500
  /// How far a cursor may be behind what was looked at without anything found there.
  private static let lag: Int64 = 200
  /// How often an automation may set itself off in a row.
  private static let rounds = 3
  /// How long to wait for the files of a folder that can't be read, in microseconds.
  private static let retryDelay: Int64 = 60_000_000

  private let session: WorkerSession
  private let world: any WorkerWorld
  private let log: WorkerLog
  private var triggers: [Armed] = []
  private var cursors: [String: AutomationCursor] = [:]
  /// How far the log was looked at, for cursors that stay behind.
  private var looked: [String: Int64] = [:]
  /// The automations of which it was told that they can't work.
  private var told: Set<String> = []
  private lazy var run = session.makeRun(session.workspace, nil)

  /// One thing that sets an automation off.
  private struct Armed {
    let name: String
    let action: CompiledAction
    let trigger: CompiledTrigger
    /// What its cursor is called.
    var cursor: String { AutomationFeed.name(of: trigger, name) }
  }

  /// The feed of the automations of a session; those with mistakes are left out, and told.
  package init(_ session: WorkerSession, _ world: any WorkerWorld, _ log: WorkerLog) {
    self.session = session
    self.world = world
    self.log = log
    for name in session.library.automationNames {
      do {
        let action = try session.workspace.automation(name)
        guard action.definition.automation?.isEnabled == true else { continue }
        triggers += action.triggers.map { Armed(name: name, action: action, trigger: $0) }
      } catch {
        let message = (error as? Diagnostics).map { $0.all.first?.message ?? "" } ?? "\(error)"
        tell("automation left out", of: name, message)
      }
    }
  }

  /// The folders whose files set something off.
  package var folders: [String] {
    triggers.compactMap { armed in
      if case .file(let folder, _) = armed.trigger.event { world.expanded(folder) } else { nil }
    }
  }

  /// Forgets what was seen of automations that are no more.
  package func forgetOthers() throws {
    let known = Set(triggers.map(\.cursor))
    try session.store.jobs.removeCursors(
      session.store.jobs.cursors().keys.filter { !known.contains($0) })
  }

  /// Looks at everything, and puts in the jobs that come of it.
  ///
  /// - Returns: When to look again by the clock; nil where no clock tells.
  package func look() throws -> Timestamp? {
    guard !triggers.isEmpty else { return nil }
    cursors = try session.store.jobs.cursors()
    return try triggers.compactMap { armed in
      do { return try look(armed) } catch let error as RunError
        where ![.store, .io, .busy].contains(error.code)
      {
        // One automation that can't work keeps no other from it, and is told of once.
        if told.insert(armed.name).inserted {
          tell("automation failed", of: armed.name, error.message)
        }
        return nil
      }
    }.min()
  }

  private func tell(
    _ message: String, of name: String, _ error: String, level: WorkerLog.Level = .error
  ) {
    log.note(message, level: level, [("automation", .string(name)), ("error", .string(error))])
  }

  /// Looks at one thing that sets an automation off; when to look again by the clock.
  private func look(_ armed: Armed) throws -> Timestamp? {
    let event = armed.trigger.event
    if let schedule = AutomationSchedule(event, run.host.clock, home: run.host.home()) {
      if schedule.lacksPlace {
        throw RunError(
          .failed, "“sunrise” and “sunset” need a place: \(AutomationSchedule.placeHelp)")
      }
      return try look(schedule, armed)
    }
    switch event {
    case .created(let entity):
      try lookAtChanges(of: entity, [.create, .createMany], armed)
    case .changed(let entity): try lookAtChanges(of: entity, [.update], armed)
    case .file(let folder, let match):
      if try !lookAtFiles(folder, match, armed) {
        return Timestamp(microseconds: world.now.microseconds + Self.retryDelay)
      }
    case .every, .days, .cron, .share: break
    }
    return nil
  }

  /// What the cursor of a trigger of an automation is called.
  package static func name(of trigger: CompiledTrigger, _ automation: String) -> String {
    "\(automation) \(trigger.key)"
  }

  // MARK: The clock

  private func look(_ schedule: AutomationSchedule, _ armed: Armed) throws -> Timestamp {
    let trigger = armed.trigger
    let old = cursors[armed.cursor]
    let look = schedule.look(at: world.now, last: old?.last)
    guard look.last != old?.last else { return look.next }
    let cursor = AutomationCursor(name: armed.cursor, last: look.last)
    try commit(cursor, from: old) {
      guard let due = look.due else { return [] }
      // A time that comes while the last one still waits needs no job of its own.
      return [try job(armed, trigger.value(time: .timestamp(due)), key: trigger.key)]
    }
    return look.next
  }

  // MARK: The log of changes

  private func lookAtChanges(
    of entity: String, _ kinds: [Change.Kind], _ armed: Armed
  ) throws {
    let cursorName = armed.cursor
    let last = try session.store.changes.last()
    guard let old = cursors[cursorName] else {
      // What was changed before anybody looked does not count.
      try commit(AutomationCursor(name: cursorName, sequence: last), from: nil) { [] }
      return
    }
    // A log that was made anew begins below.
    var from = max(old.sequence, looked[cursorName] ?? 0)
    if from > last { from = last }
    var cursor = old
    while from < last {
      let changes = try session.store.changes.entries(after: from, limit: Self.batch)
      guard let end = changes.last?.sequence else { break }
      let jobs = try changes.filter { $0.entity == entity && kinds.contains($0.kind) }
        .flatMap { try self.jobs(for: $0, armed) }
      if !jobs.isEmpty || end - cursor.sequence >= Self.lag || cursor.sequence > end {
        var moved = cursor
        moved.sequence = end
        guard try commit(moved, from: cursor, { jobs }) else { return }
        cursor = moved
      }
      from = end
    }
    looked[cursorName] = from
  }

  /// The jobs for the items of one change.
  private func jobs(for change: Change, _ armed: Armed) throws -> [NewJob] {
    let store = try run.store(for: change.entity)
    return try (change.id...max(change.id, change.last)).compactMap { id in
      let states = try store.changes.states(
        of: id, in: change.entity, from: change.sequence)[change.sequence]
      guard let item = states?.after, try holds(armed, item, states?.before) else { return nil }
      let value = armed.trigger.value(
        time: .timestamp(change.time), item: .object(item),
        before: states?.before.map { .object($0) } ?? .null)
      var job = try self.job(armed, value, key: "change \(change.sequence) \(id)")
      let chain = try change.run.map { try store.jobs.chain(ofRun: $0) } ?? []
      job.chain = chain + [armed.name]
      if chain.count(where: { $0 == armed.name }) >= Self.rounds {
        job.refusal =
          "`\(armed.name)` has set itself off \(Self.rounds) times: let its `where` tell "
          + "what it has done already"
      }
      return job
    }
  }

  private func holds(_ armed: Armed, _ item: Item, _ before: Item?) throws -> Bool {
    let trigger = armed.trigger
    do {
      guard try run.holds(trigger.condition, for: item) else { return false }
      guard trigger.previousCondition != nil else { return true }
      return try before.map { try run.holds(trigger.previousCondition, for: $0) } ?? false
    } catch let error as RunError {
      tell("condition failed", of: armed.name, error.message, level: .warning)
      return false
    }
  }

  // MARK: Folders

  /// Looks at a folder; false where it can't be read.
  private func lookAtFiles(
    _ folder: String, _ match: String?, _ armed: Armed
  ) throws -> Bool {
    let path = world.expanded(folder)
    guard let files = world.files(in: path) else { return false }
    let pattern = match.map(GlobPattern.init)
    let seen = files.filter { pattern?.matches(name: $0.name, path: $0.name) ?? true }
    let state = seen.map { "\($0.size) \($0.modified.microseconds) \($0.name.lineEscaped)" }
    let old = cursors[armed.cursor]
    let known = Set((old?.state ?? "").split(separator: "\n").map(String.init))
    let text = state.joined(separator: "\n")
    guard old == nil || text != old?.state else { return true }
    var cursor = AutomationCursor(name: armed.cursor, state: text)
    cursor.last = old?.last
    try commit(cursor, from: old) {
      // Those that are there already when it is first looked at do not count.
      guard old != nil else { return [] }
      return try zip(seen, state).filter { !known.contains($0.1) }.map { file, line in
        let value = armed.trigger.value(
          time: .timestamp(world.now), path: .string(path + "/" + file.name))
        return try job(armed, value, key: "file \(line)")
      }
    }
    return true
  }

  // MARK: Jobs

  private func job(_ armed: Armed, _ trigger: Value, key: String) throws -> NewJob {
    let (name, action) = (armed.name, armed.action)
    var job = NewJob(
      handler: name, input: try run.jobText(of: trigger), key: key,
      requires: action.definition.automation?.requires ?? [], origin: "automation \(name)")
    job.chain = [name]
    job.isExclusive = action.definition.runMode == .single
    if let retry = action.jobRetry { job.retry = try run.jobRetry(of: retry) }
    return job
  }

  /// Moves a cursor and puts in the jobs that come of it; false when another worker did so first.
  @discardableResult
  private func commit(
    _ cursor: AutomationCursor, from old: AutomationCursor?, _ jobs: () throws -> [NewJob]
  ) throws -> Bool {
    let jobs = try jobs()
    struct Overtaken: Error {}
    do {
      try session.store.database.transaction {
        guard try session.store.jobs.move(cursor, from: old) else { throw Overtaken() }
        for job in jobs { _ = try session.store.jobs.enqueue(job) }
      }
    } catch is Overtaken {
      return false
    }
    for job in jobs {
      log.note(
        job.refusal ?? "automation set off", level: job.refusal == nil ? .info : .error,
        [("automation", .string(job.handler))])
    }
    return true
  }
}

extension String {
  /// The text without line ends, so that it can stand in a list of lines.
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
