import CEL
import Catalog
import Glibc
import Items
import Program
import Store
import YAML

/// What the store keeps of a run: its beginning, the lines of its journal and its end, each in the
/// transaction of what it tells of.
extension Run {
  /// How long the text of a result may be that is kept, in bytes.
  private static let resultLimit = 16_384

  /// Begins to record a run, as far as it is one that is recorded.
  ///
  /// - Throws: `busy` when the mode of what is run does not let it run now.
  func beginRecording(_ action: CompiledAction, _ calls: [[Int: GivenValue]]) throws {
    let definition = action.definition
    if definition.isDurable || definition.runMode != nil {
      let store = try store()
      if case .memory = store.location, !definition.isDurable { return }
      let draft = try draft(of: action, calls)
      let recording = RunRecording(draft)
      recording.number = try admit(draft, definition, in: store)
      try follow(recording, isDurable: definition.isDurable, in: store)
    } else if recordsRuns, workspace.mayChange(action) {
      recording = RunRecording(try draft(of: action, calls))
      journal = makeJournal(isDurable: false)
    }
  }

  /// Lets the journal hear of the run, which the store has.
  func follow(
    _ recording: RunRecording, isDurable: Bool, after lines: [JournalLine] = [],
    in store: EntityStore
  ) throws {
    self.recording = recording
    journal = makeJournal(isDurable: isDurable, after: lines, store)
    if let number = recording.number, number % EntityStore.runPruningInterval == 0 {
      ValueFiles(store)?.prune(keeping: try store.hashesInJournal())
    }
    if let number = recording.number, let beat = store.runLocks?.beating(number) {
      recording.heartbeat = Heartbeat(beat)
    }
    if isDurable {
      answers.isTaken = { [unowned self] key in try noteAnswer(key) }
    }
  }

  private func makeJournal(
    isDurable: Bool, after lines: [JournalLine] = [], _ store: EntityStore? = nil
  ) -> RunJournal {
    let journal = RunJournal(
      isDurable: isDurable, after: lines, values: store.flatMap(ValueFiles.init), now: host.now,
      schema: { [workspace] name in try? workspace.schema(of: name) })
    journal.secrets = host.secrets
    if !lines.isEmpty {
      journal.readSecret = { [host] name in
        try host.secrets.secret(name) { () throws(EvaluationError) in
          guard let read = host.readSecret else {
            throw EvaluationError("there is no secret “\(name)” here", code: .noSecret)
          }
          return try read(name)
        }
      }
    }
    return journal
  }

  /// What the store is told of a run when it begins.
  private func draft(
    of action: CompiledAction, _ calls: [[Int: GivenValue]]
  ) throws -> RunDraft {
    let definition = action.definition
    let isDurable = definition.isDurable
    return RunDraft(
      id: id, name: definition.name.text, isDurable: isDurable,
      mode: definition.runMode?.rawValue, process: getpid(),
      call: try RecordedCall(
        calls, answers, folder: folder, origin: origin, permissions: keptPermissions
      ).text(makeJournal(isDurable: false)),
      definitions: isDurable ? try workspace.recordedDefinitions(of: definition.name.text) : [])
  }

  /// Notes that an answer given ahead of time was taken, so that no later process takes it again.
  private func noteAnswer(_ key: String) throws {
    guard let recording, let journal, transactionDepth == 0 else { return }
    recording.takenAnswers += 1
    try journal.note(
      RecordedCall.answerKey + "\(recording.takenAnswers)", .decided, name: "answer",
      value: .string(key))
  }

  // MARK: Writing

  /// Whether there is something to be written though nothing else is.
  private var hasUnwrittenLines: Bool {
    guard let recording, let journal else { return false }
    let hasEnd = recording.end != nil && !recording.isEndWritten
    if journal.isDurable { return hasEnd || !journal.pending.isEmpty }
    return hasEnd && recording.number != nil
  }

