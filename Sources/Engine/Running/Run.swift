import CEL
package import Catalog
package import Items
import POSIX
import Program
package import Source
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
  /// The transcript of the run.
  package let transcript: Transcript
  package let answers: PresetAnswers
  /// The cause, the caller and the source of the run.
  package var identity: RunIdentity
  /// The ID of the run in the change log.
  package internal(set) lazy var id = UUID.text(from: host.randomBytes(16))
  /// The journal and the observers of steps.
  package var recorder = RunRecorder()
  /// The state of grouped writes.
  var writer = RunWriter()
  /// The record and the lease of the run in the store.
  let session = WriteSession()
  /// The state of a dry run.
  var dryRun = DryRunState()
  /// The permissions of definitions from elsewhere.
  package var access = RunAccess()
  /// The threads of parallel steps.
  var branches = RunBranches()
  /// Called with each query before it runs.
  package var queryObserver: ((Query) throws -> Void)?
  /// Called with the warnings of typed expressions and templates.
  package var warningObserver: ((Diagnostic) -> Void)?
  /// Whether a signed link was created.
  package internal(set) var hasWrapped = false
  /// Whether a loop reports progress; loops nested in it do not.
  var isTellingProgress = false
  /// The memory budget for replies.
  private(set) lazy var replyMemory = budget.replyMemory()
  /// Cancels the run from outside.
  package let interrupt: Interrupt
  /// The remaining limits.
  var budget: Budget

  /// The number of the run in the store; nil while not stored.
  package var number: Int64? { session.record?.number }

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
    identity = RunIdentity(cause: cause)
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
      language: { [workspace] in workspace.spokenLanguage },
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
      if writer.isGrouping { try RunError.translating { try store.commitIfDue() } }
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
    guard writer.isGrouping, workspace.openedStore != nil || session.record != nil else { return }
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
    guard writer.isGrouping, writer.transactionDepth == 0, recorder.journal?.isDurable != true,
      host.machine.simulation == nil, let turns = branches.turns, turns.othersAreReady,
      session.isOpen
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
    writer.isGrouping = true
    defer { writer.isGrouping = false }
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
    if writer.isGrouping, !writer.hasJoinedStore {
      writer.hasJoinedStore = true
      try RunError.translating {
        try store.begin(session, id, isResumed: recorder.isResumed)
      }
    }
    store.session.cause = identity.cause
  }

  /// Runs a body as one transaction, and holds its output until the commit.
  func atomically<Result>(
    preparing entities: Set<String>, _ body: () throws -> Result
  ) throws -> Result {
    for entity in entities.sorted() { _ = try store(for: entity) }
    try commitWrites()
    let store = try store()
    let outer = writer.heldTelling
    writer.heldTelling = []
    defer { writer.heldTelling = outer }
    let result = try RunError.translating {
      try store.atomic {
        let result = try body()
        if recorder.journal?.isDurable == true, let record = session.record {
          try store.runs.write(record)
        }
        return result
      }
    }
    let output = writer.heldTelling ?? []
    writer.heldTelling = outer
    for tell in output { self.tell(tell) }
    return result
  }

  /// Runs a body whose steps are a single step for the journal.
  func asOneStep<Result>(_ body: () throws -> Result) rethrows -> Result {
    writer.transactionDepth += 1
    defer { writer.transactionDepth -= 1 }
    return try body()
  }

  /// Outputs something, or holds it until the enclosing transaction is committed.
  func tell(_ telling: @escaping () -> Void) {
    if writer.heldTelling == nil { telling() } else { writer.heldTelling?.append(telling) }
  }
}
