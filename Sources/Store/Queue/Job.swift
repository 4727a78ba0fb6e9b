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
