import Store

/// Takes the records of a damaged store along: runs with their journals, jobs, receipts of shares.
///
/// A run goes on only from a journal that is whole: what can't be read of it may have been done.
struct RecordSaving {
  private let source: Connection
  private let target: EntityStore
  /// The folder with the large values of the damaged store.
  private let values: String
  private var connection: Connection { target.connection }

  init(from source: Connection, to target: EntityStore, values: String) {
    self.source = source
    self.target = target
    self.values = values
  }

  /// Saves what can be read of the records that a store had by what it recorded.
  func run(_ recorded: Set<String>, _ progress: (String) -> Void) throws -> [RecordRescue] {
    var results: [RecordRescue] = []
    for kind in RecordRescue.Kind.allCases {
      let tables = kind.tables
      let isThere = reading { try source.hasTable(tables.names[0]) } ?? false
      guard isThere || recorded.contains(tables.key) else { continue }
      progress("reading the \(kind.rawValue)")
      try target.transaction { try tables.remake(in: target) }
      var result = RecordRescue(kind)
      if isThere {
        switch kind {
        case .runs: try saveRuns(&result)
        case .jobs: try saveJobs(&result)
        case .shares: try saveReceipts(&result)
        }
      }
      results.append(result)
    }
    return results
  }

  /// The value of a body; nil where what it reads is damaged.
  private func reading<Result>(_ body: () throws -> Result) -> Result? { try? body() }

  /// Sets how many of a table's rows are lost, as far as that can be known.
  private func count(_ result: inout RecordRescue, _ table: String) {
    guard
      case .int(let all)?? = reading({ try source.first("SELECT count(*) FROM \(name: table)") })
    else { return }
    result.lost = max(0, Int(all) - result.saved)
  }

  // MARK: Runs

  private static let runColumns: [String] = [
    "number", "id", "name", "state", "started", "ended", "durable", "mode", "wanted", "process",
    "call", "result", "error", "definitions",
  ]

  /// Tells a row that can be no run's.
  private static let isNoRun: SQL = """
    typeof(name) <> 'text' OR typeof(state) <> 'text' OR typeof(started) <> 'integer' \
    OR NOT json_valid(definitions) OR json_type(definitions) <> 'array'
    """

  /// Tells a row that can be no job's.
  private static let isNoJob: SQL = """
    typeof(handler) <> 'text' OR NOT json_valid(input) OR NOT json_valid(arguments) \
    OR typeof(due) <> 'integer' \
    OR state NOT IN ('waiting', 'running', 'done', 'dead', 'cancelled', 'suspended')
    """

  private func saveRuns(_ result: inout RecordRescue) throws {
    var highest: Int64 = 0
    try target.transaction {
      try forEachRow(of: "errand_runs", Self.runColumns) { number, row in
        guard (1...StoreRescue.highestLikelyNumber).contains(number),
          try insert(row, Self.runColumns, into: "errand_runs")
        else { return }
        let isThisRun: SQL = "number = \(.int(number))"
        if try remove("errand_runs", where: "\(isThisRun) AND (\(Self.isNoRun))") { return }
        highest = max(highest, number)
        result.saved += 1
        let isWhole = try saveJournal(of: number)
        guard !isWhole else { return }
        try connection.run(
          """
          UPDATE errand_runs SET state = 'cancelled', ended = coalesce(ended, started) \
          WHERE number = \(.int(number)) AND state NOT IN ('done', 'failed', 'cancelled')
          """)
        result.ended += connection.changes
      }
      if highest > 0 { try connection.setHighestNumber(of: "errand_runs", atLeast: highest) }
    }
    count(&result, "errand_runs")
  }

  /// Saves the lines of a run and what it goes on with; false when some of that is lost.
  private func saveJournal(of run: Int64) throws -> Bool {
    let columns = ["run", "line", "key", "kind", "name", "time", "took", "data"]
    let names = columns.joined(separator: ", ")
    var isWhole = true
    let lines = reading {
      var lines: [[SQLValue]] = []
      try source.rows(
        "SELECT \(raw: names) FROM errand_journal WHERE run = \(.int(run)) ORDER BY line"
      ) { row in
        lines.append(columns.indices.map { row.value(Int32($0)) })
        return true
      }
      return lines
    }
    for line in lines ?? [] {
      isWhole = try insert(line, columns, into: "errand_journal") && isWhole
    }
    let isNoLine: SQL =
      "run = \(.int(run)) AND (typeof(key) <> 'text' OR typeof(kind) <> 'integer')"
    if try remove("errand_journal", where: isNoLine) { isWhole = false }
    let hashes = try connection.texts(
      """
      SELECT value FROM errand_runs, json_each(errand_runs.definitions) \
      WHERE number = \(.int(run))
      """)
    for hash in hashes {
      let text = reading {
        try source.first("SELECT text FROM errand_contents WHERE hash = \(.text(hash))")
      }
      guard case .text(let text)?? = text else {
        isWhole = false
        continue
      }
      try connection.run(
        """
        INSERT OR IGNORE INTO errand_contents (hash, text) VALUES (\(.text(hash)), \(.text(text)))
        """)
    }
    let flaws = try JournalCheck(connection, values: values).flaws(ofRun: run)
    return isWhole && lines != nil && flaws.isEmpty
  }

