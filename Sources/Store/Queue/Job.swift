package import CEL
package import Items
import POSIX

/// A job as stored in the queue.
package struct Job: Sendable {
  /// The state of a job.
  package enum State: String, CaseIterable, Sendable {
    /// Waiting until it is due and its requirements are met.
    case waiting
    /// Running in some process.
    case running
    case done
    /// Failed too often; kept with its error.
    case dead
    case cancelled
    /// Restored from a backup; waits for confirmation.
    case suspended

    /// Whether the job has ended, unless a person retries it.
    package var isOver: Bool {
      switch self {
      case .done, .dead, .cancelled: true
      case .waiting, .running, .suspended: false
      }
    }
  }

  /// The row id.
  package let number: Int64
  package let state: State
  /// The intent, shortcut or automation that handles it.
  package let handler: String
  /// The input, as JSON or in the engine's encoding.
  package let input: String
  /// The other parameters by name, in the same encoding.
  package let arguments: String
  /// The permissions of its run, as encoded by the engine; nil for all.
  package let permissions: String?
  package let key: String?
  package let requires: [Requirement]
  /// The source of the job.
  package let origin: String
  package let created: Timestamp
  /// The earliest time to run it.
  package let due: Timestamp
  package let retry: JobRetry
  /// The number of failed attempts.
  package let failures: Int
  /// The number of processes that died while running it.
  package let deaths: Int
  /// The fencing token of the current attempt.
  package let fence: Int64?
  /// The process that runs it, or did last.
  package let process: Int32?
  package let started: Timestamp?
  package let ended: Timestamp?
  /// The recorded run of the current or last attempt.
  package let run: Int64?
  /// The last error; empty when there was none.
  package let error: String
}

/// A filter for jobs; without any condition, it matches all.
package struct JobSelection: Sendable {
  package var numbers: [Int64]?
  package var states: [Job.State]?
  package var handler: String?
  /// The prefix of the origin.
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

/// A job to be enqueued.
package struct NewJob: Sendable {
  /// The intent, shortcut or automation that handles it.
  package var handler: String
  /// The input, as JSON or in the engine's encoding.
  package var input: String
  /// The other parameters by name, as an object in the same encoding.
  package var arguments: String
  /// The deduplication key: at most one job with the same handler and key is waiting.
  package var key: String?
  /// The machine conditions that it waits for.
  package var requires: [Requirement]
  /// Whether no other job of its handler may run at the same time.
  package var isExclusive = false
  /// Whether waiting jobs of its handler are merged with it into one run; implies exclusive.
  package var isJoined = false
  /// The permissions of its run, as encoded by the engine; nil for all.
  package var permissions: String?
  /// The automations that led to it, in order; nil to inherit them from the current job.
  package var chain: [String]?
  /// Set to enqueue the job as already dead, with this reason.
  package var refusal: String?
  /// The source of the job, such as `share 3f…`, `automation tidy` or `save`.
  package var origin: String
  /// The earliest time to run it; nil means at once.
  package var notBefore: Timestamp?
  /// The day on which no other job of its handler with a day is enqueued; nil for any number.
  package var day: String?
  /// The retry policy.
  package var retry: JobRetry

  package init(
    handler: String, input: String = "null", arguments: String = "{}", key: String? = nil,
    requires: [Requirement] = [], origin: String, notBefore: Timestamp? = nil,
    retry: JobRetry = .default
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

/// The retry policy of a job.
package struct JobRetry: Hashable, Sendable {
  /// The maximum number of retries.
  package var times: Int
  /// The delay before the first retry.
  package var delay: Duration
  /// Backoff multiplier.
  package var backoff: Double
  /// The maximum delay.
  package var longest: Duration

  /// Retries after 15 minutes, one hour and four hours.
  package static let `default` = JobRetry()

  package init(
    times: Int = 3, delay: Duration = .seconds(15 * 60), backoff: Double = 4,
    longest: Duration = .seconds(24 * 3_600)
  ) {
    self.times = times
    self.delay = delay
    self.backoff = backoff
    self.longest = longest
  }

  /// The delay after a failure; nil when no retry is left.
  ///
  /// - Parameter failures: The number of failures so far, from 1.
  package func delay(after failures: Int) -> Duration? {
    guard failures <= times else { return nil }
    var length = Double(delay.microseconds)
    // 64 steps reach any limit.
    for _ in 1..<min(max(failures, 1), 64) { length *= backoff }
    return .microseconds(Int64(min(length, Double(longest.microseconds)).rounded()))
  }
}
