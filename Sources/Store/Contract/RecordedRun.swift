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

/// One line of a run's journal: what was decided or done at a place.
package struct JournalLine: Sendable {
  /// What a line tells.
  package enum Kind: Int64, Sendable {
    /// A step that reaches outside is about to be done.
    case begun = 0
    /// A step was done.
    case done = 1
    /// A step failed.
    case failed = 2
    /// The guard of a step did not hold.
    case skipped = 3
    /// What was found out at a place, such as the branch that is taken.
    case decided = 4
    /// An attempt failed, and another one follows.
    case attempted = 5
  }

  /// Its number in the run, from 1.
  package let number: Int64
  /// What tells the place from every other one of the run, and what of it this is.
  package let key: String
  package let kind: Kind
  /// What the step is called.
  package let name: String
  package let time: Timestamp
  /// How long it took, in microseconds.
  package let took: Int64
  /// The values, as the run wrote them.
  package let data: String

  package init(
    number: Int64, key: String, kind: Kind, name: String, time: Timestamp, took: Int64,
    data: String
  ) {
    self.number = number
    self.key = key
    self.kind = kind
    self.name = name
    self.time = time
    self.took = took
    self.data = data
  }
}

/// What comes up of a run that is recorded, until the store has it: its beginning, its lines and its
/// end.
package final class RunRecord {
  /// How a run ended.
  package struct End {
    package let state: RecordedRun.State
    /// Its value, as the journal writes values.
    package var result = ""
    /// Its error, likewise.
    package var error = ""

    package init(state: RecordedRun.State) { self.state = state }
  }

  /// What the store is told of it when it is recorded.
  package let draft: RunDraft
  /// Its number; nil before the store has it.
  package var number: Int64?
  /// The lines that are not committed yet.
  package private(set) var lines: [JournalLine] = []
  /// How it ended; nil while it goes on.
  package var end: End?
  /// Whether the store has its end.
  package internal(set) var isEndWritten = false

  package init(_ draft: RunDraft, number: Int64? = nil) {
    self.draft = draft
    self.number = number
  }

  /// Adds a line, which is written with the next commit.
  package func append(_ line: JournalLine) { lines.append(line) }

  /// Takes the lines that are to be written now.
  func takeLines() -> [JournalLine] {
    defer { lines = [] }
    return lines
  }
}

/// The right of a run to write.
package struct RunLease: Sendable {
  /// The number of the run.
  package let run: Int64
  /// What tells it from every other right that the run had before.
  package let fence: Int64

  package init(run: Int64, fence: Int64) {
    self.run = run
    self.fence = fence
  }
}

/// The right of a process to do a job, and to write for it.
package struct JobLease: Hashable, Sendable {
  package let job: Int64
  package let fence: Int64
}
