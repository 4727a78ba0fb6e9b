import Engine
import ErrandKit
import Source
import Store

/// `errand resume`: goes on with a run that was suspended, or whose process died.
enum ResumeCommand {
  static let command = Command(
    "resume", "continue a suspended or crashed run", usage: "RUN",
    discussion: """
      It goes on where its journal ends, with the definitions that it began with. RUN is a number \
      that `errand runs` shows.
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
        help: "`errand retry \(run.number)` goes on with the step that failed")
    case .done, .cancelled:
      throw RunError(.conflict, "run \(run.number) is over: it was \(run.state.rawValue)")
    }
  }

  /// `errand retry`: goes on with the step at which a run failed, or runs it again.
  static let retry = Command(
    "retry", "continue a run at the step that failed, or run it again", usage: "RUN",
    discussion: """
      A durable run goes on with the step that failed. With --from-start a new run begins with the \
      same parameters and answers, and with the definitions as they are now.
      """,
    flags: [
      Flag("from-start", .toggle, "begin anew, with the definitions as they are now"), .allow,
    ],
    serves: Flag.Service.allCases
  ) { invocation, arguments in
    let run = try invocation.runToContinue(by: "retry")
    let help = "--from-start runs it again"
    switch run.state {
    case .running, .waiting: throw busy(run)
    case _ where arguments.isOn("from-start"):
      let call = try invocation.call(of: run, isNew: true)
      return try invocation.carryOut(invocation.repeatingSession(run, call)) { session, done in
        try session.perform(run.name, again: call, done: done)
      }
    case _ where !run.isDurable: throw notDurable(run, help: help)
    case .done:
      throw RunError(.conflict, "run \(run.number) is over, and did not fail", help: help)
    case .cancelled: throw RunError(.conflict, "run \(run.number) was cancelled", help: help)
    case .suspended, .interrupted, .failed:
      return try resume(run, invocation, forgettingFailure: true)
    }
  }

  /// `errand cancel`: ends a run.
  static let cancel = Command(
    "cancel", "end a run, also one that is suspended", usage: "RUN",
    discussion: """
      A run that goes on does what its `finally` blocks do, and ends; one that does not end in 15 \
      seconds loses the right to write. One that is suspended will not go on any more.
      """, serves: []
  ) { invocation, arguments in
    let run = try invocation.recordedRun(neededBy: "cancel")
    let hasEnded = try invocation.session().cancel(run)
    invocation.say(
      hasEnded
        ? "Cancelled run \(String(run.number)) of \(run.name)."
        : "Run \(String(run.number)) of \(run.name) did not end, and can write nothing any more.")
    return ExitStatus.done
  }

  private static func resume(
    _ run: RecordedRun, _ invocation: Invocation, forgettingFailure: Bool = false
  ) throws -> Int32 {
    let texts = try invocation.session().store().runs.definitions(ofRun: run)
    let (session, call) = try invocation.resumingSession(run, texts)
    return try invocation.carryOut(session) { session, done in
      if forgettingFailure { try session.forgetFailure(of: run) }
      try session.resume(run, call, done: done)
    }
  }

  private static func busy(_ run: RecordedRun) -> RunError {
    RunError(
      .busy, "run \(run.number) goes on in process \(run.process)",
      help: "wait for it, or end it with `errand cancel \(run.number)`")
  }

  private static func notDurable(_ run: RecordedRun, help: String) -> RunError {
    RunError(
      .conflict, "run \(run.number) of `\(run.name)` can't go on: it is not durable", help: help)
  }
}

extension Invocation {
  /// The recorded run that a word names; the latest for none.
  ///
  /// - Throws: `not-found`.
  func recordedRun(_ word: String?) throws -> RecordedRun {
    if let run = try session().store().runs.run(named: word) { return run }
    guard let word, word != "last" else { throw RunError(.notFound, "no run is recorded yet") }
    throw RunError(
      .notFound, "there is no run “\(word)”", help: "`errand runs` lists what is recorded")
  }

  /// The recorded run that the first word names.
  fileprivate func recordedRun(neededBy command: String) throws -> RecordedRun {
    guard let word = arguments.words.first else {
      throw UsageError("`\(command)` needs the number of a run", help: "`errand runs` lists them")
    }
    return try recordedRun(word)
  }

  /// The same, in a process that may reach the network, where there is such a link.
  fileprivate func runToContinue(by command: String) throws -> RecordedRun {
    if !arguments.words.isEmpty { try Handover.goOnWithRecordedRun(self) }
    return try recordedRun(neededBy: command)
  }

  /// Lets a run that was recorded go on, and writes what it comes to.
  fileprivate func carryOut(
    _ session: Run, _ body: (Run, (Outcome) -> Void) throws -> Void
  ) throws -> Int32 {
    session.decideAccess = { [unowned self, unowned session] request in
      try AccessGate(self, session).decide(request)
    }
    try resultWriter.checkFormat()
    var outcomes: [Outcome] = []
    try carryOut(session) { try body(session) { outcomes.append($0) } }
    try write(outcomes)
    try expectSoundStore()
    return ExitStatus.done
  }
}
