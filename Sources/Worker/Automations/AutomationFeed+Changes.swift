import CEL
import Catalog
import Engine
import Items
import POSIX
import Program
import Source
import Store

/// Triggers by changes of items.
extension AutomationFeed {
  /// Checks the changes of an entity since the last check.
  func checkChanges(
    of entity: String, _ kinds: [Change.Kind], _ armed: ActiveTrigger
  ) throws {
    let cursorName = armed.cursor
    let last = try session.store.changes.last()
    guard let old = cursors[cursorName] else {
      // Changes before the first check do not count.
      try commit(AutomationCursor(name: cursorName, sequence: last), from: nil) { [] }
      return
    }
    // A recreated log begins at a lower sequence number.
    var from = max(old.sequence, readUpTo[cursorName] ?? 0)
    if from > last { from = last }
    var cursor = old
    while from < last {
      let changes = try session.store.changes.entries(after: from, limit: Self.batch)
      guard let end = changes.last?.sequence else { break }
      // Changes of other machines trigger automations there, and joining a hub triggers none.
      let unwanted =
        armed.trigger.isFromAnyone ? [HubStore.joinCause] : [HubStore.joinCause, HubStore.cause]
      let jobs = try changes.filter { $0.entity == entity && kinds.contains($0.kind) }
        .flatMap { change in
          let isWanted = !unwanted.contains(change.cause)
          if armed.trigger.hold != nil { return try held(change, armed, mayBegin: isWanted) }
          return isWanted && admits(armed, change.time) ? try self.jobs(for: change, armed) : []
        }
      if !jobs.isEmpty || end - cursor.sequence >= Self.lag || cursor.sequence > end {
        var moved = cursor
        moved.sequence = end
        guard try commit(moved, from: cursor, { jobs }) else { return }
        cursor = moved
      }
      from = end
    }
    readUpTo[cursorName] = from
  }

  /// The jobs for the items of one change.
  private func jobs(for change: Change, _ armed: ActiveTrigger) throws -> [DueJob] {
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
      if chain.count(where: { $0 == armed.name }) >= Self.maxSelfTriggers {
        job.refusal =
          "`\(armed.name)` has triggered itself \(Self.maxSelfTriggers) times: make its `where` "
          + "exclude items it has handled"
      }
      let isNew = if case .created = armed.trigger.event { true } else { false }
      let time = isNew ? 0 : item.record.updatedAt?.microseconds ?? 0
      return dueJob(job, armed, occasion: "\(item.record.uid?.text ?? "") \(time)")
    }
  }

  /// The jobs that begin to wait, change or end by a change, of items whose condition must be true for
  /// some time.
  ///
  /// - Parameter mayBegin: Whether the change counts; others only end what waits.
  private func held(
    _ change: Change, _ armed: ActiveTrigger, mayBegin: Bool
  ) throws -> [DueJob] {
    let store = try run.store(for: change.entity)
    let trigger = armed.trigger
    return try (change.id...max(change.id, change.last)).compactMap { id in
      guard
        let states = try store.changes.states(
          of: id, in: change.entity, from: change.sequence)[change.sequence]
      else { return nil }
      let isTrue = try isTrue(trigger.condition, for: states.after, armed)
      let wasTrue = try self.isTrue(trigger.condition, for: states.before, armed)
      let value = trigger.value(
        time: .timestamp(change.time), item: states.after.map(Value.object) ?? .null,
        before: states.before.map(Value.object) ?? .null)
      var job = try self.job(armed, value, key: armed.trigger.holdPrefix + "\(id)")
      let begins = isTrue && !wasTrue
      if begins {
        let due = Timestamp(microseconds: change.time.microseconds + (trigger.hold ?? 0))
        guard mayBegin, admits(armed, due), try wasBefore(states.before, armed) else { return nil }
        job.notBefore = due
        if job.day != nil { job.day = run.day(of: due) }
      }
      var due = dueJob(
        job, armed, occasion: "\(states.after?.record.uid?.text ?? "") \(change.time.microseconds)")
      due.effect = begins ? .enqueue : isTrue ? .renew : .withdraw
      return due
    }
  }

  /// Whether the conditions of a trigger hold for an item after and before a change.
  private func holds(_ armed: ActiveTrigger, _ item: Item, _ before: Item?) throws -> Bool {
    try isTrue(armed.trigger.condition, for: item, armed) && wasBefore(before, armed)
  }

  /// Whether the condition of a trigger on the item before a change holds, or it has none.
  private func wasBefore(_ item: Item?, _ armed: ActiveTrigger) throws -> Bool {
    let condition = armed.trigger.previousCondition
    return try condition == nil || isTrue(condition, for: item, armed)
  }

  /// Whether a condition holds for an item; false without one. Its failure is logged.
  private func isTrue(
    _ condition: (expression: CompiledExpression, selfSlot: Int)?, for item: Item?,
    _ armed: ActiveTrigger
  ) throws -> Bool {
    guard let item else { return false }
    do { return try run.holds(condition, for: item) } catch let error as RunError {
      report("condition failed", of: armed.name, error.message, level: .warning)
      return false
    }
  }
}
