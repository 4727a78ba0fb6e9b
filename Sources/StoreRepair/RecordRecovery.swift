import CEL
import Store

/// The result of recovering one kind of records from a damaged store.
package struct RecordRescue: Hashable, Sendable {
  /// The kind of the records: `runs`, `jobs` or `shares`.
  package let kind: String
  /// The number of recovered records.
  package internal(set) var saved = 0
  /// The number of lost records; nil when it is unknown.
  package internal(set) var lost: Int?
  /// The number of unfinished runs that were ended because part of their journal is lost.
  package internal(set) var ended = 0

  /// Whether every record was recovered completely.
  package var isWhole: Bool { lost == 0 && ended == 0 }
}

/// Recovers the system tables, except the metadata, from a damaged file.
struct RecordRecovery {
  let source: Connection
  let target: Database
  /// The folder of the damaged store's large values.
  let values: String
  /// Whether the file is repaired in place: tables that belong together are then kept as a whole or
  /// not at all.
  let isSameFile: Bool
  /// The losses, a sentence each.
  private(set) var losses: [String] = []
  /// The results by kind of record.
  private(set) var results: [RecordRescue] = []
  private var connection: Connection { target.connection }

  /// Recovers the tables that exist, or existed according to the metadata.
  ///
  /// - Parameter numbers: The highest row ids assigned so far.
  mutating func run(
    recorded: Set<String>, numbers: [String: Int64], _ progress: (String) -> Void
  ) throws {
    for records in SystemTables.all where records.key != SystemTables.metadata.key {
      let missing = records.tables.filter { !hasTable($0) }
      guard missing.count < records.tables.count || recorded.contains(records.key) else { continue }
      progress("copying \(records.subject)")
      if !records.isMadeFirst { try target.transaction { try records.make(in: target) } }
      try target.transaction {
        let isWhole = try copy(records, numbers)
        if !isSameFile { try report(records, missing) } else if !isWhole { try handleLoss(records) }
        if records.key == SystemTables.journal.key { try endRuns() }
      }
    }
  }

  private func hasTable(_ table: SystemTables.Table) -> Bool {
    (try? source.hasTable(table.name)) ?? false
  }

  private func count(_ table: String, in connection: Connection) -> Int? {
    (try? connection.number("SELECT count(*) FROM \(name: table) NOT INDEXED")).map(Int.init)
  }

  // MARK: Rows

  /// Copies the readable, valid rows; returns whether these are all.
  private func copy(_ records: SystemTables, _ numbers: [String: Int64]) throws -> Bool {
    let last = records.tables.compactMap { numbers[$0.name] }.max()
    var isWhole = true
    for table in records.tables where isSameFile || !table.isOfFile {
      try copyRows(of: table, upTo: last, endOnly: records.keepsEnd)
      let isNone: SQL = "(\(table.isRow)) IS NOT TRUE"
      let last: SQL = "SELECT max(\(name: table.key)) FROM \(name: table.name) WHERE \(isNone)"
      let isLost: SQL = records.keepsEnd ? "\(name: table.key) <= (\(last))" : isNone
      try connection.run("DELETE FROM \(name: table.name) WHERE \(isLost)")
      let kept = count(table.name, in: connection)
      if kept == nil || kept != count(table.name, in: source) { isWhole = false }
    }
    return isWhole
  }

  private func copyRows(of table: SystemTables.Table, upTo last: Int64?, endOnly: Bool) throws {
    let names: SQL = "SELECT name FROM pragma_table_info(\(.text(table.name)))"
    // A table of an earlier version has fewer columns.
    let known = (try? source.texts(names)) ?? []
    guard known.contains(table.key) else { return }
    let columns =
      try [table.key] + connection.texts(names).filter { known.contains($0) && $0 != table.key }
    let insert = SQL.insertion(into: table.name, columns, orIgnore: true)
    let rows = DamagedTable(source, table.name, columns)
    func add(_ row: Statement) throws {
      try connection.withStatement(insert) { statement in
        try statement.bind(columns.indices.map { row.value(Int32($0)) })
        _ = try statement.step()
      }
    }
    if table.isNumbered, !endOnly {
      try rows.forEachRow(upTo: highest(in: table, given: last), add)
    } else {
      try rows.forEachRowFromEnd(only: endOnly, add)
    }
  }

  /// The highest row id to look for.
  private func highest(in table: SystemTables.Table, given: Int64?) -> Int64 {
    let query: SQL = "SELECT max(\(name: table.key)) FROM \(name: table.name) NOT INDEXED"
    let number = try? source.number(query) ?? 0
    return min([number, given].compactMap { $0 }.max() ?? .max, DamagedTable.highestLikelyNumber)
  }

  // MARK: Losses

  /// Reports the numbers of recovered and lost records of a new file.
  private mutating func report(_ records: SystemTables, _ missing: [SystemTables.Table]) throws {
    guard let kind = records.contents, let table = records.tables.first else { return }
    let saved = count(table.name, in: connection) ?? 0
    let lost = count(table.name, in: source).map { max(0, $0 - saved) }
    results.append(RecordRescue(kind: kind, saved: saved, lost: lost))
    // As in a backup, jobs wait for confirmation: the damaged store may still run them.
    if records.key == SystemTables.queue.key { try connection.suspendJobs() }
  }

  /// Handles a loss in a repaired file: deletes rows that depend on lost ones, and reports it.
  private mutating func handleLoss(_ records: SystemTables) throws {
    if !records.keepsEnd {
      for table in records.tables { try connection.run("DELETE FROM \(name: table.name)") }
    }
    losses.append(records.loss(count(records.tables[0].name, in: connection) ?? 0))
  }

  /// Ends the runs that cannot continue: lost lines may have had side effects.
  private mutating func endRuns() throws {
    var cut: [JournalCheck.Flaw] = []
    try connection.each("SELECT number, name FROM errand_runs WHERE NOT \(JournalCheck.isOver)") {
      row in
      let lines: SQL = "SELECT count(*) FROM errand_journal WHERE run = \(.int(row.int(0)))"
      if try connection.first(lines) != (try? source.first(lines)) {
        cut.append(.init(run: row.int(0), name: row.text(1), isOver: false, loss: "lost lines"))
      }
    }
    let ended = try JournalCheck(connection, values: values)
      .repair(losing: cut, at: target.context.world.now().microseconds)
    losses += ended
    if let last = results.indices.last { results[last].ended = ended.count }
  }
}
