package import Items

extension ChangeLog {
  /// Takes back a change that was not taken back yet, all of it or nothing.
  ///
  /// An import counts as one, and so does all that a run wrote, however many transactions it took.
  /// Items of an entity that is not defined here are taken for what the store recorded of it.
  /// - Parameters:
  ///   - progress: Is told from time to time how many items of how many are done.
  ///   - files: Takes back moves of files.
  /// - Returns: What was taken back, the latest first; empty when the log has nothing of that kind.
  /// - Throws: `notFound` for a number that the log has not, `conflict` when items were changed later
  ///   or something else stands in the way, the definition does not allow any more what was, or the
  ///   log no longer has all of the change; then nothing is taken back.
  /// - Complexity: O(n log size) for n changed items.
  package func undo(
    _ target: UndoTarget = .latest,
    progress: (_ done: Int, _ total: Int) -> Void = { _, _ in },
    files: @escaping FileReverter = ChangeLog.refuseFiles
  ) throws -> [Change] {
    try reverting(as: "undo", files) { files in
      guard let group = try group(of: target) else { return [] }
      session.reverted = group
      return try takeBack(group, files, progress)
    }
  }

  /// Makes again what was taken back last, all of it or nothing.
  ///
  /// - Returns: What is as it was before it was taken back; empty when nothing was taken back, or
  ///   only by an earlier release, which does not keep what that takes.
  /// - Throws: `conflict` as `undo` does; then nothing is changed.
  /// - Complexity: O(n log size) for n changed items.
  package func redo(
    progress: (_ done: Int, _ total: Int) -> Void = { _, _ in },
    files: @escaping FileReverter = ChangeLog.refuseFiles
  ) throws -> [Change] {
    try reverting(as: "redo", files) { files in
      guard try hasRuns(),
        let group = try connection.number(
          """
          SELECT max(batch) FROM errand_changes \
          WHERE NOT undone AND cause = 'undo' AND reverts IS NOT NULL
          """),
        let original = try connection.number(
          "SELECT reverts FROM errand_changes WHERE batch = \(.int(group)) LIMIT 1")
      else { return [] }
      session.reverted = group
      _ = try takeBack(group, files, progress)
      try connection.run("UPDATE errand_changes SET undone = 0 WHERE batch = \(.int(original))")
      return try steps(of: original).map(\.change)
    }
  }

  /// Refuses to move files, where nobody can.
  package static func refuseFiles(_ move: FileMove) throws -> FileMove {
    throw StoreError(.conflict, "\(move.to) can't be moved from here")
  }

  /// Runs `body` in one transaction whose entries in the log have a cause of their own.
  ///
  /// Files that it moved are moved again when it fails.
  private func reverting(
    as cause: String, _ files: @escaping FileReverter,
    _ body: (FileReversals) throws -> [Change]
  ) throws -> [Change] {
    let reversals = FileReversals(files)
    do {
      return try reverting(as: cause) { try body(reversals) }
    } catch {
      try reversals.abandon(error)
    }
  }

  private func reverting(as cause: String, _ body: () throws -> [Change]) throws -> [Change] {
    try database.endSession()
    let usual = session.cause
    session.cause = cause
    connection.useLargeCache(true)
    defer {
      connection.useLargeCache(false)
      session.cause = usual
      session.reverted = nil
      database.tables.recorded = [:]
    }
    return try database.transaction(body)
  }

  /// Takes back a group, and makes the log shorter.
  private func takeBack(
    _ group: Int64, _ files: FileReversals, _ progress: (Int, Int) -> Void
  ) throws -> [Change] {
    // A group is called by its first entry, which is also the first to be forgotten.
    guard
      try connection.exists("SELECT 1 FROM errand_changes WHERE sequence = \(.int(group))")
    else {
      throw StoreError(
        .conflict,
        "this change cannot be taken back, nor can those before it: the log no longer has "
          + "all of it (it keeps \(Self.keptChanges) entries, and fewer after it was made shorter "
          + "or repaired); what is changed from now on can be")
    }
    let steps = try steps(of: group)
    try expectRunIsOver(of: group)
    try expectNoLaterChanges(steps, of: group)
    try take(back: steps, progress)
    try takeBackMoves(steps, of: group, files)
    try connection.run("UPDATE errand_changes SET undone = 1 WHERE batch = \(.int(group))")
    try prune(keeping: Self.keptChanges)
    return steps.map(\.change)
  }

  /// The group that is meant; nil when nothing of that kind is left.
  private func group(of target: UndoTarget) throws -> Int64? {
    let isOpen: SQL = "NOT undone AND cause NOT IN ('undo', 'redo')"
    let condition: SQL
    switch target {
    case .latest: condition = isOpen
    case .cause(let cause): condition = "\(isOpen) AND cause = \(.text(cause))"
    case .run(let run):
      guard try hasRuns() else { return nil }
      condition = "\(isOpen) AND run = \(.text(run))"
    case .number(let number):
      return try group(ofEntry: number)
    }
    return try connection.number(
      "SELECT max(batch) FROM errand_changes WHERE \(condition)")
  }

