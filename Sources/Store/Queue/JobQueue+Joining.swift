import CEL
import Items
import JSON

/// Jobs that are done together: many small ones of a handler cost one run, and the handler can be polite
/// to a server that several of them ask.
extension JobQueue {
  /// How many jobs are done together at most.
  private static let joinedJobs: Int64 = 1_000

  /// How a job keeps others of its handler from being done at once, as the column `exclusive` holds it.
  static func exclusion(of job: NewJob) -> Int64 { job.isJoined ? 2 : job.isExclusive ? 1 : 0 }

  /// Lets a job that was just taken do what others of its handler wait for, within the transaction.
  ///
  /// Their lists are added to its own; where anything else differs they go on waiting. One whose
  /// process died is done alone.
  func joinOthers(
    with number: Int64, _ available: [Requirement], _ selection: JobSelection
  ) throws {
    guard
      try connection.exists(
        "SELECT 1 FROM errand_jobs WHERE number = \(.int(number)) AND exclusive = 2 AND deaths = 0"
      ), let job = try job(number), var joined = JobContents(job)
    else { return }
    var members: [Int64] = []
    try connection.rows(
      """
      SELECT \(try jobColumns) FROM errand_jobs WHERE state = 'waiting' AND exclusive = 2 \
      AND handler = \(.text(job.handler)) AND due <= \(.int(context.now().microseconds)) \
      AND deaths = 0 AND requires & \(.int(~Requirement.mask(of: available))) = 0 \
      AND \(Self.condition(of: selection)) ORDER BY due, number LIMIT \(.int(Self.joinedJobs - 1))
      """
    ) { row in
      let other = Self.job(row)
      // Those that are held to something else are done by themselves.
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
        UPDATE errand_jobs SET state = 'cancelled', ended = \(.int(context.now().microseconds)), \
        fence = \(.int(Self.membership(in: number))), \
        error = \(.text("it is done with job \(number)")) WHERE number = \(.int(member))
        """)
    }
  }

  /// What the column `fence` holds of a job that is done with another one: no fence is negative.
  private static func membership(in number: Int64) -> Int64 { -number }

  /// Takes apart what is done with a job whose process died, within the transaction: each waits by
  /// itself again, and as it has a death, is done alone. So the one that ends its process again is
  /// the only one that is given up.
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
    // One whose key a later job has that waits is done with that.
    let now = SQLValue.int(context.now().microseconds)
    try connection.run(
      """
      UPDATE OR IGNORE errand_jobs SET state = 'waiting', fence = NULL, ended = NULL, error = '', \
      deaths = deaths + 1, due = \(now), stamped = \(now) WHERE \(isMember)
      """)
  }
}

/// What a job is run with, to which that of others can be added.
private struct JobContents {
  private var input: Value
  private var arguments: MapValue

  /// The contents of a job; nil where they can't be read.
  init?(_ job: Job) {
    guard let input = try? JSONParser().parse(job.input),
      case .map(let arguments)? = try? JSONParser().parse(job.arguments)
    else { return nil }
    self.input = input
    self.arguments = arguments
  }

  /// Adds the lists of others; false, and nothing, where they differ in anything else.
  mutating func join(_ other: JobContents) -> Bool {
    guard arguments.entries.count == other.arguments.entries.count,
      let input = Self.joined(input, other.input)
    else { return false }
    var all = arguments
    for (key, value) in arguments.entries {
      guard let added = other.arguments[key], let value = Self.joined(value, added) else {
        return false
      }
      all[key] = value
    }
    self.input = input
    arguments = all
    return true
  }

  /// Takes the lists of another, which was joined with it, off the ends of its own.
  mutating func remove(_ other: JobContents) {
    input = Self.shortened(input, by: other.input)
    for (key, value) in arguments.entries {
      guard let removed = other.arguments[key] else { continue }
      arguments[key] = Self.shortened(value, by: removed)
    }
  }

  /// What is left is the first of what was joined; which of the others went first does not matter.
  private static func shortened(_ value: Value, by other: Value) -> Value {
    guard case .list(let values) = value, case .list(let others) = other else { return value }
    return .list(Array(values.dropLast(others.count)))
  }

  private static func joined(_ value: Value, _ other: Value) -> Value? {
    if case .list(let values) = value, case .list(let others) = other {
      return .list(values + others)
    }
    if value == other { return value }
    return nil
  }

  /// Both as the store keeps them.
  var text: (input: String, arguments: String)? {
    guard let input = try? JSONWriter().text(of: input),
      let arguments = try? JSONWriter().text(of: .map(arguments))
    else { return nil }
    return (input, arguments)
  }
}
