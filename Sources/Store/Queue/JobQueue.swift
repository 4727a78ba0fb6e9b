package import CEL
import Items

/// Jobs: put into the queue, looked at, changed by people, taken, done and ended.
package struct JobQueue {
  let database: Database
  var connection: Connection { database.connection }
  var context: StoreContext { database.context }
  var session: WriteSession { database.session }

  /// Puts a job into the queue, within the open transaction where there is one.
  ///
  /// - Returns: Its number; nil where a waiting job of the same handler and key is there already.
  package func enqueue(_ job: NewJob) throws -> Int64? {
    try database.transaction {
      try RecordTables.queue.make(in: database)
      let now = context.now().microseconds
      try connection.run(
        """
        INSERT OR IGNORE INTO errand_jobs (state, handler, input, arguments, key, requires, \
        exclusive, origin, chain, created, due, stamped, times, delay, backoff, longest, error, \
        ended, permissions) VALUES (\(.text(job.refusal == nil ? "waiting" : "dead")), \(.text(job.handler)), \(.text(job.input)), \(.text(job.arguments)), \
        \(job.key.map(SQLValue.text) ?? .null), \(.int(Requirement.mask(of: job.requires))), \
        \(.int(Self.exclusion(of: job))), \(.text(job.origin)), \(.text(try chain(of: job))), \
        \(.int(now)), \
        \(.int(job.notBefore?.microseconds ?? now)), \(.int(now)), \(.int(Int64(job.retry.times))), \
        \(.int(job.retry.delay)), \(.double(job.retry.backoff)), \(.int(job.retry.longest)), \
        \(.text(job.refusal ?? "")), \(job.refusal == nil ? SQLValue.null : .int(now)), \
        \(job.permissions.map(SQLValue.text) ?? .null))
        """)
      guard connection.changes == 1 else { return nil }
      session.enqueuedJobs.append(connection.lastInsertedID)
      return connection.lastInsertedID
    }
  }

  /// The automations that lead to a job, with spaces between.
  private func chain(of job: NewJob) throws -> String {
    if let chain = job.chain { return chain.joined(separator: " ") }
    guard let lease = session.job,
      let chain = try connection.text(
        "SELECT chain FROM errand_jobs WHERE number = \(.int(lease.job))")
    else { return "" }
    return chain
  }

  /// Whether the store has a queue.
  package var isThere: Bool { get throws { try RecordTables.queue.exist(in: database) } }

  // MARK: Looking

  /// The columns of a job in the order in which `job` reads them.
  ///
  /// Jobs of a queue in its first form are held to nothing.
  var jobColumns: SQL {
    get throws {
      let permissions: SQL =
        try RecordTables.queue.isCurrent(in: database) ? "permissions" : "NULL"
      return """
        number, state, handler, input, arguments, key, requires, origin, created, due, times, \
        delay, backoff, longest, attempts, deaths, fence, process, started, ended, run, error, \
        \(permissions)
        """
    }
  }

  /// The jobs that are meant, the latest first.
  package func all(_ selection: JobSelection = JobSelection()) throws -> [Job] {
    guard try isThere else { return [] }
    return try connection.map(
      """
      SELECT \(try jobColumns) FROM errand_jobs WHERE \(Self.condition(of: selection)) \
      ORDER BY number DESC LIMIT \(.int(Int64(clamping: selection.limit)))
      """
    ) { row in Self.job(row) }
  }

  /// The job of a number; nil when there is none.
  package func job(_ number: Int64) throws -> Job? {
    try all(JobSelection(numbers: [number])).first
  }

  /// The job that a recorded run does; nil for a run that does none.
  package func running(ofRun run: Int64) throws -> Job? {
    try all(JobSelection(states: [.running])).first { $0.run == run }
  }

  static func condition(of selection: JobSelection) -> SQL {
    var conditions: [SQL] = ["1"]
    if let numbers = selection.numbers {
      conditions.append(
        "number IN (\(SQL.joined(numbers.map { "\(.int($0))" as SQL }, separator: ", ")))")
    }
    if let states = selection.states {
      conditions.append(
        "state IN (\(SQL.joined(states.map { "\(.text($0.rawValue))" as SQL }, separator: ", ")))")
    }
    if let handler = selection.handler { conditions.append("handler = \(.text(handler))") }
    if let prefix = selection.originPrefix {
      let length = Int64(prefix.unicodeScalars.count)
      conditions.append("substr(origin, 1, \(.int(length))) = \(.text(prefix))")
    }
    return SQL.joined(conditions, separator: " AND ")
  }

  static func job(_ row: Statement) -> Job {
    func time(_ column: Int32) -> Timestamp? {
      row.isNull(column) ? nil : Timestamp(microseconds: row.int(column))
    }
    return Job(
      number: row.int(0), state: Job.State(rawValue: row.text(1)) ?? .dead, handler: row.text(2),
      input: row.text(3), arguments: row.text(4),
      permissions: row.optionalText(22), key: row.optionalText(5),
      requires: Requirement.all(in: row.int(6)), origin: row.text(7),
      created: Timestamp(microseconds: row.int(8)), due: Timestamp(microseconds: row.int(9)),
      retry: JobRetry(
        times: Int(row.int(10)), delay: row.int(11), backoff: row.double(12), longest: row.int(13)),
      failures: Int(row.int(14)), deaths: Int(row.int(15)),
      fence: row.optionalInt(16),
      process: row.isNull(17) ? nil : Int32(truncatingIfNeeded: row.int(17)), started: time(18),
      ended: time(19), run: row.optionalInt(20), error: row.text(21))
  }

  // MARK: What people want of them

  /// Ends jobs that are not over, and dead ones.
  ///
  /// One that is being done can write nothing more.
  /// - Returns: Those that were ended, as they were.
  package func cancel(_ selection: JobSelection) throws -> [Job] {
    guard try isThere else { return [] }
    return try database.transaction {
      let meant = try all(selection).filter { $0.state != .done && $0.state != .cancelled }
      for job in meant {
        try connection.run(
          """
          UPDATE errand_jobs SET state = 'cancelled', fence = NULL, seat = NULL, \
          ended = \(.int(context.now().microseconds)) WHERE number = \(.int(job.number))
          """)
      }
      return meant
    }
  }

  /// Lets dead, cancelled and suspended jobs be done again, and waiting ones at once.
  ///
  /// - Returns: Those that wait now, as they were; one whose key another waiting job has is left.
  package func retry(_ selection: JobSelection) throws -> [Job] {
    guard try isThere else { return [] }
    return try database.transaction {
      let meant = try all(selection).filter { $0.state != .running && $0.state != .done }
      let now = SQLValue.int(context.now().microseconds)
      return try meant.reversed().filter { job in
        try connection.run(
          """
          UPDATE OR IGNORE errand_jobs SET state = 'waiting', attempts = 0, deaths = 0, \
          ended = NULL, due = \(now), stamped = \(now) WHERE number = \(.int(job.number))
          """)
        return connection.changes == 1
      }
    }
  }
}

