package import CEL
import Items
import POSIX

/// The job queue: enqueuing, inspecting, changing, dequeuing and completing jobs.
package struct JobQueue {
  let database: Database
  var connection: Connection { database.connection }
  var context: StoreContext { database.context }
  var session: WriteSession { database.session }

  /// Enqueues a job, within the open transaction if there is one.
  ///
  /// - Returns: The row id; nil when a job with the same handler and key is already waiting, which
  ///   takes up its lists if they are joined, or when its day is taken.
  package func enqueue(_ job: NewJob) throws -> Int64? {
    try database.transaction {
      try SystemTables.queue.make(in: database)
      if let day = job.day, try !takeDay(day, of: job.handler) { return nil }
      let now = context.world.now().microseconds
      try connection.run(
        """
        INSERT OR IGNORE INTO errand_jobs (state, handler, input, arguments, key, requires, \
        exclusive, origin, chain, created, due, stamped, times, delay, backoff, longest, error, \
        ended, permissions) VALUES (\(.text(job.refusal == nil ? "waiting" : "dead")), \(.text(job.handler)), \(.text(job.input)), \(.text(job.arguments)), \
        \(job.key.map(SQLValue.text) ?? .null), \(.int(Requirement.mask(of: job.requires))), \
        \(.int(Self.exclusion(of: job))), \(.text(job.origin)), \(.text(try chain(of: job))), \
        \(.int(now)), \
        \(.int(job.notBefore?.microseconds ?? now)), \(.int(now)), \(.int(Int64(job.retry.times))), \
        \(.int(job.retry.delay.microseconds)), \(.double(job.retry.backoff)), \(.int(job.retry.longest.microseconds)), \
        \(.text(job.refusal ?? "")), \(job.refusal == nil ? SQLValue.null : .int(now)), \
        \(job.permissions.map(SQLValue.text) ?? .null))
        """)
      guard connection.changes == 1 else {
        if job.isJoined { try join(job) }
        return nil
      }
      session.enqueuedJobs.append(connection.lastInsertedID)
      return connection.lastInsertedID
    }
  }

  /// Gives the job that waits under a key the input of another; nothing if none waits.
  package func renew(_ job: NewJob) throws {
    try changeWaiting(job, "UPDATE errand_jobs SET input = \(.text(job.input))")
  }

  /// Removes the job that waits under a key, if there is one.
  package func withdraw(_ job: NewJob) throws {
    try changeWaiting(job, "DELETE FROM errand_jobs")
  }

  private func changeWaiting(_ job: NewJob, _ change: SQL) throws {
    guard let key = job.key, try isThere else { return }
    try connection.run(
      """
      \(change) WHERE state = 'waiting' AND handler = \(.text(job.handler)) AND key = \(.text(key))
      """)
  }

  /// Removes jobs that wait until the condition of an automation has been true for long enough.
  ///
  /// - Parameter kept: The beginnings of the keys of those that stay, by automation.
  package func withdrawHeld(except kept: [String: [String]]) throws {
    guard try isThere else { return }
    let waiting = try all(JobSelection(states: [.waiting], originPrefix: "automation "))
    let lost = waiting.filter { job in
      guard let key = job.key, key.hasPrefix("for ") else { return false }
      return !(kept[job.handler] ?? []).contains(where: key.hasPrefix)
    }
    guard !lost.isEmpty else { return }
    try database.transaction {
      for job in lost {
        try connection.run("DELETE FROM errand_jobs WHERE number = \(.int(job.number))")
      }
    }
  }

  /// The automations that led to a job, separated by spaces.
  private func chain(of job: NewJob) throws -> String {
    if let chain = job.chain { return chain.joined(separator: " ") }
    guard let lease = session.job,
      let chain = try connection.text(
        "SELECT chain FROM errand_jobs WHERE number = \(.int(lease.job))")
    else { return "" }
    return chain
  }

  /// Whether the store has a queue.
  package var isThere: Bool { get throws { try SystemTables.queue.exist(in: database) } }

  // MARK: Inspecting

  /// The columns of a job in the order of `job`.
  ///
  /// Jobs of a queue in its first version have all permissions.
  var jobColumns: SQL {
    get throws {
      let permissions: SQL =
        try SystemTables.queue.isCurrent(in: database) ? "permissions" : "NULL"
      return """
        number, state, handler, input, arguments, key, requires, origin, created, due, times, \
        delay, backoff, longest, attempts, deaths, fence, process, started, ended, run, error, \
        \(permissions)
        """
    }
  }

  /// The jobs that match a filter, latest first.
  package func all(_ selection: JobSelection = JobSelection()) throws -> [Job] {
    guard try isThere else { return [] }
    return try connection.map(
      """
      SELECT \(try jobColumns) FROM errand_jobs WHERE \(Self.condition(of: selection)) \
      ORDER BY number DESC LIMIT \(.int(Int64(clamping: selection.limit)))
      """
    ) { row in Self.job(row) }
  }

  /// The job with a row id; nil when there is none.
  package func job(_ number: Int64) throws -> Job? {
    try all(JobSelection(numbers: [number])).first
  }

  /// The running job of a recorded run; nil when it has none.
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
        times: Int(row.int(10)), delay: .microseconds(row.int(11)), backoff: row.double(12),
        longest: .microseconds(row.int(13))),
      failures: Int(row.int(14)), deaths: Int(row.int(15)),
      fence: row.optionalInt(16),
      process: row.isNull(17) ? nil : Int32(truncatingIfNeeded: row.int(17)), started: time(18),
      ended: time(19), run: row.optionalInt(20), error: row.text(21))
  }

  // MARK: Cancelling and retrying

  /// Cancels unfinished and dead jobs.
  ///
  /// A running job can no longer write.
  /// - Returns: The cancelled jobs, in their previous state.
  package func cancel(_ selection: JobSelection) throws -> [Job] {
    guard try isThere else { return [] }
    return try database.transaction {
      let meant = try all(selection).filter { $0.state != .done && $0.state != .cancelled }
      for job in meant {
        try connection.run(
          """
          UPDATE errand_jobs SET state = 'cancelled', fence = NULL, seat = NULL, \
          ended = \(.int(context.world.now().microseconds)) WHERE number = \(.int(job.number))
          """)
      }
      return meant
    }
  }

  /// Requeues dead, cancelled and suspended jobs, and makes waiting ones due at once.
  ///
  /// - Returns: The requeued jobs, in their previous state; one whose key is already waiting is
  ///   skipped.
  package func retry(_ selection: JobSelection) throws -> [Job] {
    guard try isThere else { return [] }
    return try database.transaction {
      let meant = try all(selection).filter { $0.state != .running && $0.state != .done }
      let now = SQLValue.int(context.world.now().microseconds)
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

/// The position of one trigger of an automation.
package struct AutomationCursor: Hashable, Sendable {
  /// The automation and its trigger.
  package let name: String
  /// The last processed entry of the change log; negative for triggers that do not use the log.
  package var sequence: Int64
  /// The last processed time of a schedule, otherwise the time of the last activity.
  package var last: Timestamp?
  /// The trigger's own state, in its own encoding.
  package var state: String

  package init(name: String, sequence: Int64 = -1, last: Timestamp? = nil, state: String = "") {
    self.name = name
    self.sequence = sequence
    self.last = last
    self.state = state
  }
}

extension JobQueue {
  /// All cursors, by name.
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

  /// Advances a cursor within the open transaction; false when another process was first.
  ///
  /// - Parameter old: The expected cursor; nil for a new one.
  package func move(_ cursor: AutomationCursor, from old: AutomationCursor?) throws -> Bool {
    try database.transaction {
      try SystemTables.queue.make(in: database)
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

  /// Takes the day of an automation that runs once a day; false if it was taken already.
  func takeDay(_ day: String, of automation: String) throws -> Bool {
    try database.transaction {
      let name = Self.dayCursor(of: automation)
      let old = try cursors()[name]
      return try old?.state != day && move(AutomationCursor(name: name, state: day), from: old)
    }
  }

  /// The name of the cursor with the last day on which an automation ran that runs once a day.
  package static func dayCursor(of automation: String) -> String { "\(automation) once a day" }

  /// Deletes cursors of removed automations; a stale cursor would block log pruning.
  package func removeCursors(_ names: [String]) throws {
    guard !names.isEmpty else { return }
    try database.transaction {
      for name in names {
        try connection.run("DELETE FROM errand_cursors WHERE name = \(.text(name))")
      }
    }
  }

  /// The first log entry that some cursor has not passed; nil without cursors.
  func firstChangeForCursors() throws -> Int64? {
    guard try isThere,
      let sequence = try connection.number(
        "SELECT min(sequence) FROM errand_cursors WHERE sequence >= 0")
    else { return nil }
    return sequence + 1
  }

  /// The automations that led to the job of a run, in order.
  package func chain(ofRun id: String) throws -> [String] {
    guard try isThere, let run = try database.runs.run(exactID: id),
      let chain = try connection.text(
        "SELECT chain FROM errand_jobs WHERE run = \(.int(run.number)) ORDER BY number DESC LIMIT 1"
      )
    else { return [] }
    return chain.split(separator: " ").map(String.init)
  }
}