  /// Writes what was noted, in a transaction of its own where none is open.
  func writeLines() throws {
    guard hasUnwrittenLines else { return }
    if journal?.isDurable == true || recording?.draft.mode != nil {
      // It becomes part of the run's transaction, and is written as that is committed.
      return try store().transaction {}
    }
    do {
      let store = try store()
      if store.isInTransaction { return }
      // What tells a person only need not be on the disk at once, and is no reason to fail.
      try store.withoutWaitingForDisk { try writeJournal(to: store) }
    } catch {
      recording = nil
      journal = nil
    }
  }

  /// Writes what was noted within the open transaction.
  func writeJournal(to store: EntityStore) throws {
    guard let recording, let journal else { return }
    let number: Int64
    if let known = recording.number {
      number = known
    } else {
      number = try store.recordRun(recording.draft)
      recording.number = number
    }
    try store.insert(journal.takePending(), intoRun: number)
    if let end = recording.end, !recording.isEndWritten {
      recording.isEndWritten = true
      try store.setState(end.state, ofRun: number, result: end.result, error: end.error)
    }
  }

  /// Records a run that reaches outside before it has written anything.
  ///
  /// A record for people alone is no reason to fail or to wait for long.
  func recordReach() {
    guard isGrouping, let recording, recording.number == nil else { return }
    do {
      let store = try store()
      guard !store.isReadOnly, !store.isInTransaction else { return }
      try store.withoutWaitingForDisk { try writeJournal(to: store) }
    } catch {
      self.recording = nil
      journal = nil
    }
  }

  // MARK: The end

  /// Notes how the run ended, which is written with the last of what it wrote.
  func noteEnd(_ value: Value?, _ error: (any Error)? = nil) {
    guard let recording, let journal, recording.end == nil else { return }
    var end: RunRecording.End
    switch error {
    case nil: end = RunRecording.End(state: .done)
    case let cancellation as Cancellation:
      end = RunRecording.End(state: cancellation.reason == .suspended ? .suspended : .cancelled)
      if let failure = cancellation.failure {
        end.error = (try? journal.text(of: failure.journalValue)) ?? ""
      }
    case let failure as RunError:
      end = RunRecording.End(state: .failed)
      end.error = (try? journal.text(of: failure.journalValue)) ?? ""
    case let excess as Budget.Excess:
      end = RunRecording.End(state: .failed)
      end.error = (try? journal.text(of: excess.error([]).journalValue)) ?? ""
    default: end = RunRecording.End(state: .failed)
    }
    if let value, !value.isNull, let text = try? journal.text(of: value),
      text.utf8.count <= Self.resultLimit
    {
      end.result = text
    }
    recording.end = end
  }

  /// Lets go of what shows others that the run goes on.
  func endRecording() {
    guard let recording else { return }
    recording.heartbeat?.end()
    recording.heartbeat = nil
    guard let store = workspace.openedStore else { return }
    store.lease = nil
    store.willCommitRun = nil
    if let number = recording.number { store.runLocks?.unlock(number) }
  }

  /// Why a signal that asks the process to end ends the run.
  func reasonOfInterrupt() -> Cancellation.Reason {
    guard interrupt.isTermination, let number = recording?.number,
      let store = workspace.openedStore, store.lease != nil
    else { return .interrupted }
    switch (try? store.wanted(ofRun: number)) ?? nil {
    case "cancel": return .interrupted
    case "restart": return .superseded
    default: return journal?.isDurable == true ? .suspended : .interrupted
    }
  }
}

extension Run {
  /// Keeps the definitions of what is called by a name that was made just now.
  func keepDefinitions(of name: String) throws {
    guard let number = recording?.number, journal?.isDurable == true, transactionDepth == 0 else {
      return
    }
    let definitions = try workspace.recordedDefinitions(of: name)
    let store = try store()
    try RunError.translating { try store.addDefinitions(definitions, toRun: number) }
  }
}
