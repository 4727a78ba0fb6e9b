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
  ) { invocation, arguments in
    guard let word = arguments.words.first else {
      throw UsageError("`resume` needs the number of a run", help: "`errand runs` lists them")
    }
    try Handover.goOnWithRecordedRun(invocation)
    let run = try RunWord.run(word, in: invocation.session().store())
    try expectResumable(run)
    return try resume(run, invocation)
  }

  /// Goes on with a run, and writes what it comes to.
  static func resume(
    _ run: RecordedRun, _ invocation: Invocation, forgettingFailure: Bool = false
  ) throws -> Int32 {
    let texts = try invocation.session().store().definitions(ofRun: run)
    let (session, call) = try invocation.resumingSession(run, texts)
    session.decideAccess = { request in try AccessGate(invocation).decide(request) }
    try invocation.resultWriter.checkFormat()
    var outcomes: [Outcome] = []
    try RunEnd.translating(session) {
      try Interruption.holding {
        if forgettingFailure { try session.forgetFailure(of: run) }
        try session.resume(run, call) { outcomes.append($0) }
      }
    }
    try invocation.write(outcomes)
    try invocation.expectSoundStore()
    return ExitStatus.done
  }

  private static func expectResumable(_ run: RecordedRun) throws {
    guard run.isDurable else {
      throw RunError(
        .conflict, "run \(run.number) of `\(run.name)` can't go on: it is not durable",
        help: "`errand retry \(run.number) --from-start` runs it again")
    }
    switch run.state {
    case .suspended, .interrupted: return
    case .running, .waiting:
      throw RunError(
        .busy, "run \(run.number) goes on in process \(run.process)",
        help: "wait for it, or end it with `errand cancel \(run.number)`")
    case .failed:
      throw RunError(
        .conflict, "run \(run.number) has failed",
        help: "`errand retry \(run.number)` goes on with the step that failed")
    case .done, .cancelled:
      throw RunError(.conflict, "run \(run.number) is over: it was \(run.state.rawValue)")
    }
  }
}
