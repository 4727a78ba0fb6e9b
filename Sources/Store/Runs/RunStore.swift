import CEL
import JSON

/// Recorded runs with their journals, and who may write for them.
package struct RunStore {
  let database: Database
  var connection: Connection { database.connection }
  var context: StoreContext { database.context }

  /// Records a run that begins, and gives its number.
  ///
  /// To be called in a transaction, so that nobody hears of a run whose first line is lost.
  package func record(_ draft: RunDraft, state: RecordedRun.State = .running) throws -> Int64 {
    try database.transaction {
      try RecordTables.journal.make(in: database)
      for definition in draft.definitions { try keep(definition) }
      try connection.run(
        """
        INSERT INTO errand_runs \
        (id, name, state, started, durable, mode, process, call, definitions) VALUES \
        (\(.text(draft.id)), \(.text(draft.name)), \(.text(state.rawValue)), \
        \(.int(context.now().microseconds)), \(.int(draft.isDurable ? 1 : 0)), \
        \(draft.mode.map(SQLValue.text) ?? .null), \(.int(Int64(draft.process))), \
        \(.text(draft.call)), \(.text(try Self.list(draft.definitions.map(\.hash)))))
        """)
      let number = connection.lastInsertedID
      if let job = database.session.job {
        // Whoever takes the job over goes on with this run, where it can go on.
        try connection.run(
          "UPDATE errand_jobs SET run = \(.int(number)) WHERE number = \(.int(job.job))")
      }
      if number % Self.pruningInterval == 0 { try prune() }
      return number
    }
  }

  /// Records how far a run has come.
  package func setState(
    _ state: RecordedRun.State, ofRun number: Int64, result: String = "", error: String = ""
  ) throws {
    let ended: SQLValue = state.isOver ? .int(context.now().microseconds) : .null
    try database.transaction {
      try connection.run(
        """
        UPDATE errand_runs SET state = \(.text(state.rawValue)), ended = \(ended), \
        result = \(.text(result)), error = \(.text(error)) WHERE number = \(.int(number))
        """)
      if state == .done, let job = database.session.job,
        try connection.exists(
          """
          SELECT 1 FROM errand_jobs WHERE number = \(.int(job.job)) \
          AND run = \(.int(number))
          """)
      {
        // The last of what a run writes and the end of its job are one transaction.
        try database.jobs.finish(job)
      }
      if state.isOver || state == .suspended {
        try connection.run("DELETE FROM errand_leases WHERE run = \(.int(number))")
      }
    }
  }

  /// Writes what came up of a run, within the open transaction: its beginning where the store does not
  /// have it, its lines, and its end.
  package func write(_ record: RunRecord) throws {
    let number = try record.number ?? self.record(record.draft)
    record.number = number
    try insert(record.takeLines(), intoRun: number)
    guard let end = record.end, !record.isEndWritten else { return }
    record.isEndWritten = true
    try setState(end.state, ofRun: number, result: end.result, error: end.error)
  }

  /// Records that a process goes on with a run.
  package func takeOver(run number: Int64, process: Int32) throws {
    try database.transaction {
      try connection.run(
        """
        UPDATE errand_runs SET state = 'running', ended = NULL, wanted = NULL, error = '', \
        process = \(.int(Int64(process))) WHERE number = \(.int(number))
        """)
    }
  }

  /// Adds lines to the journal of a run.
  package func append(_ lines: [JournalLine], toRun number: Int64) throws {
    guard !lines.isEmpty else { return }
    try database.transaction { try insert(lines, intoRun: number) }
  }

  /// Adds lines within the open transaction.
  func insert(_ lines: [JournalLine], intoRun number: Int64) throws {
    try connection.withStatement(
      """
      INSERT INTO errand_journal (run, line, key, kind, name, time, took, data) \
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """
    ) { statement in
      for line in lines {
        try statement.bind([
          .int(number), .int(line.number), .text(line.key), .int(line.kind.rawValue),
          .text(line.name), .int(line.time.microseconds), .int(line.took), .text(line.data),
        ])
        _ = try statement.step()
        statement.rewind()
      }
    }
  }

  /// Forgets lines of a run's journal.
  package func removeLines(_ numbers: [Int64], ofRun run: Int64) throws {
    try database.transaction {
      for number in numbers {
        try connection.run(
          "DELETE FROM errand_journal WHERE run = \(.int(run)) AND line = \(.int(number))")
      }
    }
  }

  /// Adds to what a run goes on with.
  package func addDefinitions(
    _ definitions: [(hash: String, text: String)], toRun number: Int64
  ) throws {
    try database.transaction {
      guard let run = try run(number) else { return }
      var hashes = run.definitions
      for definition in definitions where !hashes.contains(definition.hash) {
        hashes.append(definition.hash)
        try keep(definition)
      }
      try connection.run(
        """
        UPDATE errand_runs SET definitions = \(.text(try Self.list(hashes))) \
        WHERE number = \(.int(number))
        """)
    }
  }

  private func keep(_ definition: (hash: String, text: String)) throws {
    try connection.run(
      """
      INSERT OR IGNORE INTO errand_contents (hash, text) \
      VALUES (\(.text(definition.hash)), \(.text(definition.text)))
      """)
  }

  private static func list(_ texts: [String]) throws -> String {
    try LoggedColumns.text(of: .list(texts.map(Value.string)))
  }

  // MARK: Reading

  /// The columns of a run in the order in which `run` reads them.
  private static let runColumns: SQL = """
    number, id, name, state, started, ended, durable, mode, process, call, result, error, definitions
    """

  /// The runs that are meant, the latest first.
  package func recorded(_ selection: RunSelection) throws -> [RecordedRun] {
    guard try RecordTables.journal.exist(in: database) else { return [] }
    var conditions: [SQL] = ["1"]
    if let name = selection.name { conditions.append("name = \(.text(name))") }
    if selection.isFailed { conditions.append("state IN ('failed', 'running')") }
    var runs: [RecordedRun] = []
    try connection.rows(
      """
      SELECT \(Self.runColumns) FROM errand_runs \
      WHERE \(SQL.joined(conditions, separator: " AND ")) \
      ORDER BY number DESC
      """
    ) { row in
      let run = try run(row)
      if !selection.isFailed || run.state == .failed || run.state == .interrupted {
        runs.append(run)
      }
      return runs.count < selection.limit
    }
    return runs
  }

  /// The run of a number; nil when there is none.
  package func run(_ number: Int64) throws -> RecordedRun? {
    try run(where: "number = \(.int(number))")
  }

  /// The run of an id, or of the only one that begins so; nil when there is none.
  package func run(id: String) throws -> RecordedRun? {
    try run(where: "substr(id, 1, \(.int(Int64(id.unicodeScalars.count)))) = \(.text(id))")
  }

  /// The run of an id; nil when there is none.
  func run(exactID id: String) throws -> RecordedRun? {
    try run(where: "id = \(.text(id))")
  }

  /// The latest run, of a name or of all; nil when there is none.
  package func latest(of name: String? = nil) throws -> RecordedRun? {
    var selection = RunSelection(limit: 1)
    selection.name = name
    return try recorded(selection).first
  }

  private func run(where condition: SQL) throws -> RecordedRun? {
    guard try RecordTables.journal.exist(in: database) else { return nil }
    return try connection.firstRow(
      "SELECT \(Self.runColumns) FROM errand_runs WHERE \(condition) ORDER BY number DESC LIMIT 1",
      run)
  }

  private func run(_ row: Statement) throws -> RecordedRun {
    var hashes: [String] = []
    if case .list(let values)? = try? JSONParser().parse(row.text(12)) {
      hashes = values.compactMap { if case .string(let text) = $0 { text } else { nil } }
    }
    var run = RecordedRun(
      number: row.int(0), id: row.text(1), name: row.text(2),
      state: RecordedRun.State(rawValue: row.text(3)) ?? .failed,
      started: Timestamp(microseconds: row.int(4)),
      ended: row.optionalInt(5).map(Timestamp.init(microseconds:)),
      isDurable: row.int(6) == 1, mode: row.optionalText(7),
      process: Int32(clamping: row.int(8)), call: row.text(9), result: row.text(10),
      error: row.text(11), definitions: hashes)
    if run.state == .running || run.state == .waiting, !isAlive(run) { run.state = .interrupted }
    return run
  }

  /// The lines of a run's journal, in their order.
  package func lines(ofRun number: Int64) throws -> [JournalLine] {
    return try connection.map(
      """
      SELECT line, key, kind, name, time, took, data FROM errand_journal \
      WHERE run = \(.int(number)) ORDER BY line
      """
    ) { row in
      JournalLine(
        number: row.int(0), key: row.text(1),
        kind: JournalLine.Kind(rawValue: row.int(2)) ?? .decided, name: row.text(3),
        time: Timestamp(microseconds: row.int(4)), took: row.int(5), data: row.text(6))
    }
  }

  /// The texts of the definitions that a run goes on with.
  ///
  /// - Throws: `notFound` when one of them is not there any more.
  package func definitions(ofRun run: RecordedRun) throws -> [String] {
    try run.definitions.map { hash in
      guard
        let text = try connection.text(
          "SELECT text FROM errand_contents WHERE hash = \(.text(hash))")
      else {
        throw StoreError(
          .notFound, "run \(run.number) can't go on: the store no longer has all its definitions")
      }
      return text
    }
  }

  /// What is wanted of a run that goes on, such as `cancel`; nil when nothing is.
  package func wanted(ofRun number: Int64) throws -> String? {
    return try connection.text(
      "SELECT wanted FROM errand_runs WHERE number = \(.int(number))")
  }

  /// Notes what is wanted of a run that goes on, and takes away its right to write.
  package func want(_ what: String, ofRun number: Int64) throws {
    try database.transaction {
      try connection.run(
        "UPDATE errand_runs SET wanted = \(.text(what)) WHERE number = \(.int(number))")
    }
  }

  // MARK: Pruning

  /// After how many runs those that are over are looked through.
  package static let pruningInterval: Int64 = 32
  /// How many runs that are over are kept at most.
  package static let kept: Int64 = 2_000
  /// How many lines of a run that is over are kept at most.
  private static let keptLines: Int64 = 5_000
  /// How long a value of a run that is over may be, in bytes, so that it is kept.
  private static let keptValue: Int64 = 1_000

  /// Forgets runs that are over for long enough, and what takes much room of the others.
  ///
  /// One that can still go on is kept whatever its age.
  /// - Parameter time: For how long they are kept, in microseconds; as the context says when nil.
  /// - Returns: How many runs were forgotten.
  /// - Complexity: O(runs + their lines).
  @discardableResult
  package func prune(
    olderThan time: Int64? = nil, keeping count: Int64 = kept
  ) throws -> Int {
    guard try RecordTables.journal.exist(in: database) else { return 0 }
    return try database.transaction {
      let cutoff = context.now().microseconds - (time ?? context.keptRunTime())
      // A run that was never ended belongs to a process that died, unless it can be resumed.
      let isOver: SQL = """
        (state IN ('done', 'failed', 'cancelled') OR NOT durable AND started < \(.int(cutoff)))
        """
      let leaving: SQL = """
        SELECT number FROM errand_runs WHERE \(isOver) AND (coalesce(ended, started) < \
        \(.int(cutoff)) OR number NOT IN (SELECT number FROM errand_runs WHERE \(isOver) \
        ORDER BY number DESC LIMIT \(.int(count))))
        """
      try connection.run("DELETE FROM errand_journal WHERE run IN (\(leaving))")
      try connection.run("DELETE FROM errand_runs WHERE number IN (\(leaving))")
      let forgotten = connection.changes
      let kept: SQL = "run IN (SELECT number FROM errand_runs WHERE state = 'done')"
      try connection.run(
        "DELETE FROM errand_journal WHERE \(kept) AND line > \(.int(Self.keptLines))")
      try connection.run(
        """
        UPDATE errand_journal SET data = '' WHERE \(kept) AND length(data) > \(.int(Self.keptValue))
        """)
      try connection.run(
        """
        DELETE FROM errand_contents WHERE hash NOT IN \
        (SELECT value FROM errand_runs, json_each(errand_runs.definitions))
        """)
      return forgotten
    }
  }

  /// The hashes of the values that lines of journals have in files.
  package func hashesInJournal() throws -> Set<String> {
    guard try RecordTables.journal.exist(in: database) else { return [] }
    return Set(
      try connection.texts(
        """
        SELECT substr(data, 2) FROM errand_journal WHERE substr(data, 1, 1) = '#'
        """))
  }
}
