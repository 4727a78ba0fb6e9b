/// The cause, the caller and the source of a run.
package struct RunIdentity {
  /// The cause of changes in the change log: the top-level intent or command.
  package var cause: String
  /// Overrides the name of the top-level intent as the cause; nil for none.
  package var caller: String?
  /// The working folder of the request, for the record.
  package var folder: String?
  /// The file that defines the action, for the record.
  package var origin: String?
}

/// The journal and the observers of a run.
package struct RunRecorder {
  /// The journal of steps; nil for a run that is not recorded.
  package var journal: RunJournal? { didSet { isWatched = hasWatchers } }
  /// Observers of steps, in addition to the journal.
  package var observers: [any StepObserver] = [] { didSet { isWatched = hasWatchers } }
  /// Whether there is a journal or an observer; otherwise steps skip all bookkeeping.
  var isWatched = false
  /// Whether a run that changes something is recorded for `errand runs`, even if it is not durable.
  package var recordsChanges = false
  /// Whether the run was started by an earlier process.
  var isResumed = false
  /// Whether the current call is the last one of the run.
  var isInLastCall = true
  /// Number of preset answers used.
  var takenAnswers = 0
  /// The reason for the suspension, for the person; nil when obvious.
  package internal(set) var suspension: String?
  /// Shows other processes that this one is alive.
  var heartbeat: Heartbeat?

  private var hasWatchers: Bool { journal != nil || !observers.isEmpty }
}

/// The state of the grouped writes of a run.
struct RunWriter {
  /// Whether writes are committed in groups.
  var isGrouping = false
  var hasJoinedStore = false
  /// Nesting depth of `atomic`.
  var transactionDepth = 0
  /// Output held until the enclosing transaction is committed; nil outside of transactions.
  var heldTelling: [() -> Void]?
}

/// The state of a dry run, which changes nothing outside the process.
struct DryRunState {
  var isOn = false
  /// Whether read-only requests are made.
  var makesRequests = false
  /// Whether a result was met that the dry run does not know.
  var hasUnknowns = false
  /// Whether the reply to a read-only request is such a result.
  var lacksRequest = false
}

/// The permissions of definitions from elsewhere in a run.
package struct RunAccess {
  /// Asks for permissions; nil for no restrictions.
  package var decide: ((PermissionRequest) throws -> CapabilitySet)?
  /// Whether every step is restricted: the run executes a job enqueued by a definition from
  /// elsewhere, or resumes such a run.
  var isHeld = false
  /// The granted permissions.
  var granted = CapabilitySet([], canonical: { $0 })
}

/// The threads of a run's parallel steps.
struct RunBranches {
  /// The lock of branches; nil before the first branch.
  var turns: FairLock?
  /// The queue of branches that ask a question; nil before the first branch.
  var questions: FairLock?
  /// Number of running threads, over all blocks.
  var threadCount = 0
  /// The threads of branches that have left their block and may not have exited yet.
  var endedThreads: [BranchThread] = []
}
