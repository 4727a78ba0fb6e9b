import CEL
package import Items
import JSON

/// The change log: all writes to items, with the data to undo and redo them.
package struct ChangeLog {
  let database: Database
  var connection: Connection { database.connection }
  var context: StoreContext { database.context }
  var session: WriteSession { database.session }
  var items: ItemStore { database.items }
  var codec: PropertyCodec { database.codec }

  /// The number of entries that the log keeps; more only to keep a change whole.
  package static let keptChanges = 10_000

  /// The changes after a sequence number, oldest first.
  package func entries(after sequence: Int64 = 0, limit: Int = 1_000) throws -> [Change] {
    var selection = ChangeSelection(latestFirst: false, limit: limit)
    selection.after = sequence
    return try entries(selection)
  }

  /// The changes that match a filter, in its order.
  ///
  /// - Complexity: O(n) in the log entries examined.
  package func entries(_ selection: ChangeSelection) throws -> [Change] {
    let hasRuns = try hasRuns()
    var conditions: [SQL] = ["1"]
    if let after = selection.after { conditions.append("sequence > \(.int(after))") }
    if let cause = selection.cause { conditions.append("cause = \(.text(cause))") }
    if let item = selection.item {
      conditions.append(
        "entity = \(.text(item.entity)) AND \(.int(item.id)) BETWEEN id AND max(id, last)")
    }
    if let since = selection.since { conditions.append("time >= \(.int(since.microseconds))") }
    if let run = selection.run { conditions.append(hasRuns ? "run = \(.text(run))" : "0") }
    return try connection.map(
      """
      SELECT \(Self.changeColumns(hasRuns)) FROM errand_changes \
      WHERE \(SQL.joined(conditions, separator: " AND ")) \
      ORDER BY sequence \(raw: selection.latestFirst ? "DESC" : "ASC") \
      LIMIT \(.int(Int64(selection.limit)))
      """, Self.change)
  }

  /// The sequence number of the last entry; 0 when the log is empty.
  package func last() throws -> Int64 {
    try connection.number("SELECT max(sequence) FROM errand_changes") ?? 0
  }

  /// The number of entries that `mayConcern` reads.
  private static let batch = 500

  /// Whether an entry after a sequence number is of one of some entities; true when there are too many to tell.
  package func mayConcern(_ entities: [String], after sequence: Int64) throws -> Bool {
    let changes = try entries(after: sequence, limit: Self.batch)
    return changes.count == Self.batch || changes.contains { entities.contains($0.entity) }
  }

  /// The old and new values of a change's properties; empty when they are not logged.
  ///
  /// - Throws: `corrupt` when the log is unreadable.
  package func properties(of change: Change) throws -> [PropertyChange] {
    if change.kind == .create { return try created(change) }
    guard change.kind == .update || change.kind == .delete else { return [] }
    let after: SQL = try hasRuns() ? "after" : "NULL"
    let entry = try connection.firstRow(
      "SELECT before, \(after) FROM errand_changes WHERE sequence = \(.int(change.sequence))"
    ) { (before: $0.optionalText(0), now: $0.optionalText(1)) }
    guard let before = entry?.before else { return [] }
    let table = try? database.table(change.entity)
    let new = change.kind == .update ? try entry?.now.map(LoggedColumns.read) : nil
    return try LoggedColumns.read(before).compactMap { name, value in
      // System columns, such as counters, are not properties.
      guard let index = table?.layout.index(of: name) else { return nil }
      let type = table?.schema.properties[index].type ?? .any
      let other = new?.first { $0.name == name }?.value
      return PropertyChange(
        name: name, old: try codec.value(of: type, column: value),
        new: try other.map { try codec.value(of: type, column: $0) })
    }
  }

  /// The properties of an item at its creation: the old value of the first later change, otherwise
  /// the current value.
  private func created(_ change: Change) throws -> [PropertyChange] {
    guard let table = try? database.table(change.entity) else { return [] }
    var found: [String: Value] = [:]
    try connection.each(
      """
      SELECT before FROM errand_changes WHERE entity = \(.text(change.entity)) \
      AND id = \(.int(change.id)) AND sequence > \(.int(change.sequence)) \
      AND before IS NOT NULL ORDER BY sequence
      """
    ) { row in
      for (name, value) in try LoggedColumns.read(row.text(0)) where found[name] == nil {
        found[name] = value
      }
    }
    let item = try items.record(id: change.id, in: table)
    return try zip(table.schema.properties.indices, table.schema.properties).compactMap {
      index, property in
      let logged = try found[property.name].map { try codec.value(of: property.type, column: $0) }
      guard let value = logged ?? item?.values[index], value != .null else { return nil }
      return PropertyChange(name: property.name, old: .null, new: value)
    }
  }

  /// Prunes all but the latest changes; those are kept whole, with the changes they reverted.
  ///
  /// - Returns: The number of deleted entries.
  @discardableResult
  package func prune(keeping count: Int) throws -> Int {
    try extend()
    let forgotten = try prune(before: .max, keeping: count)
    return try forgotten + pruneReversals(keeping: count)
  }

  /// Deletes entries before a sequence number that are not needed by the latest changes.
  ///
  /// - Complexity: O(kept entries).
  func prune(before end: Int64, keeping count: Int) throws -> Int {
    guard let limit = try lastForgettable(keeping: count) else { return 0 }
    // A partly deleted change could not be undone.
    let kept = try connection.number("\(neededChanges(after: limit)) SELECT min(batch) FROM needed")
    var first = min(end, limit + 1)
    if let batch = kept { first = min(first, batch) }
    // Entries that an automation has not processed yet are kept.
    if let pending = try database.jobs.firstChangeForCursors() { first = min(first, pending) }
    try connection.run("DELETE FROM errand_changes WHERE sequence < \(.int(first))")
    return connection.changes
  }

  /// Deletes old undos and redos that no later change refers to: a long change that is undone and
  /// redone many times would otherwise never be pruned.
  private func pruneReversals(keeping count: Int) throws -> Int {
    guard var limit = try lastForgettable(keeping: count) else { return 0 }
    if let pending = try database.jobs.firstChangeForCursors() { limit = min(limit, pending - 1) }
    try connection.run(
      """
      \(neededChanges(after: limit)) DELETE FROM errand_changes \
      WHERE sequence <= \(.int(limit)) AND cause IN ('undo', 'redo') AND batch NOT IN needed
      """)
    return connection.changes
  }

  /// The newest entry that may be pruned; nil when there is none.
  private func lastForgettable(keeping count: Int) throws -> Int64? {
    let (limit, overflows) = try last().subtractingReportingOverflow(Int64(count))
    return overflows || limit <= 0 ? nil : limit
  }

  /// A table `needed` of the changes that end after an entry, and of the changes they reverted, since
  /// these can be redone.
  private func neededChanges(after limit: Int64) -> SQL {
    """
    WITH RECURSIVE needed (batch) AS \
    (SELECT DISTINCT batch FROM errand_changes WHERE sequence > \(.int(limit)) UNION \
    SELECT reverts FROM needed CROSS JOIN errand_changes ON sequence = needed.batch \
    WHERE reverts IS NOT NULL)
    """
  }

  /// The columns of an entry in the order of `change`.
  static func changeColumns(_ hasRuns: Bool) -> SQL {
    let run: SQL = hasRuns ? "run" : "NULL"
    let move: SQL =
      hasRuns ? "CASE kind WHEN \(.int(Change.Kind.moveFile.rawValue)) THEN after END" : "NULL"
    return "sequence, batch, time, kind, entity, id, last, cause, \(run), undone, \(move)"
  }

  /// Decodes a row of `changeColumns`.
  static func change(_ row: Statement) -> Change {
    Change(
      sequence: row.int(0), group: row.int(1), time: Timestamp(microseconds: row.int(2)),
      kind: Change.Kind(rawValue: row.int(3)) ?? .update, entity: row.text(4), id: row.int(5),
      last: row.int(6), cause: row.text(7), run: row.optionalText(8),
      isUndone: row.int(9) != 0, move: row.isNull(10) ? nil : FileMove(logged: row.text(10)))
  }

  /// Whether the log has the columns for runs and new values.
  ///
  /// A log of an earlier release gets them with its next entry.
  func hasRuns() throws -> Bool {
    if database.isLogExtended || database.metadata["log"] == "2" { return true }
    return try connection.columnNames(of: "errand_changes").contains("after")
  }

  // MARK: Writing

  /// The log is pruned every N entries.
  private static let pruningInterval: Int64 = 256

  /// Appends a change to the log.
  ///
  /// - Parameters:
  ///   - before: The old values, as far as undo needs them.
  ///   - after: The new values, as far as they are logged.
  func log(
    _ kind: Change.Kind, _ entity: String, id: Int64, last: Int64? = nil,
    before: [(String, SQLValue)]? = nil, after: [(String, SQLValue)]? = nil
  ) throws {
    try log(
      kind, entity, id: id, last: last ?? id, before: before.map(LoggedColumns.text),
      after: after.map(LoggedColumns.text))
  }

  /// Appends a change to the log, with values as JSON.
  func log(
    _ kind: Change.Kind, _ entity: String, id: Int64, last: Int64, before: String?, after: String?
  ) throws {
    try extend()
    let columns: [SQLValue] = [
      .int(session.group ?? 0), .int(context.world.now().microseconds), .int(kind.rawValue),
      .text(entity), .int(id), .int(last), .text(session.cause), .optional(before),
      .optional(session.run), session.reverted.map(SQLValue.int) ?? .null, .optional(after),
    ]
    try connection.run(
      """
      INSERT INTO errand_changes \
      (batch, time, kind, entity, id, last, cause, before, run, reverts, after) \
      VALUES (\(SQL.values(columns)))
      """)
    let sequence = connection.lastInsertedID
    if session.group == nil {
      session.group = sequence
      try connection.run(
        "UPDATE errand_changes SET batch = sequence WHERE sequence = \(.int(sequence))")
    }
    // A change that is being reverted must not be pruned, nor the start of one that is still being
    // written.
    if sequence % Self.pruningInterval == 0, session.reverted == nil {
      _ = try prune(before: session.group ?? sequence, keeping: Self.keptChanges)
    }
  }

  /// Adds the columns of this release to a log of an earlier one, which can still write its own.
  func extend() throws {
    if database.isLogExtended { return }
    if database.metadata["log"] != "2" {
      let names = try connection.columnNames(of: "errand_changes")
      for (name, type) in SystemTables.laterLogColumns where !names.contains(name) {
        try connection.run("ALTER TABLE errand_changes ADD COLUMN \(raw: name) \(raw: type)")
      }
    }
    database.isLogExtended = true
  }
}
