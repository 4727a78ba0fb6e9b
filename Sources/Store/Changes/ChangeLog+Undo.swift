package import Items

extension ChangeLog {
  /// Undoes a change atomically.
  ///
  /// An import is one change, and so are all writes of a run, even across transactions. Items of
  /// entities without a definition are restored from the recorded schema.
  /// - Parameters:
  ///   - progress: Called from time to time with the number of items done and the total.
  ///   - files: Reverts file moves.
  /// - Returns: The undone changes, latest first; empty when there is no such change.
  /// - Throws: `notFound` for an unknown number; `conflict` if items were changed since, if the
  ///   schema no longer accepts the old values, or if the log was pruned.
  /// - Complexity: O(n log size) for n changed items.
  package func undo(
    _ target: UndoTarget = .latest, progress: (_ done: Int, _ total: Int) -> Void = { _, _ in },
    files: @escaping FileReverter = ChangeLog.refuseFiles
  ) throws -> [Change] {
    try reverting(as: "undo", files) { files in
      guard let group = try group(of: target) else { return [] }
      session.reverted = group
      return try revertGroup(group, files, progress)
    }
  }

  /// Redoes the last undone change atomically.
  ///
  /// - Returns: The redone changes; empty when nothing was undone, or only by an earlier release,
  ///   which did not log enough.
  /// - Throws: `conflict` as in `undo`; nothing is changed then.
  /// - Complexity: O(n log size) for n changed items.
  package func redo(
    progress: (_ done: Int, _ total: Int) -> Void = { _, _ in },
    files: @escaping FileReverter = ChangeLog.refuseFiles
  ) throws -> [Change] {
    try reverting(as: "redo", files) { files in
      guard
        let group = try connection.number(
          """
          SELECT max(batch) FROM errand_changes \
          WHERE NOT undone AND cause = 'undo' AND reverts IS NOT NULL
          """),
        let original = try connection.number(
          "SELECT reverts FROM errand_changes WHERE batch = \(.int(group)) LIMIT 1")
      else { return [] }
      session.reverted = group
      _ = try revertGroup(group, files, progress)
      try connection.run("UPDATE errand_changes SET undone = 0 WHERE batch = \(.int(original))")
      return try steps(of: original).map(\.change)
    }
  }

  /// Refuses to move files, for callers without file access.
  package static func refuseFiles(_ move: FileMove) throws -> FileMove {
    throw StoreError(.conflict, "\(move.to) cannot be moved from here")
  }

  /// Runs `body` in one transaction whose log entries have their own cause.
  ///
  /// File moves are reversed when it fails.
  private func reverting(
    as cause: String, _ files: @escaping FileReverter, _ body: (FileReversals) throws -> [Change]
  ) throws -> [Change] {
    let reversals = FileReversals(files)
    try database.endSession()
    let previousCause = session.cause
    session.cause = cause
    connection.useLargeCache(true)
    defer {
      connection.useLargeCache(false)
      session.cause = previousCause
      session.reverted = nil
      database.recordedTables = [:]
    }
    do {
      return try database.transaction {
        try extend()
        return try body(reversals)
      }
    } catch { try reversals.abandon(error) }
  }

  /// Reverts a group and prunes the log.
  private func revertGroup(
    _ group: Int64, _ files: FileReversals, _ progress: (Int, Int) -> Void
  ) throws -> [Change] {
    // A group is identified by its first entry, which is also the first to be pruned.
    guard try connection.exists("SELECT 1 FROM errand_changes WHERE sequence = \(.int(group))")
    else {
      throw StoreError(
        .conflict,
        "this change and earlier ones cannot be undone: the log no longer has all their "
          + "entries (it keeps \(Self.keptChanges), or fewer after pruning or a repair); later "
          + "changes can be")
    }
    let steps = try steps(of: group)
    try expectRunIsOver(of: group)
    try expectNoLaterChanges(steps, of: group)
    try revertSteps(steps, progress)
    try takeBackMoves(steps, of: group, files)
    try connection.run("UPDATE errand_changes SET undone = 1 WHERE batch = \(.int(group))")
    try prune(keeping: Self.keptChanges)
    return steps.map(\.change)
  }

