import CEL
import Store

/// What became of the records of one kind when a damaged store was rescued.
package struct RecordRescue: Hashable, Sendable {
  /// What the records are: `runs`, `jobs` or `shares`.
  package let kind: String
  /// How many were saved.
  package internal(set) var saved = 0
  /// How many more the store had; nil when what tells it is damaged.
  package internal(set) var lost: Int?
  /// How many runs that were not over have lost a part of their journal, so that they can't go on.
  package internal(set) var ended = 0

  /// Whether each record was saved with all it had.
  package var isWhole: Bool { lost == 0 && ended == 0 }
}

/// Takes the tables of the store's own, but what it records about itself, from a damaged file.
struct RecordRecovery {
  let source: Connection
  let target: Database
  /// The folder with the large values of the damaged store.
  let values: String
  /// Whether the file itself goes on: what belongs together then comes along whole or not at all.
  let isSameFile: Bool
  /// What could not be kept, a sentence each.
  private(set) var losses: [String] = []
  /// What became of the records.
  private(set) var results: [RecordRescue] = []
  private var connection: Connection { target.connection }

  init(from source: Connection, to target: Database, values: String, isSameFile: Bool) {
    self.source = source
    self.target = target
    self.values = values
    self.isSameFile = isSameFile
  }

  /// Takes along what can be read of tables that are there, or were by what was recorded.
  ///
  /// - Parameter numbers: The highest numbers given so far.
  mutating func run(
    recorded: Set<String>, numbers: [String: Int64], _ progress: (String) -> Void
  ) throws {
    for records in RecordTables.all where records.key != RecordTables.metadata.key {
      let missing = records.tables.filter { !hasTable($0) }
      guard missing.count < records.tables.count || recorded.contains(records.key) else { continue }
      progress("copying \(records.subject)")
      if !records.isMadeFirst { try target.transaction { try records.make(in: target) } }
      try target.transaction {
        let isWhole = try copy(records, numbers)
        if !isSameFile { try tell(records, missing) } else if !isWhole { try lose(records) }
        if records.key == RecordTables.journal.key { try endRuns() }
      }
    }
  }

  private func hasTable(_ table: RecordTables.Table) -> Bool {
    (try? source.hasTable(table.name)) ?? false
  }

  private func count(_ table: String, in connection: Connection) -> Int? {
    let count = try? connection.first("SELECT count(*) FROM \(name: table) NOT INDEXED")
    return if case .int(let count)? = count { Int(count) } else { nil }
  }

  // MARK: Rows

  /// Copies the rows that can be read and that a store writes; whether these are all.
  private func copy(_ records: RecordTables, _ numbers: [String: Int64]) throws -> Bool {
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

  private func copyRows(
    of table: RecordTables.Table, upTo last: Int64?, endOnly: Bool
  ) throws {
    let names: SQL = "SELECT name FROM pragma_table_info(\(.text(table.name)))"
    // A table in an earlier form has fewer.
    let known = (try? source.texts(names)) ?? []
    guard known.contains(table.key) else { return }
    let columns =
      try [table.key] + connection.texts(names).filter { known.contains($0) && $0 != table.key }
    let list = columns.map(SQL.quoted).joined(separator: ", ")
    let marks = columns.map { _ in "?" }.joined(separator: ", ")
    let insert =
      "INSERT OR IGNORE INTO \(SQL.quoted(table.name)) (\(list)) VALUES (\(marks))"
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

  /// The number up to which rows are looked for.
  private func highest(in table: RecordTables.Table, given: Int64?) -> Int64 {
    let present = try? source.first(
      "SELECT max(\(name: table.key)) FROM \(name: table.name) NOT INDEXED")
    let number: Int64? =
      switch present {
      case .int(let number)?: number
      case nil: nil
      default: 0
      }
    return min([number, given].compactMap { $0 }.max() ?? .max, DamagedTable.highestLikelyNumber)
  }

  // MARK: What is lost

  /// Tells how many records were saved to a new file, and how many were not.
  private mutating func tell(_ records: RecordTables, _ missing: [RecordTables.Table]) throws {
    guard let kind = records.contents, let table = records.tables.first else { return }
    let saved = count(table.name, in: connection) ?? 0
    let lost = count(table.name, in: source).map { max(0, $0 - saved) }
    results.append(RecordRescue(kind: kind, saved: saved, lost: lost))
    // As in a backup they wait for the person: the damaged store may go on with them.
    if records.key == RecordTables.queue.key { try connection.suspendJobs() }
  }

  /// Tells what is lost in the file itself, of which nothing is kept that needs it.
  private mutating func lose(_ records: RecordTables) throws {
    if !records.keepsEnd {
      for table in records.tables { try connection.run("DELETE FROM \(name: table.name)") }
    }
    losses.append(records.loss(count(records.tables[0].name, in: connection) ?? 0))
  }

  /// Ends the runs that can't go on: what is lost of a journal may have been done.
  private mutating func endRuns() throws {
    var cut: [JournalCheck.Flaw] = []
    try connection.rows("SELECT number, name FROM errand_runs WHERE NOT \(JournalCheck.isOver)") {
      row in
      let lines: SQL = "SELECT count(*) FROM errand_journal WHERE run = \(.int(row.int(0)))"
      if try connection.first(lines) != (try? source.first(lines)) {
        cut.append(.init(run: row.int(0), name: row.text(1), isOver: false, loss: "lost lines"))
      }
      return true
    }
    let ended = try JournalCheck(connection, values: values)
      .mend(losing: cut, at: target.context.now().microseconds)
    losses += ended
    if let last = results.indices.last { results[last].ended = ended.count }
  }
}
