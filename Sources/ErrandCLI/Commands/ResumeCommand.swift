import CEL
import Catalog
import Engine
import ErrandKit
import Source
import Store
import YAML

/// `errand resume`: continues a suspended or crashed run.
enum ResumeCommand {
  static let command = Command(
    "resume", "continue a suspended or crashed run", usage: "RUN",
    discussion: """
      Continues where the run's journal ends, with the definitions it started with. RUN is a number \
      from `errand runs`.
      """, flags: [.allow], serves: Flag.Service.allCases
  ) { invocation, _ in
    let run = try invocation.runToContinue(by: "resume")
    guard run.isDurable else {
      throw notDurable(run, help: "`errand retry \(run.number) --from-start` runs it again")
    }
    switch run.state {
    case .suspended, .interrupted: return try resume(run, invocation)
    case .running, .waiting: throw busy(run)
    case .failed:
      throw RunError(
        .conflict, "run \(run.number) has failed",
        help: "`errand retry \(run.number)` continues at the step that failed")
    case .done, .cancelled:
      throw RunError(.conflict, "run \(run.number) has already ended: it is \(run.state.rawValue)")
    }
  }

  /// `errand retry`: continues at the step where a run failed, or runs it again.
  static let retry = Command(
    "retry", "continue a run at the step that failed, or run it again", usage: "RUN",
    discussion: """
      A durable run continues at the step that failed. --from-start starts a new run with the same \
      parameters and answers and the current definitions.
      """,
    flags: [
      Flag("from-start", .toggle, "start over with the current definitions"), .allow,
    ],
    serves: Flag.Service.allCases
  ) { invocation, arguments in
    let run = try invocation.runToContinue(by: "retry")
    let help = "--from-start runs it again"
    switch run.state {
    case .running, .waiting: throw busy(run)
    case _ where arguments.isOn("from-start"):
      let call = try invocation.call(of: run, isNew: true)
      let liveRun = try invocation.repeatedRun(run, call)
      return try invocation.carryOut(liveRun, id: liveRun.id) { liveRun, done in
        try liveRun.perform(run.name, again: call, done: done)
      }
    case _ where !run.isDurable: throw notDurable(run, help: help)
    case .done:
      throw RunError(.conflict, "run \(run.number) did not fail", help: help)
    case .cancelled: throw RunError(.conflict, "run \(run.number) was cancelled", help: help)
    case .suspended, .interrupted, .failed:
      return try resume(run, invocation, forgettingFailure: true)
    }
  }

  /// `errand cancel`: cancels a run.
  static let cancel = Command(
    "cancel", "cancel a running or suspended run", usage: "RUN",
    discussion: """
      A running run executes its `finally` blocks and ends; after 15 seconds its write access is \
      revoked. A suspended run can no longer be resumed.
      """, serves: []
  ) { invocation, arguments in
    let run = try invocation.recordedRun(neededBy: "cancel")
    let hasEnded = try invocation.openRun().cancel(run)
    invocation.say(
      hasEnded
        ? "Cancelled run \(String(run.number)) of \(run.name)."
        : "Run \(String(run.number)) of \(run.name) has not ended yet, but can no longer write.")
  }

  private static func resume(
    _ run: RecordedRun, _ invocation: Invocation, forgettingFailure: Bool = false
  ) throws {
    let texts = try invocation.openRun().store().runs.definitions(ofRun: run)
    let (liveRun, call) = try invocation.resumedRun(run, texts)
    try invocation.carryOut(liveRun, id: run.id) { liveRun, done in
      if forgettingFailure { try liveRun.forgetFailure(of: run) }
      try liveRun.resume(run, call, done: done)
    }
  }

  private static func busy(_ run: RecordedRun) -> RunError {
    RunError(
      .busy, "run \(run.number) is still running in process \(run.process)",
      help: "wait for it, or cancel it with `errand cancel \(run.number)`")
  }

  private static func notDurable(_ run: RecordedRun, help: String) -> RunError {
    RunError(
      .conflict, "cannot continue run \(run.number) of `\(run.name)`: it is not durable", help: help
    )
  }
}

extension Invocation {
  /// Returns the recorded run that a word names; the latest for nil.
  ///
  /// - Throws: `not-found`.
  func recordedRun(_ word: String?) throws -> RecordedRun {
    if let run = try openRun().store().runs.run(named: word) { return run }
    guard let word, word != "last" else { throw RunError(.notFound, "no runs recorded yet") }
    throw RunError(
      .notFound, "there is no run “\(word)”", help: "`errand runs` lists the recorded runs")
  }

  /// Returns the recorded run that the first word names.
  fileprivate func recordedRun(neededBy command: String) throws -> RecordedRun {
    let word = try arguments.words.first.expected(
      "`\(command)` needs the number of a run", help: "`errand runs` lists them")
    return try recordedRun(word)
  }

  /// Returns the recorded run, after re-executing as `errand-net` if installed.
  fileprivate func runToContinue(by command: String) throws -> RecordedRun {
    if !arguments.words.isEmpty { try Reexec.goOnWithRecordedRun(self) }
    return try recordedRun(neededBy: command)
  }

  /// Continues a recorded run and writes its outcome.
  fileprivate func carryOut(
    _ liveRun: Run, id: String, _ body: (Run, (Outcome) -> Void) throws -> Void
  ) throws {
    liveRun.access.decide = { [unowned self, unowned liveRun] request in
      try PermissionPrompt(self, liveRun).decide(request)
    }
    try resultWriter.checkFormat()
    (front as? EventsFront)?.begin(id)
    var outcomes: [Outcome] = []
    try carryOut(liveRun) { try body(liveRun) { outcomes.append($0) } }
    try write(outcomes)
    try expectSoundStore()
  }

  /// Returns the arguments of a recorded run.
  ///
  /// - Parameter isNew: Whether answers already consumed are given again.
  fileprivate func call(of run: RecordedRun, isNew: Bool = false) throws -> RecordedCall {
    let liveRun = try openRun()
    let lines = try isNew ? [] : liveRun.store().runs.lines(ofRun: run.number)
    return try Run.call(of: run, lines, in: liveRun.workspace)
  }

  /// Returns this call's run, set up to resume a recorded one with its recorded definitions.
  fileprivate func resumedRun(_ run: RecordedRun, _ definitions: [String]) throws -> (
    liveRun: Run, call: RecordedCall
  ) {
    let call = try call(of: run)
    // Other definitions of its file may still be called; a missing or invalid file has none.
    if let origin = call.origin {
      try? target("\(origin)#\(run.name)").check(in: openRun().workspace)
    }
    let recorded = RecordedCatalog(ofRun: run.number, definitions, in: try catalog())
    let liveRun = try remakeRun(recorded.catalog, answering: call)
    liveRun.workspace.foreignNames = recorded.foreignNames
    return (liveRun, call)
  }

  /// Returns this call's run with the arguments of a recorded one and the current definitions.
  fileprivate func repeatedRun(_ run: RecordedRun, _ call: RecordedCall) throws -> Run {
    if let origin = call.origin {
      try target("\(origin)#\(run.name)").check(in: openRun().workspace)
    }
    return try remakeRun(catalog(), answering: call)
  }

  /// Writes the outcomes of a run's calls.
  fileprivate func write(_ outcomes: [Outcome]) throws {
    if let outcome = outcomes.first, outcomes.count == 1 {
      try resultWriter.write(outcome)
    } else {
      try resultWriter.write(each: outcomes)
    }
  }
}
