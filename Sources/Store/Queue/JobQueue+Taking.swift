import CEL
import Glibc
package import Items

/// Jobs that a process takes, does and ends.
///
/// Only the fence of a taking decides whether its process may still write; that a process is dead or
/// frozen is only the reason to give the job to another.
extension JobQueue {
  /// After how many deaths of processes a job is given up.
  private static let survivableDeaths = 5

  /// The seats of processes that do jobs; nil in memory, where there is one process.
  package var seats: WorkerSeats? { database.seats }

  /// Takes the job that is due first; nil when there is none that can be done now.
  ///
  /// The store then writes for that job alone, until it is finished, failed or released.
  /// - Parameters:
  ///   - available: what of the machine is there.
  ///   - selection: which jobs may be taken.
  package func take(
    having available: [Requirement] = Requirement.allCases,
    among selection: JobSelection = JobSelection(),
    frozenAfter limitOfSilence: Int64 = RunStore.frozenAfter
  ) throws -> Job? {
    session.job = nil
    guard try isThere else { return nil }
    let candidate = candidate(available, selection)
    // Nobody is kept waiting by a look.
    if try !connection.exists(candidate), try deadJobs(limitOfSilence).isEmpty { return nil }
    let fence = newFence()
    let taken = try database.transaction { () throws -> Job? in
      let seat = try seats?.take()
      try recover(limitOfSilence)
      guard let number = try connection.number(candidate) else { return nil }
      try connection.run(
        """
        UPDATE errand_jobs SET state = 'running', fence = \(.int(fence)), \
        seat = \(seat.map(SQLValue.int) ?? .null), process = \(.int(Int64(getpid()))), \
        started = \(.int(context.now().microseconds)), ended = NULL WHERE number = \(.int(number))
        """)
      try joinOthers(with: number, available, selection)
      return try job(number)
    }
    if let taken { session.job = JobLease(job: taken.number, fence: fence) }
    return taken
  }

  /// From when on the next waiting job may be done; nil when none waits.
  ///
  /// - Parameter available: what of the machine is there; what others wait for does not count.
  package func nextDue(
    having available: [Requirement] = Requirement.allCases
  ) throws -> Int64? {
    guard try isThere else { return nil }
    let missing = ~Requirement.mask(of: available)
    return try connection.number(
      """
      SELECT due FROM errand_jobs WHERE state = 'waiting' AND requires & \(.int(missing)) = 0 \
      ORDER BY due LIMIT 1
      """)
  }

  /// What waiting jobs whose time has come wait for.
  package func missingRequirements() throws -> [Requirement] {
    guard try isThere else { return [] }
    let masks = try connection.numbers(
      """
      SELECT DISTINCT requires FROM errand_jobs WHERE state = 'waiting' \
      AND due <= \(.int(context.now().microseconds))
      """)
    return Requirement.all(in: masks.reduce(0) { $0 | $1 })
  }

  /// Whether some process does a job.
  package func isAnyRunning() throws -> Bool {
    guard try isThere else { return false }
    return try connection.exists("SELECT 1 FROM errand_jobs WHERE state = 'running' LIMIT 1")
  }

  private func candidate(_ available: [Requirement], _ selection: JobSelection) -> SQL {
    """
    SELECT number FROM errand_jobs WHERE state = 'waiting' \
    AND due <= \(.int(context.now().microseconds)) \
    AND requires & \(.int(~Requirement.mask(of: available))) = 0 \
    AND (NOT exclusive OR handler NOT IN (SELECT handler FROM errand_jobs WHERE state = 'running')) \
    AND \(Self.condition(of: selection)) ORDER BY due, number LIMIT 1
    """
  }

  private func newFence() -> Int64 {
    context.randomBytes(8).reduce(Int64(0)) { ($0 & (.max >> 8)) << 8 | Int64($1) }
  }

  // MARK: Dead processes

  /// The running jobs whose processes are dead or frozen.
  private func deadJobs(_ limitOfSilence: Int64) throws -> [(number: Int64, deaths: Int64)] {
    guard let seats else { return [] }
    let running = try connection.map(
      "SELECT number, seat, deaths FROM errand_jobs WHERE state = 'running'"
    ) { row in
      (number: row.int(0), seat: row.optionalInt(1), deaths: row.int(2))
    }
    return try running.filter { job in
      guard let seat = job.seat else { return true }
      // Of its own process a store has no job while it looks for one.
      return try seat == seats.own || !seats.isAlive(seat, silentFor: limitOfSilence)
    }.map { ($0.number, $0.deaths) }
  }

  /// Lets jobs whose processes are dead or frozen be done by others.
  private func recover(_ limitOfSilence: Int64) throws {
    for job in try deadJobs(limitOfSilence) {
      let isGivenUp = job.deaths + 1 >= Self.survivableDeaths
      try connection.run(
        "UPDATE errand_jobs SET deaths = deaths + 1 WHERE number = \(.int(job.number))")
      try separateOthers(from: job.number)
      try putBack(
        job.number, isGivenUp ? .dead : .waiting,
        error: isGivenUp ? "the process that did it died \(Self.survivableDeaths) times" : nil)
    }
  }

  /// Expects that the process still has the job for which it writes; what a run writes after the end of
  /// its job belongs to it, too.
  ///
  /// - Throws: `superseded`.
  func expectTaken() throws {
    guard let lease = session.job else { return }
    let isTaken = try connection.exists(
      """
      SELECT 1 FROM errand_jobs WHERE number = \(.int(lease.job)) \
      AND fence = \(.int(lease.fence)) AND state IN ('running', 'done')
      """)
    if !isTaken { throw Self.takenOver }
  }

  static var takenOver: StoreError {
    StoreError(.superseded, "the job was ended or taken over by another process")
  }
}