  // MARK: Jobs and receipts

  private func saveJobs(_ result: inout RecordRescue) throws {
    let names: SQL = "SELECT name FROM pragma_table_info('errand_jobs')"
    // A queue in an earlier form has fewer.
    let known = reading { try source.texts(names) } ?? []
    let columns = try connection.texts(names).filter(known.contains)
    try target.transaction {
      var highest: Int64 = 0
      try forEachRow(of: "errand_jobs", columns) { number, row in
        let isThisJob: SQL = "number = \(.int(number))"
        guard try insert(row, columns, into: "errand_jobs"),
          try !remove("errand_jobs", where: "\(isThisJob) AND (\(Self.isNoJob))")
        else { return }
        highest = max(highest, number)
        result.saved += 1
        // As those of a backup they wait for the person: the damaged store may go on with them.
        try connection.run(
          """
          UPDATE errand_jobs SET state = 'suspended', fence = NULL, seat = NULL \
          WHERE number = \(.int(number)) AND state IN ('waiting', 'running')
          """)
      }
      if highest > 0 { try connection.setHighestNumber(of: "errand_jobs", atLeast: highest) }
    }
    count(&result, "errand_jobs")
  }

  private func saveReceipts(_ result: inout RecordRescue) throws {
    let columns = ["share", "time"]
    var rows: [[SQLValue]] = []
    do {
      try source.rows("SELECT share, time FROM errand_receipts") { row in
        rows.append([row.value(0), row.value(1)])
        return true
      }
    } catch let error as StoreError where error.isDamage {
      // Those that were read are a beginning.
    }
    try target.transaction {
      for row in rows where try insert(row, columns, into: "errand_receipts") { result.saved += 1 }
    }
    count(&result, "errand_receipts")
  }

  // MARK: Rows

  /// Reads the rows of a table with the key `number` that can be read.
  private func forEachRow(
    of table: String, _ columns: [String], _ body: (Int64, [SQLValue]) throws -> Void
  ) throws {
    let highest = reading { try source.first("SELECT max(number) FROM \(name: table) NOT INDEXED") }
    let given = reading {
      try source.first("SELECT seq FROM sqlite_sequence WHERE name = \(.text(table))")
    }
    var last: Int64 = 0
    for case .int(let number)?? in [highest, given] where number <= StoreRescue.highestLikelyNumber
    {
      last = max(last, number)
    }
    guard last > 0 else { return }
    let names = columns.map(SQL.quoted).joined(separator: ", ")
    let select: SQL = "SELECT number, \(raw: names) FROM \(name: table) NOT INDEXED"
    try DamagedTable(source, select, key: "number").forEachRow(from: 1, to: last) { row in
      try body(row.int(0), columns.indices.map { row.value(Int32($0) + 1) })
    }
  }

  /// Removes rows; whether there were any.
  private func remove(_ table: String, where condition: SQL) throws -> Bool {
    try connection.run("DELETE FROM \(name: table) WHERE \(condition)")
    return connection.changes > 0
  }

  /// Saves a row; false when it can be none of the table.
  private func insert(_ row: [SQLValue], _ columns: [String], into table: String) throws -> Bool {
    let names = columns.map(SQL.quoted).joined(separator: ", ")
    let values = row.map { "\($0)" as SQL }
    try connection.run(
      """
      INSERT OR IGNORE INTO \(name: table) (\(raw: names)) \
      VALUES (\(SQL.joined(values, separator: ", ")))
      """)
    return connection.changes == 1
  }
}

extension RecordRescue.Kind {
  /// The tables that hold such records, the first of which has a row for each.
  fileprivate var tables: RecordTables {
    switch self {
    case .runs: .journal
    case .jobs: .queue
    case .shares: .receipts
    }
  }
}
