import CEL
import JSON
import POSIX

/// Recorded runs with their journals and leases.
package struct RunStore {
  let database: Database
  var connection: Connection { database.connection }
  var context: StoreContext { database.context }

  /// Records a new run and returns its row id.
  ///
  /// Call this in a transaction, so that no run is visible without its first line.
  package func record(_ newRun: NewRun, state: RecordedRun.State = .running) throws -> Int64 {
    try database.transaction {
      try SystemTables.journal.make(in: database)
      for definition in newRun.definitions { try keep(definition) }
      try connection.run(
        """
        INSERT INTO errand_runs \
        (id, name, state, started, durable, mode, process, call, definitions) VALUES \
        (\(.text(newRun.id)), \(.text(newRun.name)), \(.text(state.rawValue)), \
        \(.int(context.world.now().microseconds)), \(.int(newRun.isDurable ? 1 : 0)), \
        \(newRun.mode.map(SQLValue.text) ?? .null), \(.int(Int64(newRun.process))), \
        \(.text(newRun.call)), \(.text(try Self.list(newRun.definitions.map(\.hash)))))
        """)
      let number = connection.lastInsertedID
      if let job = database.session.job {
        // The job's next owner resumes this run, if possible.
        try connection.run(
          "UPDATE errand_jobs SET run = \(.int(number)) WHERE number = \(.int(job.job))")
      }
      if number % Self.pruningInterval == 0 { try prune() }
      return number
    }
  }

  /// Records the state of a run.
  package func setState(
    _ state: RecordedRun.State, ofRun number: Int64, result: String = "", error: String = ""
  ) throws {
    let ended: SQLValue = state.isOver ? .int(context.world.now().microseconds) : .null
    try database.transaction {
      try connection.run(
        """
        UPDATE errand_runs SET state = \(.text(state.rawValue)), ended = \(ended), \
        result = \(.text(result)), error = \(.text(error)) WHERE number = \(.int(number))
        """)
      if state == .done, let job = database.session.job,
        try connection.exists(
          "SELECT 1 FROM errand_jobs WHERE number = \(.int(job.job)) AND run = \(.int(number))")
      {
        // A run's last writes and the end of its job are one transaction.
        try database.jobs.finish(job)
      }
      if state.isOver || state == .suspended {
        try connection.run("DELETE FROM errand_leases WHERE run = \(.int(number))")
      }
    }
  }

  /// Writes the pending records of a run within the open transaction: its start if it is new, its
  /// journal lines, and its end.
  package func write(_ record: PendingRun) throws {
    let number = try record.number ?? self.record(record.newRun)
    record.number = number
    try insert(record.takeLines(), intoRun: number)
    if let text = record.transcript?() {
      try SystemTables.journal.make(in: database)
      try connection.run(
        """
        INSERT INTO errand_transcripts (run, text) VALUES (\(.int(number)), \(.text(text))) \
        ON CONFLICT (run) DO UPDATE SET text = excluded.text
        """)
    }
    guard let end = record.end, !record.isEndWritten else { return }
    record.isEndWritten = true
    try setState(end.state, ofRun: number, result: end.result, error: end.error)
  }

  /// Records that a process resumes a run.
  package func takeOver(run number: Int64, process: Int32) throws {
    try database.write(
      """
      UPDATE errand_runs SET state = 'running', ended = NULL, wanted = NULL, error = '', \
      process = \(.int(Int64(process))) WHERE number = \(.int(number))
      """)
  }

  /// Appends lines to the journal of a run.
  package func append(_ lines: [JournalLine], toRun number: Int64) throws {
    guard !lines.isEmpty else { return }
    try database.transaction { try insert(lines, intoRun: number) }
  }

  /// Inserts lines within the open transaction.
  func insert(_ lines: [JournalLine], intoRun number: Int64) throws {
    for line in lines {
      try connection.run(
        """
        INSERT INTO errand_journal (run, line, key, kind, name, time, took, data) VALUES \
        (\(.int(number)), \(.int(line.number)), \(.text(line.key)), \(.int(line.kind.rawValue)), \
        \(.text(line.name)), \(.int(line.time.microseconds)), \(.int(line.took.microseconds)), \(.text(line.data)))
        """)
    }
  }

  /// Deletes lines of a run's journal.
  package func removeLines(_ numbers: [Int64], ofRun run: Int64) throws {
    try database.transaction {
      for number in numbers {
        try connection.run(
          "DELETE FROM errand_journal WHERE run = \(.int(run)) AND line = \(.int(number))")
      }
    }
  }

  /// Adds definitions to those that a run uses.
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

  /// The columns of a run in the order of `run`.
  private static let runColumns: SQL = """
    number, id, name, state, started, ended, durable, mode, process, call, result, error, definitions
    """

  /// The runs that match a filter, latest first.
  package func recorded(_ selection: RunSelection) throws -> [RecordedRun] {
    guard try SystemTables.journal.exist(in: database) else { return [] }
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

  /// The run with a row id; nil when there is none.
  package func run(_ number: Int64) throws -> RecordedRun? {
    try run(where: "number = \(.int(number))")
  }

  /// The latest run with an id or id prefix; nil when there is none.
  package func run(id: String) throws -> RecordedRun? {
    try run(where: "substr(id, 1, \(.int(Int64(id.unicodeScalars.count)))) = \(.text(id))")
  }

  /// The run with an id; nil when there is none.
  func run(exactID id: String) throws -> RecordedRun? {
    try run(where: "id = \(.text(id))")
  }

  /// The latest run, of one name or of all; nil when there is none.
  package func latest(of name: String? = nil) throws -> RecordedRun? {
    var selection = RunSelection(limit: 1)
    selection.name = name
    return try recorded(selection).first
  }

  private func run(where condition: SQL) throws -> RecordedRun? {
    guard try SystemTables.journal.exist(in: database) else { return nil }
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
      ended: row.optionalInt(5).map(Timestamp.init(microseconds:)), isDurable: row.int(6) == 1,
      mode: row.optionalText(7), process: Int32(clamping: row.int(8)), call: row.text(9),
      result: row.text(10), error: row.text(11), definitions: hashes)
    if run.state == .running || run.state == .waiting, !isAlive(run) { run.state = .interrupted }
    return run
  }

  /// The lines of a run's journal, in order.
  package func lines(ofRun number: Int64) throws -> [JournalLine] {
    try connection.map(
      """
      SELECT line, key, kind, name, time, took, data FROM errand_journal \
      WHERE run = \(.int(number)) ORDER BY line
      """
    ) { row in
      JournalLine(
        number: row.int(0), key: row.text(1),
        kind: JournalLine.Kind(rawValue: row.int(2)) ?? .decided, name: row.text(3),
        time: Timestamp(microseconds: row.int(4)), took: .microseconds(row.int(5)),
        data: row.text(6))
    }
  }

  /// The transcript of a run as text; nil when it has none.
  package func transcript(ofRun number: Int64) throws -> String? {
    let tables = SystemTables.journal
    guard try tables.exist(in: database), try tables.isCurrent(in: database) else { return nil }
    return try connection.text(
      "SELECT text FROM errand_transcripts WHERE run = \(.int(number))")
  }

  /// The texts of the definitions that a run uses.
  ///
  /// - Throws: `notFound` when a definition was deleted.
  package func definitions(ofRun run: RecordedRun) throws -> [String] {
    try run.definitions.map { hash in
      guard
        let text = try connection.text(
          "SELECT text FROM errand_contents WHERE hash = \(.text(hash))")
      else {
        throw StoreError(
          .notFound, "run \(run.number) cannot go on: the store no longer has all its definitions")
      }
      return text
    }
  }

  /// A request to an active run, such as `cancel`; nil when there is none.
  package func wanted(ofRun number: Int64) throws -> String? {
    try connection.text("SELECT wanted FROM errand_runs WHERE number = \(.int(number))")
  }

  /// Records a request to an active run.
  package func want(_ what: String, ofRun number: Int64) throws {
    try database.write(
      "UPDATE errand_runs SET wanted = \(.text(what)) WHERE number = \(.int(number))")
  }

  // MARK: Pruning

  /// The number of runs between prunings.
  package static let pruningInterval: Int64 = 32
  /// The maximum number of finished runs.
  package static let kept: Int64 = 2_000
  /// The maximum number of journal lines per finished run.
  private static let keptLines: Int64 = 5_000
  /// The maximum size of a value in a finished run's journal, in bytes.
  private static let keptValue: Int64 = 1_000

  /// Deletes old finished runs, and trims the journals of the remaining ones.
  ///
  /// Resumable runs are kept regardless of age.
  /// - Parameter time: The retention; nil for the context's.
  /// - Returns: The number of deleted runs.
  /// - Complexity: O(runs + their lines).
  @discardableResult
  package func prune(
    olderThan time: Duration? = nil, keeping count: Int64 = kept
  ) throws -> Int {
    guard try SystemTables.journal.exist(in: database) else { return 0 }
    return try database.transaction {
      try SystemTables.journal.make(in: database)
      let cutoff =
        context.world.now().microseconds - (time ?? context.rules.runRetention()).microseconds
      // A run without an end belongs to a dead process, unless it can be resumed.
      let isOver: SQL =
        "(state IN ('done', 'failed', 'cancelled') OR NOT durable AND started < \(.int(cutoff)))"
      let leaving: SQL = """
        SELECT number FROM errand_runs WHERE \(isOver) AND (coalesce(ended, started) < \
        \(.int(cutoff)) OR number NOT IN (SELECT number FROM errand_runs WHERE \(isOver) \
        ORDER BY number DESC LIMIT \(.int(count))))
        """
      try connection.run("DELETE FROM errand_journal WHERE run IN (\(leaving))")
      try connection.run("DELETE FROM errand_transcripts WHERE run IN (\(leaving))")
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

  /// The hashes of journal values that are stored in files.
  package func hashesInJournal() throws -> Set<String> {
    guard try SystemTables.journal.exist(in: database) else { return [] }
    return Set(
      try connection.texts(
        "SELECT substr(data, 2) FROM errand_journal WHERE substr(data, 1, 1) = '#'"))
  }
}