  /// The group of a target; nil when there is none.
  private func group(of target: UndoTarget) throws -> Int64? {
    // Changes of other machines are undone only by number.
    let isOpen: SQL = "NOT undone AND cause NOT IN ('undo', 'redo', 'hub', 'hub join')"
    let condition: SQL
    switch target {
    case .latest: condition = isOpen
    case .cause(let cause): condition = "\(isOpen) AND cause = \(.text(cause))"
    case .run(let run): condition = "\(isOpen) AND run = \(.text(run))"
    case .number(let number): return try group(ofEntry: number)
    }
    return try connection.number("SELECT max(batch) FROM errand_changes WHERE \(condition)")
  }

  /// The group of a log entry.
  private func group(ofEntry number: Int64) throws -> Int64 {
    let entry = try connection.firstRow(
      """
      SELECT \(Self.changeColumns(true)) FROM errand_changes WHERE sequence = \(.int(number))
      """, Self.change)
    guard let entry else {
      throw StoreError(
        .notFound,
        "there is no change \(number) in the log; `errand changes` shows the numbers, and "
          + "`errand undo` without one undoes the last")
    }
    if entry.cause == "undo" || entry.cause == "redo" {
      throw StoreError(
        .conflict, "change \(number) is itself \(entry.cause == "undo" ? "an undo" : "a redo")")
    }
    if entry.isUndone { throw StoreError(.conflict, "change \(number) was already undone") }
    return entry.group
  }

  // MARK: Steps

  /// The changes of a group, latest first; consecutive creations are merged.
  private func steps(of group: Int64) throws -> [UndoStep] {
    var steps: [UndoStep] = []
    try connection.each(
      """
      SELECT \(Self.changeColumns(true)), before, after FROM errand_changes \
      WHERE batch = \(.int(group)) AND NOT undone ORDER BY sequence DESC
      """
    ) { row in
      let change = Self.change(row)
      // An undo logs the items it deleted as `after`: they are the state before it.
      let column: Int32 = change.isDeletion && row.isNull(11) ? 12 : 11
      steps.appendEarlier(UndoStep(change: change, before: row.optionalText(column)))
    }
    return steps
  }

  private func revertSteps(_ steps: [UndoStep], _ progress: (Int, Int) -> Void) throws {
    let leaving = Dictionary(grouping: steps.filter(\.isCreation), by: \.change.entity)
      .mapValues { IDRanges($0.map(\.ids)) }
    let total = steps.reduce(0) { $0 + $1.ids.count }
    var done = 0
    for step in steps where step.change.kind != .moveFile {
      if step.isCreation {
        let before = done
        try items.deleteAll(step.ids, of: database.table(step.change.entity), leaving: leaving) {
          progress(before + $0, total)
        }
      } else {
        try revert(step.change, step.before)
      }
      done += step.ids.count
      progress(done, total)
    }
  }

  // MARK: Conflicts

  /// Checks that no resumable run depends on its writes in a group.
  ///
  /// - Throws: `conflict`, naming the run.
  private func expectRunIsOver(of group: Int64) throws {
    guard try SystemTables.journal.exist(in: database),
      let id = try connection.text(
        "SELECT run FROM errand_changes WHERE sequence = \(.int(group))"),
      let run = try database.runs.run(exactID: id), run.isDurable, !run.state.isOver,
      run.state != .failed
    else { return }
    throw StoreError(
      .conflict,
      "these changes belong to run \(run.number) of \(run.name), which is \(run.state.rawValue) and "
        + "depends on them: finish it with `errand resume \(run.number)`, or give it up with "
        + "`errand cancel \(run.number)`")
  }

  /// The maximum number of items named in a message.
  private static let namedItems = 5

