import CEL
package import Catalog
package import Items
import Program
package import Store

/// One run of what a person or a program asked for: who hears it, who answers, what it may use.
///
/// Used from one thread.
package final class Run {
  package let workspace: Workspace
  package let host: Host
  /// Who hears it and answers; hears of no secret that the run knows.
  package var front: any Front {
    host.secrets.isUsed ? MaskedFront(givenFront, host.secrets) : givenFront
  }
  private let givenFront: any Front
  package let answers: Answers
  /// What the change log names as the cause of changes: the intent or the command asked for.
  package var cause: String
  /// Hears of each query before it is made, such as to explain it.
  package var queryObserver: ((Query) throws -> Void)?
  /// The run's name in the log of changes.
  package internal(set) lazy var id = UUID.text(from: host.randomBytes(16))
  /// Whether what is written is committed together.
  var isGrouping = false
  /// Whether a signed link was made.
  package internal(set) var hasWrapped = false
  var hasJoinedStore = false
  /// Who hears of its steps beside the journal.
  package var observers: [any StepObserver] = [] {
    didSet { isWatched = journal != nil || !observers.isEmpty }
  }
  /// What the run writes down of its steps; nil for one that is not recorded.
  package var journal: RunJournal? {
    didSet { isWatched = journal != nil || !observers.isEmpty }
  }
  /// Whether anybody hears of steps; the others cost nothing.
  var isWatched = false
  /// How many transactions of `atomic` stand around the step.
  var transactionDepth = 0
  /// The folder in which it was asked for, and the file that defines what was asked for, where a
  /// record is to tell them.
  package var folder: String?
  package var origin: String?
  /// Whether runs that change something are recorded for people.
  package var recordsRuns = false
  /// What it writes to the store, and by what right.
  let session = WriteSession()
  /// The number of the run in the store; nil while the store does not have it.
  package var number: Int64? { session.record?.number }
  /// Shows other processes that this one is awake.
  var heartbeat: Heartbeat?
  /// How many answers given ahead of time were taken.
  var takenAnswers = 0
  /// Whether the call that goes on is the last one of the run.
  var isInLastCall = true
  /// Whether an earlier process began it.
  var isResumed = false
  /// Why the run was suspended, for the person; nil where that is plain.
  package internal(set) var suspension: String?
  /// What is told once the transaction around it is committed; nil where none is.
  var heldTelling: [() -> Void]?
  /// Decides what definitions from elsewhere may touch; nil where all may do all.
  package var decideAccess: ((AccessRequest) throws -> Permissions)?
  /// Whether every step is held to the permissions: it does a job that a definition from elsewhere
  /// enqueued, or goes on with a run that did.
  var isHeld = false
  /// What they may touch.
  var permissions = Permissions([], canonical: { $0 })
  /// The memory that replies to requests are counted to.
  private(set) lazy var replyMemory = budget.replyMemory()
  /// What ends the run from outside.
  package let interrupt: Interrupt
  /// The lock of branches; nil while there were none.
  var turns: TurnLock?
  /// The line of those that ask the person something; nil while there were no branches.
  var questions: TurnLock?
  /// Whether a loop tells how far it has come; those within it tell nothing.
  var isTellingProgress = false
  /// The threads of branches that have not ended, of all blocks of the run.
  var branchThreads = 0
  /// What the run may still use.
  var budget: Budget

  /// A run in a workspace; nothing is done before something is asked of it.
  package init(
    _ workspace: Workspace, host: Host, front: any Front, answers: Answers = Answers(),
    cause: String = "", limits: RunLimits = RunLimits(), interrupt: Interrupt = Interrupt()
  ) {
    self.interrupt = interrupt
    self.workspace = workspace
    self.host = host
    givenFront = front
    self.answers = answers
    self.cause = cause
    budget = Budget(limits)
  }

  /// The definitions in reach.
  package var library: Library { workspace.library }

  /// How many lines of the journal are held before they are committed.
  private static let heldLines = 512

  /// Makes text of values.
  package var renderer: Renderer { Renderer(workspace, clock: host.clock) }

  /// A number from 0 to 1 of the run's random source.
  func random() -> Double {
    let bits = host.randomBytes(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return Double(bits >> 11) / Double(1 << 53)
  }

  /// Gets answers from those given ahead of time, then from the person.
  var asker: Asker { Asker(self) }

  /// Takes values over a boundary; a text that stands for an item is looked up.
  var converter: Converter {
    var converter = Converter(now: host.now, clock: host.clock) {
      [unowned self] text, entity, name, keys in
      try ItemResolver(self, keys: keys).item(text, of: entity, named: name)
    }
    converter.hasDecimalComma = { [host] in DecimalComma.isUsual(in: host.environment) }
    return converter
  }

  /// The store, which names the cause of this run for what is changed.
  ///
  /// - Throws: `RunError` with the code `store` or `io`.
  package func store() throws -> EntityStore {
    let store = try workspace.store()
    try join(store)
    return store
  }

  /// The store with the table of an entity ready.
  package func store(for entity: String) throws -> EntityStore {
    // A table is made ready in a transaction of its own.
    if !workspace.isPrepared(entity) { try commitWrites() }
    let store = try workspace.store(for: entity)
    try join(store)
    return store
  }

  /// What is done between two steps: the budget, faults of the store that the last one met, and
  /// whether the line must end.
  @inline(__always)
  func checkpoint(_ strand: Strand) throws {
    try budget.spend(1)
    if let store = workspace.openedStore {
      try workspace.throwStoreFault()
      if isGrouping { try RunError.translating { try store.database.commitIfDue() } }
    }
    if lines != nil, let record = session.record, record.lines.count >= Self.heldLines {
      try commitWrites()
    }
    if strand.needsLook { try strand.check(host.machine.monotonic) }
  }
}

/// What a run writes to the store is grouped: one change for `undo`, in few transactions, which are
/// committed before anybody can notice it (docs/language.md, “When a step fails”).
extension Run {
  /// Commits what was written and not committed yet.
  ///
  /// - Throws: `store` or `io` that nothing catches, when what was written is lost.
  func commitWrites() throws {
    guard isGrouping, workspace.openedStore != nil || session.record != nil else { return }
    do {
      try RunError.translating {
        try writeLines()
        try workspace.openedStore?.database.commit()
      }
    } catch var error as RunError {
      error.isFatal = true
      throw error
    }
  }

  /// Commits what was written together with what other branches write that are ready to go on: they
  /// take their turns first, and the first of all that want a commit makes it for the others.
  ///
  /// - Throws: what `commitWrites` throws; `store` when the commit of another branch lost the writes.
  func commitWritesTogether() throws {
    guard isGrouping, transactionDepth == 0, journal?.isDurable != true,
      host.machine.simulation == nil, let turns, turns.othersAreReady, session.isOpen
    else { return try commitWrites() }
    let before = session.marks
    turns.leave()
    turns.enter()
    let after = session.marks
    if after.losses != before.losses {
      var error = RunError(.store, "what was written before is lost with what another branch wrote")
      error.isFatal = true
      throw error
    }
    if after.commits == before.commits { try commitWrites() }
  }

  /// Groups what a body writes, and commits it at the end, also when the body fails.
  func grouping<Result>(_ body: () throws -> Result) throws -> Result {
    isGrouping = true
    defer { isGrouping = false }
    do {
      let result = try body()
      noteEnd(nil)
      try endGrouping()
      return result
    } catch let cancellation as Cancellation where !cancellation.reason.keepsWrites {
      try? workspace.openedStore?.database.abandonSession()
      throw cancellation
    } catch {
      // What was done before the failure stays, as each step was told that it succeeded.
      if (error as? RunError)?.isFatal != true {
        noteEnd(nil, error)
        if error is Cancellation { endCancelled() } else { try? endGrouping() }
      }
      throw error
    }
  }

  /// For how many nanoseconds a cancelled run waits for others that write.
  private static let patienceAtEnd: Int64 = 5_000_000_000

  /// Writes the end of a run that is to end, which ends each wait for the store's lock at once.
  ///
  /// It waits for a while nevertheless: a run whose end is not written passes for one that crashed,
  /// and can be resumed.
  private func endCancelled() {
    guard let connection = workspace.openedStore?.database.connection else {
      try? endGrouping()
      return
    }
    let (machine, start) = (host.machine, host.machine.monotonic())
    let isLate = { machine.monotonic() - start >= Self.patienceAtEnd }
    try? connection.ending(when: isLate, endGrouping)
  }

  private func endGrouping() throws {
    try commitWrites()
    guard let store = workspace.openedStore else { return }
    try RunError.translating { try store.database.endSession() }
  }

  /// Makes the store part of the run, once it is there.
  func join(_ store: EntityStore) throws {
    if isGrouping, !hasJoinedStore {
      hasJoinedStore = true
      try RunError.translating {
        try store.database.begin(session, id, isResumed: isResumed)
      }
    }
    store.session.cause = cause
  }

  /// Runs a body as one transaction: all of what it writes, or nothing. What it tells is held until
  /// it is committed.
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
      try store.database.atomic {
        let result = try body()
        if journal?.isDurable == true, let record = session.record {
          try store.runs.write(record)
        }
        return result
      }
    }
    let told = heldTelling ?? []
    heldTelling = outer
    for tell in told { self.tell(tell) }
    return result
  }

  /// Runs a body whose steps are one step for the journal.
  func asOneStep<Result>(_ body: () throws -> Result) rethrows -> Result {
    transactionDepth += 1
    defer { transactionDepth -= 1 }
    return try body()
  }

  /// Tells something, or holds it until the transaction around it is committed.
  func tell(_ telling: @escaping () -> Void) {
    if heldTelling == nil { telling() } else { heldTelling?.append(telling) }
  }
}