/// How far one thing that sets an automation off was seen.
package struct AutomationCursor: Hashable, Sendable {
  /// The automation and what sets it off.
  package let name: String
  /// The last entry of the log of changes that was looked at; below 0 where the log does not count.
  package var sequence: Int64
  /// The last time of day that counted, or the last time anything did.
  package var last: Timestamp?
  /// What else is to be remembered, as its owner writes it.
  package var state: String

  package init(name: String, sequence: Int64 = -1, last: Timestamp? = nil, state: String = "") {
    self.name = name
    self.sequence = sequence
    self.last = last
    self.state = state
  }
}

extension JobQueue {
  /// The cursors of all automations, by name.
  package func cursors() throws -> [String: AutomationCursor] {
    guard try isThere else { return [:] }
    var cursors: [String: AutomationCursor] = [:]
    try connection.rows("SELECT name, sequence, last, state FROM errand_cursors") { row in
      cursors[row.text(0)] = AutomationCursor(
        name: row.text(0), sequence: row.int(1),
        last: row.optionalInt(2).map(Timestamp.init(microseconds:)), state: row.text(3))
      return true
    }
    return cursors
  }

  /// Moves a cursor within the open transaction; false when another process moved it meanwhile.
  ///
  /// - Parameter old: where it was; nil where there was none.
  package func move(_ cursor: AutomationCursor, from old: AutomationCursor?) throws -> Bool {
    try database.transaction {
      try RecordTables.queue.make(in: database)
      let last = cursor.last.map { SQLValue.int($0.microseconds) } ?? .null
      guard let old else {
        try connection.run(
          """
          INSERT OR IGNORE INTO errand_cursors (name, sequence, last, state) VALUES \
          (\(.text(cursor.name)), \(.int(cursor.sequence)), \(last), \(.text(cursor.state)))
          """)
        return connection.changes == 1
      }
      try connection.run(
        """
        UPDATE errand_cursors SET sequence = \(.int(cursor.sequence)), last = \(last), \
        state = \(.text(cursor.state)) WHERE name = \(.text(old.name)) \
        AND sequence = \(.int(old.sequence)) AND state = \(.text(old.state)) \
        AND last IS \(old.last.map { SQLValue.int($0.microseconds) } ?? .null)
        """)
      return connection.changes == 1
    }
  }

  /// Forgets cursors of what is no more, which would keep the log from being made shorter.
  package func removeCursors(_ names: [String]) throws {
    guard !names.isEmpty else { return }
    try database.transaction {
      for name in names {
        try connection.run("DELETE FROM errand_cursors WHERE name = \(.text(name))")
      }
    }
  }

  /// The first entry of the log that a cursor has not passed; nil without cursors.
  func firstChangeForCursors() throws -> Int64? {
    guard try isThere,
      let sequence = try connection.number(
        "SELECT min(sequence) FROM errand_cursors WHERE sequence >= 0")
    else { return nil }
    return sequence + 1
  }

  /// The names of the automations that led to what the job of a run is, the first one first.
  package func chain(ofRun id: String) throws -> [String] {
    guard try isThere, let run = try database.runs.run(exactID: id),
      let chain = try connection.text(
        "SELECT chain FROM errand_jobs WHERE run = \(.int(run.number)) ORDER BY number DESC LIMIT 1"
      )
    else { return [] }
    return chain.split(separator: " ").map(String.init)
  }
}