  /// The group of an entry that is named by its place in the log.
  private func group(ofEntry number: Int64) throws -> Int64 {
    let entry = try connection.firstRow(
      """
      SELECT \(Self.changeColumns(try hasRuns())) FROM errand_changes \
      WHERE sequence = \(.int(number))
      """, Self.change)
    guard let entry else {
      throw StoreError(
        .notFound, "there is no change \(number) in the log; `errand changes` shows the numbers")
    }
    if entry.cause == "undo" || entry.cause == "redo" {
      throw StoreError(
        .conflict, "change \(number) is \(entry.cause == "undo" ? "an undo" : "a redo") itself")
    }
    if entry.isUndone {
      throw StoreError(.conflict, "change \(number) was taken back already")
    }
    return entry.group
  }

  // MARK: Steps

  /// The changes of a group, the latest first; creations of items that follow one another are one.
  private func steps(of group: Int64) throws -> [UndoStep] {
    let hasRuns = try hasRuns()
    let after: SQL = hasRuns ? "after" : "NULL"
    var steps: [UndoStep] = []
    try connection.rows(
      """
      SELECT \(Self.changeColumns(hasRuns)), before, \(after) FROM errand_changes \
      WHERE batch = \(.int(group)) AND NOT undone ORDER BY sequence DESC
      """
    ) { row in
      let change = Self.change(row)
      // What an undo deleted stands on the other side: it was there before.
      let column: Int32 = change.isDeletion && row.isNull(11) ? 12 : 11
      steps.appendEarlier(
        UndoStep(change: change, before: row.optionalText(column)))
      return true
    }
    return steps
  }

  private func take(back steps: [UndoStep], _ progress: (Int, Int) -> Void) throws {
    let leaving = Dictionary(grouping: steps.filter(\.isCreation), by: \.change.entity)
      .mapValues { IDRanges($0.map(\.ids)) }
    let total = steps.reduce(0) { $0 + $1.ids.count }
    var done = 0
    for step in steps where step.change.kind != .moveFile {
      if step.isCreation {
        let before = done
        try items.deleteAll(step.ids, of: database.table(step.change.entity), leaving: leaving) {
          count in
          progress(before + count, total)
        }
      } else {
        try revert(step.change, step.before)
      }
      done += step.ids.count
      progress(done, total)
    }
  }

  // MARK: Conflicts

  /// Expects that no run goes on with what it wrote in a group.
  ///
  /// - Throws: `conflict`, naming the run.
  private func expectRunIsOver(of group: Int64) throws {
    guard try hasRuns(), try RecordTables.journal.exist(in: database),
      let id = try connection.text(
        "SELECT run FROM errand_changes WHERE sequence = \(.int(group))"),
      let run = try database.runs.run(exactID: id), run.isDurable, !run.state.isOver,
      run.state != .failed
    else { return }
    throw StoreError(
      .conflict,
      "this was done by run \(run.number) of \(run.name), which is \(run.state.rawValue) and would go "
        + "on without it: let it end, or cancel it first")
  }

  /// How many items a message names.
  private static let namedItems = 5

  /// Expects that nobody changed an item of a group after the group did.
  ///
  /// What was taken back meanwhile counts for nothing, and neither does that it was.
  /// - Throws: `conflict`, naming the items.
  /// - Complexity: O(n log n) for n entries since the beginning of the group.
  private func expectNoLaterChanges(_ steps: [UndoStep], of group: Int64) throws {
    var index = LaterChanges(steps)
    try connection.rows(
      """
      SELECT \(Self.changeColumns(try hasRuns())) FROM errand_changes \
      WHERE sequence > \(.int(group)) AND batch <> \(.int(group)) AND NOT undone \
      AND cause NOT IN ('undo', 'redo') ORDER BY sequence
      """
    ) { row in
      index.note(Self.change(row))
      return true
    }
    guard let latest = index.latest else { return }
    let names = index.items.prefix(Self.namedItems).map(\.description)
    let more = index.items.count - names.count
    let items = names.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
    let cause = latest.cause.isEmpty ? "" : " by \(latest.cause)"
    throw StoreError(
      .conflict,
      "\(items) \(index.items.count == 1 ? "was" : "were") changed later\(cause) (change "
        + "\(latest.sequence)): take that back first; nothing was taken back")
  }
}

/// An entry of the log that is about to be taken back, and what the log kept of its items.
struct UndoStep {
  var change: Change
  /// The columns of the item before as JSON, or a list of them for many items.
  let before: String?

  /// Whether it made items.
  var isCreation: Bool { change.kind == .create || change.kind == .createMany }
  /// The numbers of its items.
  var ids: ClosedRange<Int64> { change.id...max(change.id, change.last) }
}

extension Change {
  /// Whether items went.
  var isDeletion: Bool { kind == .delete || kind == .deleteMany }
}

extension [UndoStep] {
  /// Adds a step that came before the last one; creations that follow one another become one.
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

/// Finds among later entries of the log those that concern the items of a change.
struct LaterChanges {
  /// When each item was changed last, by entity and number.
  private var changed: [String: [Int64: Int64]] = [:]
  /// The numbers of items that came or went together, by entity.
  private var ranges: [String: [(ids: ClosedRange<Int64>, sequence: Int64)]] = [:]
  /// The items that were changed later, in the order in which they were.
  private(set) var items: [ItemReference] = []
  /// The latest entry that changed one.
  private(set) var latest: Change?
  private var seen: Set<ItemReference> = []

  /// An index of the steps of a change.
  init(_ steps: [UndoStep]) {
    // Whether a file was changed is seen from the file.
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

  /// Notes an entry of another change if it concerns one of the items.
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
    return max(alone ?? .min, together ?? .min) == .min
      ? nil : max(alone ?? .min, together ?? .min)
  }
}
