package import CEL

/// A run as the store keeps it.
package struct RecordedRun: Sendable {
  /// How far a run has come.
  package enum State: String, Sendable {
    /// It waits for others of its name to end.
    case waiting
    /// It goes on, or its process died.
    case running
    /// It goes on when somebody resumes it.
    case suspended
    case done, failed, cancelled
    /// Its process died, or lost the run to another; told from `running` when it is looked at.
    case interrupted

    /// Whether nothing more comes of it.
    package var isOver: Bool {
      switch self {
      case .done, .failed, .cancelled: true
      case .waiting, .running, .suspended, .interrupted: false
      }
    }
  }

  /// Its number in the store.
  package let number: Int64
  /// Its name in the log of changes.
  package let id: String
  /// The intent or shortcut that was asked for.
  package let name: String
  package var state: State
  package let started: Timestamp
  package let ended: Timestamp?
  package let isDurable: Bool
  package let mode: String?
  /// The process that runs it.
  package let process: Int32
  /// What it was asked with, as the engine wrote it.
  package let call: String
  /// What it came to, as the engine wrote it; empty when it has no value.
  package let result: String
  /// Why it failed, as the engine wrote it; empty when it did not.
  package let error: String
  /// The hashes of the definitions it goes on with, in the order in which they were met.
  package let definitions: [String]
}

/// What is known of a run before the store has it.
package struct RunDraft: Sendable {
  package let id: String
  package let name: String
  package let isDurable: Bool
  package let mode: String?
  package let process: Int32
  package let call: String
  /// The definitions it goes on with, each with its hash.
  package let definitions: [(hash: String, text: String)]

  package init(
    id: String, name: String, isDurable: Bool, mode: String?, process: Int32, call: String,
    definitions: [(hash: String, text: String)]
  ) {
    self.id = id
    self.name = name
    self.isDurable = isDurable
    self.mode = mode
    self.process = process
    self.call = call
    self.definitions = definitions
  }
}

/// Which recorded runs are meant.
package struct RunSelection: Sendable {
  /// Of this intent or shortcut alone.
  package var name: String?
  /// Those that failed, and those whose process died.
  package var isFailed = false
  package var limit: Int

  package init(limit: Int) { self.limit = limit }
}
