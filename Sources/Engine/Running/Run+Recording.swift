package import CEL
import Catalog
import Glibc
import Items
import Program
import Store
import YAML

/// The stored record of a run: start, journal lines and end, each written in the transaction it
/// belongs to.
extension Run {
  /// Maximum size of a stored result, in bytes.
  private static let resultLimit = 16_384

  /// Starts recording a run, if it is to be recorded.
  ///
  /// - Throws: `busy` when its run mode does not admit it now.
  func beginRecording(_ action: CompiledAction, _ calls: [[Int: GivenValue]]) throws {
    let definition = action.definition
    if definition.isDurable || definition.runMode != nil {
      let store = try store()
      if case .memory = store.location, !definition.isDurable { return }
      let newRun = try newRun(of: action, calls)
      let record = PendingRun(newRun, number: try admit(newRun, definition, in: store))
      try follow(record, isDurable: definition.isDurable, in: store)
    } else if recorder.recordsChanges, try workspace.mayChange(action.definition.name.text) {
      let record = PendingRun(try newRun(of: action, calls))
      session.record = record
      record.transcript = transcriptText
      recorder.journal = makeJournal(isDurable: false, record)
    }
    transcript.isKept = session.record != nil || transcript.deliver != nil
  }

  /// Starts the journal of a run that is in the store.
  func follow(
    _ record: PendingRun, isDurable: Bool, after lines: [JournalLine] = [], in store: Database
  ) throws {
    session.record = record
    record.transcript = transcriptText
    recorder.journal = makeJournal(isDurable: isDurable, record, after: lines, store)
    if let number = record.number, number % RunStore.pruningInterval == 0 {
      ValueFiles(store)?.prune(keeping: try store.runs.hashesInJournal())
    }
    if let number = record.number, let beat = store.runs.locks?.beating(number) {
      recorder.heartbeat = Heartbeat(beat)
    }
    if isDurable {
      answers.isTaken = { [unowned self] key in try noteAnswer(key) }
    }
  }

  private func makeJournal(
    isDurable: Bool, _ record: PendingRun? = nil, after lines: [JournalLine] = [],
    _ store: Database? = nil
  ) -> RunJournal {
    let journal = RunJournal(
      isDurable: isDurable, record: record, after: lines, values: store.flatMap(ValueFiles.init),
      now: host.now,
      schema: { [workspace] name in try? workspace.schema(of: name) })
    journal.secrets = host.secrets
    if !lines.isEmpty {
      journal.readSecret = { [host, read = workspace.world.readSecret] name in
        try host.secrets.secret(name) { () throws(EvaluationError) in try read(name) }
      }
    }
    return journal
  }

  /// The initial record of a run.
  private func newRun(of action: CompiledAction, _ calls: [[Int: GivenValue]]) throws -> NewRun {
    let definition = action.definition
    let isDurable = definition.isDurable
    return NewRun(
      id: id, name: definition.name.text, isDurable: isDurable,
      mode: definition.runMode?.rawValue, process: getpid(),
      call: try RecordedCall(
        calls, answers, folder: identity.folder, origin: identity.origin,
        permissions: keptPermissions
      ).text(makeJournal(isDurable: false)),
      definitions: isDurable ? try workspace.recordedDefinitions(of: definition.name.text) : [])
  }

  /// Records that a preset answer was used, so that a resumed run does not use it again.
  private func noteAnswer(_ key: String) throws {
    guard let journal = recorder.journal, session.record != nil, writer.transactionDepth == 0 else {
      return
    }
    recorder.takenAnswers += 1
    try journal.note(
      RecordedCall.answerKey + "\(recorder.takenAnswers)", .decided, name: "answer",
      value: .string(key))
  }

  // MARK: Writing

  /// Whether journal lines remain to be written even without other writes.
  private var hasUnwrittenLines: Bool {
    guard let record = session.record, let journal = recorder.journal else { return false }
    let hasEnd = record.end != nil && !record.isEndWritten
    if journal.isDurable { return hasEnd || !record.lines.isEmpty }
    return hasEnd && record.number != nil
  }

  /// Writes pending journal lines, in their own transaction if none is open.
  func writeLines() throws {
    guard hasUnwrittenLines else { return }
    if recorder.journal?.isDurable == true || session.record?.newRun.mode != nil {
      // The lines are written when the run's transaction commits.
      return try store().transaction {}
    }
    writeForPeople()
  }

