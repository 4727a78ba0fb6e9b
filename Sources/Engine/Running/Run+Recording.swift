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
      if case .memory = store.database.location, !definition.isDurable { return }
      let draft = try draft(of: action, calls)
      let record = RunRecord(draft, number: try admit(draft, definition, in: store))
      try follow(record, isDurable: definition.isDurable, in: store)
    } else if recordsRuns, workspace.mayChange(action) {
      let record = RunRecord(try draft(of: action, calls))
      session.record = record
      journal = makeJournal(isDurable: false, record)
    }
  }

  /// Lets the journal hear of the run, which the store has.
  func follow(
    _ record: RunRecord, isDurable: Bool, after lines: [JournalLine] = [], in store: EntityStore
  ) throws {
    session.record = record
    journal = makeJournal(isDurable: isDurable, record, after: lines, store)
    if let number = record.number, number % RunStore.pruningInterval == 0 {
      ValueFiles(store)?.prune(keeping: try store.runs.hashesInJournal())
    }
    if let number = record.number, let beat = store.runs.locks?.beating(number) {
      heartbeat = Heartbeat(beat)
    }
    if isDurable {
      answers.isTaken = { [unowned self] key in try noteAnswer(key) }
    }
  }

  private func makeJournal(
    isDurable: Bool, _ record: RunRecord? = nil, after lines: [JournalLine] = [],
    _ store: EntityStore? = nil
  ) -> RunJournal {
    let journal = RunJournal(
      isDurable: isDurable, record: record, after: lines, values: store.flatMap(ValueFiles.init),
      now: host.now,
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
    guard let journal, session.record != nil, transactionDepth == 0 else { return }
    takenAnswers += 1
    try journal.note(
      RecordedCall.answerKey + "\(takenAnswers)", .decided, name: "answer",
      value: .string(key))
  }

  // MARK: Writing

  /// Whether there is something to be written though nothing else is.
  private var hasUnwrittenLines: Bool {
    guard let record = session.record, let journal else { return false }
    let hasEnd = record.end != nil && !record.isEndWritten
    if journal.isDurable { return hasEnd || !record.lines.isEmpty }
    return hasEnd && record.number != nil
  }

  /// Writes what was noted, in a transaction of its own where none is open.
  func writeLines() throws {
    guard hasUnwrittenLines else { return }
    if journal?.isDurable == true || session.record?.draft.mode != nil {
      // It becomes part of the run's transaction, and is written as that is committed.
      return try store().database.transaction {}
    }
    writeForPeople()
  }

  /// Writes what tells a person only, which need not be on the disk at once and is no reason to fail
  /// or to wait for long.
  private func writeForPeople() {
    guard let record = session.record else { return }
    do {
      let store = try store()
      if store.database.isReadOnly || store.database.isInTransaction { return }
      try store.database.withoutWaitingForDisk { try store.runs.write(record) }
    } catch {
      session.record = nil
      journal = nil
    }
  }

  /// Records a run that reaches outside before it has written anything.
  func recordReach() {
    if isGrouping, let record = session.record, record.number == nil { writeForPeople() }
  }

  // MARK: The end

  /// Notes how the run ended, which is written with the last of what it wrote.
  func noteEnd(_ value: Value?, _ error: (any Error)? = nil) {
    guard let record = session.record, let journal, record.end == nil else { return }
    var end: RunRecord.End
    switch error {
    case nil: end = RunRecord.End(state: .done)
    case let cancellation as Cancellation:
      end = RunRecord.End(state: cancellation.reason == .suspended ? .suspended : .cancelled)
      if let failure = cancellation.failure {
        end.error = (try? journal.text(of: failure.journalValue)) ?? ""
      }
    case let failure as RunError:
      end = RunRecord.End(state: .failed)
      end.error = (try? journal.text(of: failure.journalValue)) ?? ""
    case let excess as Budget.Excess:
      end = RunRecord.End(state: .failed)
      end.error = (try? journal.text(of: excess.error([]).journalValue)) ?? ""
    default: end = RunRecord.End(state: .failed)
    }
    if let value, !value.isNull, let text = try? journal.text(of: value),
      text.utf8.count <= Self.resultLimit
    {
      end.result = text
    }
    record.end = end
  }

  /// Lets go of what shows others that the run goes on.
  func endRecording() {
    guard let record = session.record else { return }
    heartbeat?.end()
    heartbeat = nil
    session.lease = nil
    if let number = record.number { workspace.openedStore?.runs.locks?.unlock(number) }
  }

  /// Why a signal that asks the process to end ends the run.
  func reasonOfInterrupt() -> Cancellation.Reason {
    guard interrupt.isTermination, let number, let store = workspace.openedStore,
      session.lease != nil
    else { return .interrupted }
    switch (try? store.runs.wanted(ofRun: number)) ?? nil {
    case "cancel": return .interrupted
    case "restart": return .superseded
    default: return journal?.isDurable == true ? .suspended : .interrupted
    }
  }
}

extension Run {
  /// Keeps the definitions of what is called by a name that was made just now.
  func keepDefinitions(of name: String) throws {
    guard let number, journal?.isDurable == true, transactionDepth == 0 else {
      return
    }
    let definitions = try workspace.recordedDefinitions(of: name)
    let store = try store()
    try RunError.translating { try store.runs.addDefinitions(definitions, toRun: number) }
  }
}
