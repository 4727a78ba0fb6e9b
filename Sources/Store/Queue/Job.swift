package import CEL
package import Items

/// A job as the store keeps it.
package struct Job: Sendable {
  /// How far a job has come.
  package enum State: String, CaseIterable, Sendable {
    /// It is done when its time has come and what it requires is there.
    case waiting
    /// A process does it.
    case running
    case done
    /// It failed too often, and is kept with its reason.
    case dead
    case cancelled
    /// It came with a backup that was put in place of the store, and waits for a person's word.
    case suspended

    /// Whether nothing more comes of it unless a person wants it.
    package var isOver: Bool {
      switch self {
      case .done, .dead, .cancelled: true
      case .waiting, .running, .suspended: false
      }
    }
  }

  /// Its number in the store.
  package let number: Int64
  package let state: State
  /// The intent, shortcut or automation that does it.
  package let handler: String
  /// Its input, as JSON or as the engine wrote it.
  package let input: String
  /// Its other parameters by name, likewise.
  package let arguments: String
  /// What it is held to, as the engine wrote it; nil for everything.
  package let permissions: String?
  package let key: String?
  package let requires: [Requirement]
  /// Where it comes from.
  package let origin: String
  package let created: Timestamp
  /// From when on it may be done.
  package let due: Timestamp
  package let retry: JobRetry
  /// How often it has failed.
  package let failures: Int
  /// How often a process died while doing it.
  package let deaths: Int
  /// What tells this taking of it from every other.
  package let fence: Int64?
  /// The process that does it, or did last.
  package let process: Int32?
  package let started: Timestamp?
  package let ended: Timestamp?
  /// The recorded run that does it, or did last.
  package let run: Int64?
  /// Why it failed last; empty when it did not.
  package let error: String
}

/// Which jobs are meant; without any condition, all.
package struct JobSelection: Sendable {
  package var numbers: [Int64]?
  package var states: [Job.State]?
  package var handler: String?
  /// How the origin begins.
  package var originPrefix: String?
  package var limit: Int

  package init(
    numbers: [Int64]? = nil, states: [Job.State]? = nil, handler: String? = nil,
    originPrefix: String? = nil, limit: Int = .max
  ) {
    self.numbers = numbers
    self.states = states
    self.handler = handler
    self.originPrefix = originPrefix
    self.limit = limit
  }
}

/// A job to be put into the queue.
package struct NewJob: Sendable {
  /// The intent, shortcut or automation that does it.
  package var handler: String
  /// Its input, as JSON or as the engine writes values.
  package var input: String
  /// Its other parameters by name, as an object likewise.
  package var arguments: String
  /// What keeps one waiting job of a kind: another with the same handler and key is not put in.
  package var key: String?
  /// What of the machine it waits for.
  package var requires: [Requirement]
  /// Whether no other job of its handler may be done at once.
  package var isExclusive = false
  /// Whether others of its handler that wait are done with it, in one run; such a job is exclusive.
  package var isJoined = false
  /// What it is held to, as the engine writes it; nil for everything.
  package var permissions: String?
  /// The automations that led to it, the first one first; nil for those of the job that puts it in.
  package var chain: [String]?
  /// Why it is given up before it was ever done; nil for a job that is to be done.
  package var refusal: String?
  /// Where it comes from, such as `share 3f…`, `automation tidy` or `save`.
  package var origin: String
  /// Before when it is not done; nil for at once.
  package var notBefore: Timestamp?
  /// When it is done again after a failure.
  package var retry: JobRetry

  package init(
    handler: String, input: String = "null", arguments: String = "{}", key: String? = nil,
    requires: [Requirement] = [], origin: String, notBefore: Timestamp? = nil,
    retry: JobRetry = .usual
  ) {
    self.handler = handler
    self.input = input
    self.arguments = arguments
    self.key = key
    self.requires = requires
    self.origin = origin
    self.notBefore = notBefore
    self.retry = retry
  }
}

/// When a job that failed is done again.
package struct JobRetry: Hashable, Sendable {
  /// How often after the first time.
  package var times: Int
  /// How long after the first failure, in microseconds.
  package var delay: Int64
  /// By what each further delay is longer.
  package var backoff: Double
  /// How long a delay is at most, in microseconds.
  package var longest: Int64

  /// After 15 minutes, an hour and four hours.
  package static let usual = JobRetry()

  package init(
    times: Int = 3, delay: Int64 = 15 * minute, backoff: Double = 4, longest: Int64 = day
  ) {
    self.times = times
    self.delay = delay
    self.backoff = backoff
    self.longest = longest
  }

  /// A minute and a day, in microseconds.
  package static let minute: Int64 = 60_000_000
  package static let day: Int64 = 24 * 60 * minute

  /// How long after a failure, in microseconds; nil when it was the last.
  ///
  /// - Parameter failures: how often it has failed, from 1.
  package func delay(after failures: Int) -> Int64? {
    guard failures <= times else { return nil }
    var length = Double(delay)
    // More than 64 of them have reached any limit.
    for _ in 1..<min(max(failures, 1), 64) { length *= backoff }
    return Int64(min(length, Double(longest)).rounded())
  }
}
