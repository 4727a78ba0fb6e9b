import CEL
package import Items
import JSON

/// The log of changes: what was written, by which it is taken back and made again.
package struct ChangeLog {
  let database: Database
  var connection: Connection { database.connection }
  var context: StoreContext { database.context }
  var session: WriteSession { database.session }
  var items: ItemStore { database.items }
  var codec: PropertyCodec { database.codec }

  /// How many changes the log keeps; more only to keep a change whole.
  package static let keptChanges = 10_000

  /// The changes after a place in the log, oldest first.
  package func entries(after sequence: Int64 = 0, limit: Int = 1_000) throws -> [Change] {
    var selection = ChangeSelection(latestFirst: false, limit: limit)
    selection.after = sequence
    return try entries(selection)
  }

  /// The changes that are meant, in their order or from the latest back.
  ///
  /// - Complexity: O(n) for the entries of the log that are looked at.
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
    if let run = selection.run {
      conditions.append(hasRuns ? "run = \(.text(run))" : "0")
    }
    return try connection.map(
      """
      SELECT \(Self.changeColumns(hasRuns)) FROM errand_changes \
      WHERE \(SQL.joined(conditions, separator: " AND ")) \
      ORDER BY sequence \(raw: selection.latestFirst ? "DESC" : "ASC") \
      LIMIT \(.int(Int64(selection.limit)))
      """
    ) { row in Self.change(row) }
  }

  /// The last entry of the log of changes; 0 when it is empty.
  package func last() throws -> Int64 {
    return try connection.number("SELECT max(sequence) FROM errand_changes") ?? 0
  }

  /// What a change made of each property that it names; empty where the log does not tell.
  ///
  /// - Throws: `corrupt` when the log cannot be read.
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
      // What everything has of itself, and what is counted, is no property.
      guard let index = table?.layout.index(of: name) else { return nil }
      let type = table?.schema.properties[index].type ?? .any
      let other = new?.first { $0.name == name }?.value
      return PropertyChange(
        name: name, old: try codec.value(of: type, column: value),
        new: try other.map { try codec.value(of: type, column: $0) })
    }
  }

  /// What an item had when it was created: what the first change of a property after that found,
  /// else what the item has today.
  private func created(_ change: Change) throws -> [PropertyChange] {
    guard let table = try? database.table(change.entity) else { return [] }
    var found: [String: Value] = [:]
    try connection.rows(
      """
      SELECT before FROM errand_changes WHERE entity = \(.text(change.entity)) \
      AND id = \(.int(change.id)) AND sequence > \(.int(change.sequence)) \
      AND before IS NOT NULL ORDER BY sequence
      """
    ) { row in
      for (name, value) in try LoggedColumns.read(row.text(0)) where found[name] == nil {
        found[name] = value
      }
      return true
    }
    let item = try items.record(id: change.id, in: table)
    return try zip(table.schema.properties.indices, table.schema.properties).compactMap {
      index, property in
      let logged = try found[property.name].map { try codec.value(of: property.type, column: $0) }
      guard let value = logged ?? item?.values[index], value != .null else { return nil }
      return PropertyChange(name: property.name, old: .null, new: value)
    }
  }

  /// Forgets all but the latest changes; those that stay are kept whole, with what they took back.
  ///
  /// - Returns: How many were forgotten.
  @discardableResult
  package func prune(keeping count: Int) throws -> Int {
    let forgotten = try prune(before: .max, keeping: count)
    return try forgotten + pruneReversals(keeping: count)
  }

  /// Forgets what came before a place in the log and belongs to none of the latest changes.
  ///
  /// - Complexity: O(kept entries).
  func prune(before end: Int64, keeping count: Int) throws -> Int {
    guard let limit = try lastForgettable(keeping: count) else { return 0 }
    // A change that is forgotten in part could not be taken back.
    let kept = try connection.number(
      "\(try neededChanges(after: limit)) SELECT min(batch) FROM needed")
    var first = min(end, limit + 1)
    if let batch = kept { first = min(first, batch) }
    // What an automation has yet to hear of stays.
    if let unheard = try database.jobs.firstChangeForCursors() { first = min(first, unheard) }
    try connection.run("DELETE FROM errand_changes WHERE sequence < \(.int(first))")
    return connection.changes
  }

  /// Forgets each undo and redo that came before the latest changes, and that none of them took back:
  /// a long change that is taken back and made again many times would else never be forgotten.
  private func pruneReversals(keeping count: Int) throws -> Int {
    guard try hasRuns(), var limit = try lastForgettable(keeping: count) else { return 0 }
    if let unheard = try database.jobs.firstChangeForCursors() { limit = min(limit, unheard - 1) }
    try connection.run(
      """
      \(try neededChanges(after: limit)) DELETE FROM errand_changes \
      WHERE sequence <= \(.int(limit)) AND cause IN ('undo', 'redo') AND batch NOT IN needed
      """)
    return connection.changes
  }

  /// The last entry that is not one of the latest; nil when there is none.
  private func lastForgettable(keeping count: Int) throws -> Int64? {
    guard
      let last = try connection.number("SELECT max(sequence) FROM errand_changes")
    else { return nil }
    let (limit, overflows) = last.subtractingReportingOverflow(Int64(count))
    return overflows || limit <= 0 ? nil : limit
  }

  /// A table `needed` of the changes that end after an entry, and of what they took back, which can be
  /// made again.
  private func neededChanges(after limit: Int64) throws -> SQL {
    let latest: SQL = "SELECT DISTINCT batch FROM errand_changes WHERE sequence > \(.int(limit))"
    guard try hasRuns() else { return "WITH needed (batch) AS (\(latest))" }
    return """
      WITH RECURSIVE needed (batch) AS (\(latest) UNION \
      SELECT reverts FROM needed CROSS JOIN errand_changes ON sequence = needed.batch \
      WHERE reverts IS NOT NULL)
      """
  }

  /// The columns of an entry in the order in which `change` reads them.
  static func changeColumns(_ hasRuns: Bool) -> SQL {
    let run: SQL = hasRuns ? "run" : "NULL"
    let move: SQL =
      hasRuns ? "CASE kind WHEN \(.int(Change.Kind.moveFile.rawValue)) THEN after END" : "NULL"
    return "sequence, batch, time, kind, entity, id, last, cause, \(run), undone, \(move)"
  }

  /// The entry of a row of `changeColumns`.
  static func change(_ row: Statement) -> Change {
    Change(
      sequence: row.int(0), group: row.int(1), time: Timestamp(microseconds: row.int(2)),
      kind: Change.Kind(rawValue: row.int(3)) ?? .update, entity: row.text(4), id: row.int(5),
      last: row.int(6), cause: row.text(7), run: row.optionalText(8),
      isUndone: row.int(9) != 0, move: row.isNull(10) ? nil : FileMove(logged: row.text(10)))
  }

  /// Whether the log has the columns that tell runs and new values.
  ///
  /// A log of an earlier release gets them with its first new entry.
  func hasRuns() throws -> Bool {
    if database.isLogExtended || database.metadata["log"] == "2" { return true }
    return try connection.columnNames(of: "errand_changes").contains("after")
  }

  // MARK: Writing

  /// After how many entries the log is made shorter again.
  private static let pruningInterval: Int64 = 256

  /// Notes a change in the log.
  ///
  /// - Parameters:
  ///   - before: What the item was, as far as it is needed to take the change back.
  ///   - after: What the item is now, as far as it is told.
  func log(
    _ kind: Change.Kind, _ entity: String, id: Int64, last: Int64? = nil,
    before: [(String, SQLValue)]? = nil, after: [(String, SQLValue)]? = nil
  ) throws {
    try log(
      kind, entity, id: id, last: last ?? id, before: before.map(LoggedColumns.text),
      after: after.map(LoggedColumns.text))
  }

  /// Notes a change in the log, with what it keeps as JSON.
  func log(
    _ kind: Change.Kind, _ entity: String, id: Int64, last: Int64, before: String?, after: String?
  ) throws {
    try extend()
    try connection.withStatement(
      """
      INSERT INTO errand_changes \
      (batch, time, kind, entity, id, last, cause, before, run, reverts, after) \
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """
    ) { statement in
      try statement.bind([
        .int(session.group ?? 0), .int(context.now().microseconds), .int(kind.rawValue),
        .text(entity), .int(id), .int(last), .text(session.cause),
        before.map(SQLValue.text) ?? .null,
        session.run.map(SQLValue.text) ?? .null, session.reverted.map(SQLValue.int) ?? .null,
        after.map(SQLValue.text) ?? .null,
      ])
      _ = try statement.step()
    }
    let sequence = connection.lastInsertedID
    if session.group == nil {
      session.group = sequence
      try connection.run(
        "UPDATE errand_changes SET batch = sequence WHERE sequence = \(.int(sequence))")
    }
    // What is about to be taken back may not be forgotten meanwhile, nor the beginning of a change
    // that is not over.
    if sequence % Self.pruningInterval == 0, session.reverted == nil {
      _ = try prune(before: session.group ?? sequence, keeping: Self.keptChanges)
    }
  }

  /// Gives a log of an earlier release the columns that this one writes; the earlier one goes on
  /// writing its own.
  private func extend() throws {
    if database.isLogExtended { return }
    if database.metadata["log"] != "2" {
      let names = try connection.columnNames(of: "errand_changes")
      for (name, type) in StoreOpener.laterLogColumns where !names.contains(name) {
        try connection.run("ALTER TABLE errand_changes ADD COLUMN \(raw: name) \(raw: type)")
      }
    }
    database.isLogExtended = true
  }
}
