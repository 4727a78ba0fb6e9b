import CEL
package import Catalog
package import Items
import POSIX
import Program
package import Store

/// One execution of an intent, a shortcut or a command, with its front, answers, limits and
/// permissions.
///
/// `Engine` owns workspaces and runs: it executes compiled steps, implements the verbs, talks to the
/// person through a ``Front``, reaches the outside only through a ``Host``, enforces permissions, and
/// keeps the journal from which a run resumes.
///
/// Not thread-safe; its branches access it under a lock.
package final class Run {
  package let workspace: Workspace
  package let host: Host
  /// The user interface; masks known secrets.
  package var front: any Front {
    host.secrets.isUsed ? MaskedFront(recordingFront, host.secrets) : recordingFront
  }
  private let recordingFront: RecordingFront
  /// The record of what the person sees.
  package let transcript: Transcript
  package let answers: PresetAnswers
  /// The cause of changes in the change log: the top-level intent or command.
  package var cause: String
  /// Overrides the name of the top-level intent as the cause; nil for none.
  package var caller: String?
  /// Called with each query before it runs.
  package var queryObserver: ((Query) throws -> Void)?
  /// The ID of the run in the change log.
  package internal(set) lazy var id = UUID.text(from: host.randomBytes(16))
  /// Whether writes are committed in groups.
  var isGrouping = false
  /// Whether a signed link was created.
  package internal(set) var hasWrapped = false
  var hasJoinedStore = false
  /// Observers of steps, in addition to the journal.
  package var observers: [any StepObserver] = [] {
    didSet { isWatched = journal != nil || !observers.isEmpty }
  }
  /// The journal of steps; nil for a run that is not recorded.
  package var journal: RunJournal? {
    didSet { isWatched = journal != nil || !observers.isEmpty }
  }
  /// Whether there is a journal or an observer; otherwise steps skip all bookkeeping.
  var isWatched = false
  /// Whether nothing is done outside, nor kept.
  var isDry = false
  /// Whether a dry run makes read-only requests.
  var makesRequests = false
  /// Whether a dry run has met results that it does not know.
  var hasUnknowns = false
  /// Whether one of them is the reply to a read-only request.
  var lacksRequest = false
  /// Nesting depth of `atomic`.
  var transactionDepth = 0
  /// The working folder of the request and the file that defines the action, for the record.
  package var folder: String?
  package var origin: String?
  /// Whether runs that change something are recorded for `errand runs`.
  package var recordsRuns = false
  /// The record and the lease of the run in the store.
  let session = WriteSession()
  /// The number of the run in the store; nil while not stored.
  package var number: Int64? { session.record?.number }
  /// Shows other processes that this one is alive.
  var heartbeat: Heartbeat?
  /// Number of preset answers used.
  var takenAnswers = 0
  /// Whether the current call is the last one of the run.
  var isInLastCall = true
  /// Whether the run was started by an earlier process.
  var isResumed = false
  /// The reason for the suspension, for the person; nil when obvious.
  package internal(set) var suspension: String?
  /// Output held until the enclosing transaction is committed; nil outside of transactions.
  var heldTelling: [() -> Void]?
  /// Asks for the permissions of definitions from elsewhere; nil for no restrictions.
  package var decideAccess: ((PermissionRequest) throws -> CapabilitySet)?
  /// Whether every step is restricted: the run executes a job enqueued by a definition from
  /// elsewhere, or resumes such a run.
  var isHeld = false
  /// The granted permissions.
  var permissions = CapabilitySet([], canonical: { $0 })
  /// The memory budget for replies.
  private(set) lazy var replyMemory = budget.replyMemory()
  /// Cancels the run from outside.
  package let interrupt: Interrupt
  /// The lock of branches; nil before the first branch.
  var turns: FairLock?
  /// The queue of branches that ask a question; nil before the first branch.
  var questions: FairLock?
  /// Whether a loop reports progress; loops nested in it do not.
  var isTellingProgress = false
  /// Number of running branch threads, over all blocks.
  var branchThreads = 0
  /// The threads of branches that have left their block and may not have exited yet.
  var endedThreads: [BranchThread] = []
  /// The remaining limits.
  var budget: Budget

  /// A run in a workspace, which does nothing until asked.
  package init(
    _ workspace: Workspace, host: Host, front: any Front, answers: PresetAnswers = PresetAnswers(),
    cause: String = "", limits: RunLimits = RunLimits(), interrupt: Interrupt = Interrupt()
  ) {
    self.interrupt = interrupt
    self.workspace = workspace
    self.host = host
    transcript = Transcript(now: host.now, hiding: host.secrets)
    recordingFront = RecordingFront(front, transcript)
    self.answers = answers
    self.cause = cause
    budget = Budget(limits)
  }

  /// The available definitions.
  package var catalog: DefinitionCatalog { workspace.catalog }

  /// Maximum number of uncommitted journal lines.
  private static let maxPendingLines = 512

  /// Formats values as text.
  package var renderer: Renderer { Renderer(workspace, clock: host.clock) }

  /// A random number from 0 to 1 from the run's random source.
  func random() -> Double {
    let bits = host.randomBytes(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return Double(bits >> 11) / Double(1 << 53)
  }

  /// Obtains answers from preset ones, then from the person.
  var asker: Asker { Asker(run: self) }

  /// Converts values to types; texts are resolved to items.
  var converter: Converter { converter(ofPerson: false) }

  /// Converts values to types, either as typed by a person or as they are.
  func converter(ofPerson isFromPerson: Bool, keys: [String] = []) -> Converter {
    Converter(
      now: host.now, clock: host.clock, isFromPerson: isFromPerson,
      hasDecimalComma: { [host] in DecimalComma.isDefault(in: host.environment) },
      lookup: { [unowned self] text, entity, name in
        try ItemResolver(run: self, keys: keys).item(text, of: entity, named: name)
      })
  }

  /// The store, with this run as the cause of changes.
  ///
  /// - Throws: `RunError` with the code `store` or `io`.
  package func store() throws -> Database {
    let store = try workspace.store()
    try join(store)
    return store
  }

  /// The store with the table of an entity prepared.
  package func store(for entity: String) throws -> Database {
    // Tables are prepared in their own transaction.
    if !workspace.prepared.contains(entity) { try commitWrites() }
    let store = try workspace.store(for: entity)
    try join(store)
    return store
  }

  /// Runs a body with the store, after preparing the table of an entity.
  func stored<Result>(_ entity: String, _ body: (Database) throws -> Result) throws -> Result {
    let store = try store(for: entity)
    return try RunError.translating { try body(store) }
  }

  /// Runs a body in a transaction.
  func transaction<Result>(_ body: (Database) throws -> Result) throws -> Result {
    let store = try store()
    return try RunError.translating { try store.transaction { try body(store) } }
  }

  /// Work between two steps: checks the budget, errors of the store and cancellation.
  @inline(__always)
  func checkpoint(_ task: TaskContext) throws {
    try budget.spend(1)
    if let store = workspace.openedStore {
      try workspace.throwStoreFault()
      if isGrouping { try RunError.translating { try store.commitIfDue() } }
    }
    if lines != nil, let record = session.record, record.lines.count >= Self.maxPendingLines {
      try commitWrites()
    }
    if task.needsLook { try task.check(host.machine.monotonic) }
  }
}

/// Grouped writes of a run: one change for `undo`, in few transactions that are committed before
/// any observable effect (docs/language.md, “When a step fails”).
extension Run {
  /// Commits pending writes.
  ///
  /// - Throws: a fatal `store` or `io` error when the writes are lost.
  func commitWrites() throws {
    guard isGrouping, workspace.openedStore != nil || session.record != nil else { return }
    do {
      try RunError.translating {
        try writeLines()
        try workspace.openedStore?.commit()
      }
    } catch let error as RunError {
      throw error.asFatal
    }
  }

  /// Group commit: lets ready branches write first, then the first to return commits for all.
  ///
  /// - Throws: as `commitWrites` does; `store` when the commit of another branch lost the writes.
  func commitWritesTogether() throws {
    guard isGrouping, transactionDepth == 0, journal?.isDurable != true,
      host.machine.simulation == nil, let turns, turns.othersAreReady, session.isOpen
    else { return try commitWrites() }
    let before = session.marks
    turns.leave()
    turns.enter()
    let after = session.marks
    if after.losses != before.losses {
      throw RunError(.store, "earlier writes were lost when the commit of another branch failed")
        .asFatal
    }
    if after.commits == before.commits { try commitWrites() }
  }

  /// Groups the writes of a body and commits them at its end, even if it fails.
  func grouping<Result>(_ body: () throws -> Result) throws -> Result {
    isGrouping = true
    defer { isGrouping = false }
    do {
      let result = try body()
      noteEnd(nil)
      try endGrouping()
      transcript.flush()
      return result
    } catch let cancellation as Cancellation where !cancellation.reason.keepsWrites {
      try? workspace.openedStore?.abandonSession()
      endTranscript(cancellation)
      throw cancellation
    } catch {
      // Earlier steps were reported as successful, so their writes are kept.
      endTranscript(error)
      if (error as? RunError)?.isFatal != true {
        noteEnd(nil, error)
        if error is Cancellation { endCancelled() } else { try? endGrouping() }
      }
      transcript.flush()
      throw error
    }
  }

  /// Time a cancelled run waits for other writers.
  private static let finalWriteTimeout = Duration.seconds(5)

  /// Writes the end of a cancelled run.
  ///
  /// It waits for the store's lock despite the cancellation, since a run without an end looks
  /// crashed and could be resumed.
  private func endCancelled() {
    guard let connection = workspace.openedStore?.connection else { return }
    let (machine, start) = (host.machine, host.machine.monotonic())
    let isLate = { machine.monotonic() - start >= Self.finalWriteTimeout.nanoseconds }
    try? connection.ending(when: isLate, endGrouping)
  }

  private func endGrouping() throws {
    try commitWrites()
    guard let store = workspace.openedStore else { return }
    try RunError.translating { try store.endSession() }
  }

  /// Joins the store to the run on first use.
  func join(_ store: Database) throws {
    if isGrouping, !hasJoinedStore {
      hasJoinedStore = true
      try RunError.translating {
        try store.begin(session, id, isResumed: isResumed)
      }
    }
    store.session.cause = cause
  }

  /// Runs a body as one transaction, and holds its output until the commit.
  func atomically<Result>(
    preparing entities: Set<String>, _ body: () throws -> Result
  ) throws -> Result {
    for entity in entities.sorted() { _ = try store(for: entity) }
    try commitWrites()
    let store = try store()
    let outer = heldTelling
    heldTelling = []
    defer { heldTelling = outer }
    let result = try RunError.translating {
      try store.atomic {
        let result = try body()
        if journal?.isDurable == true, let record = session.record { try store.runs.write(record) }
        return result
      }
    }
    let output = heldTelling ?? []
    heldTelling = outer
    for tell in output { self.tell(tell) }
    return result
  }

  /// Runs a body whose steps are a single step for the journal.
  func asOneStep<Result>(_ body: () throws -> Result) rethrows -> Result {
    transactionDepth += 1
    defer { transactionDepth -= 1 }
    return try body()
  }

  /// Outputs something, or holds it until the enclosing transaction is committed.
  func tell(_ telling: @escaping () -> Void) {
    if heldTelling == nil { telling() } else { heldTelling?.append(telling) }
  }
}