  /// Writes informational lines without waiting for fsync; errors and contention are ignored.
  private func writeForPeople() {
    guard let record = session.record else { return }
    do {
      let store = try store()
      if store.isReadOnly || store.isInTransaction { return }
      try store.withoutWaitingForDisk { try store.runs.write(record) }
    } catch {
      session.record = nil
      recorder.journal = nil
    }
  }

  /// Records a run before its first outside effect.
  func recordReach() {
    if writer.isGrouping, let record = session.record, record.number == nil { writeForPeople() }
  }

  // MARK: The end

  /// Sets the end of the run, which is written with its last writes.
  ///
  /// - Parameter said: The last sentence, which may have said the value.
  func noteEnd(_ value: Value?, said: String? = nil, _ error: (any Error)? = nil) {
    if error == nil, !transcript.hasEnded {
      if let value { endTranscript(ofCall: value, said: said) }
      transcript.end("done")
    }
    guard let record = session.record, let journal = recorder.journal, record.end == nil else {
      return
    }
    var end = PendingRun.End(state: error == nil ? .done : .failed)
    var failure = error as? RunError ?? (error as? Budget.Excess)?.error([])
    if let cancellation = error as? Cancellation {
      end = PendingRun.End(state: cancellation.reason == .suspended ? .suspended : .cancelled)
      failure = cancellation.failure
    }
    end.error = failure.flatMap { try? journal.text(of: $0.journalValue) } ?? ""
    if let value, !value.isNull, let text = try? journal.text(of: value),
      text.utf8.count <= Self.resultLimit
    {
      end.result = text
    }
    record.end = end
  }

  /// Records the result of a call in the transcript.
  func endTranscript(ofCall value: Value, said: String?) {
    guard transcript.isKept else { return }
    // Before a long text is cut, where a part of a secret would stay.
    let value = host.secrets.masked(value)
    let rest = remainder(of: value, said: said)
    transcript.result(rest ?? renderer.presentation(of: value), isSaid: rest == nil)
  }

  /// Records a failure in the transcript, after the committed entries.
  func endTranscript(_ error: any Error) {
    guard transcript.isKept else { return }
    if transcript.hasEnded { transcript.takeBack() }
    switch error {
    case let end as Cancellation:
      transcript.end(end.reason == .suspended ? "suspended" : "cancelled")
    case let failure as RunError where failure.code == .cancelled: transcript.end("cancelled")
    case let failure as RunError: transcript.end("failed", failure)
    case let excess as Budget.Excess: transcript.end("failed", excess.error(budget.uses))
    default: transcript.end("failed")
    }
  }

  /// Ends the transcript of a run that failed before its first step.
  package func failedBeforeStart(_ error: any Error) {
    guard !transcript.hasEnded else { return }
    endTranscript(error)
    transcript.flush()
  }

  /// The part of a result that the last sentence has not said; nil if it has said all.
  package func remainder(of value: Value, said: String?) -> Presentation? {
    switch value {
    case .null: return nil
    case .object where said != nil: return nil
    case .list(let values) where values.areBlank: return nil
    default: break
    }
    if case .list = value {
    } else if let said, said.contains(renderer.text(of: value)) {
      return nil
    }
    return renderer.presentation(of: value)
  }

  /// The text of the transcript, if it is to be written now.
  private func transcriptText() -> String? {
    transcript.takeText(at: host.machine.monotonic(), isLast: session.record?.end != nil)
  }

  /// Releases the lease and the liveness lock.
  func endRecording() {
    guard let record = session.record else { return }
    recorder.heartbeat?.end()
    recorder.heartbeat = nil
    session.lease = nil
    if let number = record.number { workspace.openedStore?.runs.locks?.unlock(number) }
  }

  /// The cancellation reason for a termination signal.
  func reasonOfInterrupt() -> Cancellation.Reason {
    guard interrupt.isTermination, let number, let store = workspace.openedStore,
      session.lease != nil
    else { return .interrupted }
    switch (try? store.runs.wanted(ofRun: number)) ?? nil {
    case "cancel": return .interrupted
    case "restart": return .superseded
    default: return recorder.journal?.isDurable == true ? .suspended : .interrupted
    }
  }
}

extension Run {
  /// Records the definitions of a callee that was named at run time.
  func keepDefinitions(of name: String) throws {
    guard let number, recorder.journal?.isDurable == true, writer.transactionDepth == 0 else {
      return
    }
    let definitions = try workspace.recordedDefinitions(of: name)
    let store = try store()
    try RunError.translating { try store.runs.addDefinitions(definitions, toRun: number) }
  }
}
