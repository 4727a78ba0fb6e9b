import CEL
import Items
import JSON

/// Merging of jobs: many small ones with the same handler cost one run, in which the handler can
/// limit its requests per server.
extension JobQueue {
  /// The maximum number of jobs merged into one.
  private static let joinedJobs: Int64 = 1_000

  /// The exclusivity of a job, as stored in the column `exclusive`.
  static func exclusion(of job: NewJob) -> Int64 { job.isJoined ? 2 : job.isExclusive ? 1 : 0 }

  /// Merges waiting jobs of the same handler into one just dequeued, within the transaction.
  ///
  /// Their lists are appended to its own; jobs that differ otherwise keep waiting. A job whose
  /// process died runs alone.
  func joinOthers(
    with number: Int64, _ available: [Requirement], _ selection: JobSelection
  ) throws {
    guard let job = try job(number), var joined = JobContents(job) else { return }
    var members: [Int64] = []
    try connection.rows(
      """
      SELECT \(try jobColumns) FROM errand_jobs WHERE state = 'waiting' AND exclusive = 2 \
      AND handler = \(.text(job.handler)) AND due <= \(.int(context.world.now().microseconds)) \
      AND deaths = 0 AND requires & \(.int(~Requirement.mask(of: available))) = 0 \
      AND \(Self.condition(of: selection)) ORDER BY due, number LIMIT \(.int(Self.joinedJobs - 1))
      """
    ) { row in
      let other = Self.job(row)
      // Jobs with other permissions run alone.
      if other.permissions == job.permissions, let contents = JobContents(other),
        joined.join(contents)
      {
        members.append(other.number)
      }
      return true
    }
    guard !members.isEmpty, let text = joined.text else { return }
    try connection.run(
      """
      UPDATE errand_jobs SET input = \(.text(text.input)), arguments = \(.text(text.arguments)) \
      WHERE number = \(.int(number))
      """)
    for member in members {
      try connection.run(
        """
        UPDATE errand_jobs SET state = 'cancelled', ended = \(.int(context.world.now().microseconds)), \
        fence = \(.int(Self.membership(in: number))), \
        error = \(.text("merged into job \(number)")) WHERE number = \(.int(member))
        """)
    }
  }

  /// Adds the new list elements of a job to the waiting job with its key, within the transaction.
  func join(_ job: NewJob) throws {
    let waiting = try connection.map(
      """
      SELECT \(try jobColumns) FROM errand_jobs WHERE state = 'waiting' AND exclusive = 2 \
      AND handler = \(.text(job.handler)) AND key = \(job.key.map(SQLValue.text) ?? .null) \
      AND permissions IS \(job.permissions.map(SQLValue.text) ?? .null)
      """
    ) { Self.job($0) }.first
    guard let waiting, var joined = JobContents(waiting),
      let added = JobContents(input: job.input, arguments: job.arguments),
      joined.join(added, onlyNew: true), let text = joined.text
    else { return }
    try connection.run(
      """
      UPDATE errand_jobs SET input = \(.text(text.input)), arguments = \(.text(text.arguments)) \
      WHERE number = \(.int(waiting.number))
      """)
  }

  /// The value of `fence` for a job merged into another: real fences are never negative.
  private static func membership(in number: Int64) -> Int64 { -number }

  /// Splits merged jobs after their process died, within the transaction: each waits on its own
  /// again and, having a death, runs alone. So only the job that crashes its process is given up.
  func separateOthers(from number: Int64) throws {
    let fence = SQLValue.int(Self.membership(in: number))
    let isMember: SQL = "state = 'cancelled' AND fence = \(fence)"
    var members: [JobContents] = []
    try connection.rows("SELECT \(try jobColumns) FROM errand_jobs WHERE \(isMember)") { row in
      if let contents = JobContents(Self.job(row)) { members.append(contents) }
      return true
    }
    guard !members.isEmpty, let job = try job(number), var own = JobContents(job) else { return }
    for member in members { own.remove(member) }
    guard let text = own.text else { return }
    try connection.run(
      """
      UPDATE errand_jobs SET input = \(.text(text.input)), arguments = \(.text(text.arguments)) \
      WHERE number = \(.int(number))
      """)
    // A job is redundant if a later waiting job has the same key.
    let now = SQLValue.int(context.world.now().microseconds)
    try connection.run(
      """
      UPDATE OR IGNORE errand_jobs SET state = 'waiting', fence = NULL, ended = NULL, error = '', \
      deaths = deaths + 1, due = \(now), stamped = \(now) WHERE \(isMember)
      """)
  }
}

/// The input and arguments of a job, which can be merged with those of others.
private struct JobContents {
  private var input: Value
  private var arguments: MapValue

  /// The contents of a job; nil when they are unreadable.
  init?(_ job: Job) { self.init(input: job.input, arguments: job.arguments) }

  init?(input: String, arguments: String) {
    guard let input = try? JSONParser().parse(input),
      case .map(let arguments)? = try? JSONParser().parse(arguments)
    else { return nil }
    self.input = input
    self.arguments = arguments
  }

  /// Appends the lists of another job; returns false, unchanged, when they differ otherwise.
  ///
  /// - Parameter onlyNew: Whether to skip elements that exist already, and to keep differing values
  ///   unchanged.
  mutating func join(_ other: JobContents, onlyNew: Bool = false) -> Bool {
    guard arguments.entries.count == other.arguments.entries.count,
      let input = Self.joined(input, other.input, onlyNew)
    else { return false }
    var all = arguments
    for (key, value) in arguments.entries {
      guard let added = other.arguments[key], let value = Self.joined(value, added, onlyNew)
      else {
        return false
      }
      all[key] = value
    }
    self.input = input
    arguments = all
    return true
  }

  /// Removes as many elements from the end as another, merged one has.
  mutating func remove(_ other: JobContents) {
    input = Self.shortened(input, by: other.input)
    for (key, value) in arguments.entries {
      guard let removed = other.arguments[key] else { continue }
      arguments[key] = Self.shortened(value, by: removed)
    }
  }

  /// Drops trailing elements, as many as `other` has; which ones does not matter.
  private static func shortened(_ value: Value, by other: Value) -> Value {
    guard case .list(let values) = value, case .list(let others) = other else { return value }
    return .list(Array(values.dropLast(others.count)))
  }

  private static func joined(_ value: Value, _ other: Value, _ onlyNew: Bool) -> Value? {
    if case .list(let values) = value, case .list(let others) = other {
      let known = onlyNew ? Set(values) : []
      return .list(values + others.filter { !known.contains($0) })
    }
    // In a ternary, `nil` would be the null value.
    if onlyNew || value == other { return value }
    return nil
  }

  /// Both as stored.
  var text: (input: String, arguments: String)? {
    guard let input = try? JSONWriter().text(of: input),
      let arguments = try? JSONWriter().text(of: .map(arguments))
    else { return nil }
    return (input, arguments)
  }
}