  /// Checks that no item of a group was changed after it.
  ///
  /// Undone changes do not count, and neither do the undos.
  /// - Throws: `conflict`, naming the items.
  /// - Complexity: O(n log n) for n entries since the beginning of the group.
  private func expectNoLaterChanges(_ steps: [UndoStep], of group: Int64) throws {
    var index = LaterChanges(steps)
    try connection.each(
      """
      SELECT \(Self.changeColumns(true)) FROM errand_changes \
      WHERE sequence > \(.int(group)) AND batch <> \(.int(group)) AND NOT undone \
      AND cause NOT IN ('undo', 'redo') ORDER BY sequence
      """
    ) { index.note(Self.change($0)) }
    guard let latest = index.latest else { return }
    let names = index.items.prefix(Self.namedItems).map(\.description)
    let more = index.items.count - names.count
    let items = names.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
    let cause = latest.cause.isEmpty ? "" : " by \(latest.cause)"
    throw StoreError(
      .conflict,
      "\(items) \(index.items.count == 1 ? "was" : "were") changed later\(cause) (change "
        + "\(latest.sequence)): undo that first; nothing was undone")
  }
}

/// A log entry to be reverted, with the logged columns of its items.
struct UndoStep {
  var change: Change
  /// The columns of the item before the change as JSON, or a list of them for many items.
  let before: String?

  /// Whether the change created items.
  var isCreation: Bool { change.kind == .create || change.kind == .createMany }
  /// The ids of its items.
  var ids: ClosedRange<Int64> { change.id...max(change.id, change.last) }
}

extension Change {
  /// Whether the change deleted items.
  var isDeletion: Bool { kind == .delete || kind == .deleteMany }
}

extension [UndoStep] {
  /// Appends a step that came earlier; consecutive creations are merged.
  mutating func appendEarlier(_ step: UndoStep) {
    guard let next = last, next.isCreation, step.isCreation,
      next.change.entity == step.change.entity, step.ids.upperBound + 1 == next.ids.lowerBound
    else { return append(step) }
    self[count - 1].change = Change(
      sequence: step.change.sequence, group: step.change.group, time: step.change.time,
      kind: .createMany, entity: step.change.entity, id: step.change.id,
      last: next.ids.upperBound, cause: step.change.cause, run: step.change.run)
  }
}

/// Finds later log entries that concern the items of a change.
struct LaterChanges {
  /// The last change of each item, by entity and id.
  private var changed: [String: [Int64: Int64]] = [:]
  /// The id ranges of bulk creations and deletions, by entity.
  private var ranges: [String: [(ids: ClosedRange<Int64>, sequence: Int64)]] = [:]
  /// The items changed later, in the order of the changes.
  private(set) var items: [ItemReference] = []
  /// The latest entry that changed any of `items`.
  private(set) var latest: Change?
  private var seen: Set<ItemReference> = []

  /// Indexes the steps of a change.
  init(_ steps: [UndoStep]) {
    // Changes of files are detected from the files themselves.
    for step in steps where step.change.kind != .moveFile {
      let change = step.change
      if step.ids.count > 1 {
        ranges[change.entity, default: []].append((step.ids, change.sequence))
      } else {
        let known = changed[change.entity]?[change.id] ?? 0
        changed[change.entity, default: [:]][change.id] = max(known, change.sequence)
      }
    }
  }

  /// Records an entry of another change if it concerns one of the items.
  mutating func note(_ change: Change) {
    guard change.last <= change.id, let last = lastChange(of: change.id, in: change.entity),
      change.sequence > last
    else { return }
    latest = change
    let reference = ItemReference(entity: change.entity, id: change.id)
    if seen.insert(reference).inserted { items.append(reference) }
  }

  private func lastChange(of id: Int64, in entity: String) -> Int64? {
    let alone = changed[entity]?[id]
    let together = ranges[entity]?.filter { $0.ids.contains(id) }.map(\.sequence).max()
    return [alone, together].compactMap { $0 }.max()
  }
}
