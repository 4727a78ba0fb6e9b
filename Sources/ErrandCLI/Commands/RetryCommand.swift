import Engine
import ErrandKit
import Store

/// `errand retry`: goes on with the step at which a run failed, or runs it again.
enum RetryCommand {
  static let command = Command(
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
    guard let word = arguments.words.first else {
      throw UsageError("`retry` needs the number of a run", help: "`errand runs` lists them")
    }
    try Handover.goOnWithRecordedRun(invocation)
    let run = try RunWord.run(word, in: invocation.session().store())
    if run.state == .running || run.state == .waiting {
      throw RunError(
        .busy, "run \(run.number) goes on in process \(run.process)",
        help: "wait for it, or end it with `errand cancel \(run.number)`")
    }
    if arguments.isOn("from-start") { return try again(run, invocation) }
    guard run.isDurable else {
      throw RunError(
        .conflict, "run \(run.number) of `\(run.name)` can't go on: it is not durable",
        help: "--from-start runs it again")
    }
    guard run.state != .done else {
      throw RunError(
        .conflict, "run \(run.number) is over, and did not fail", help: "--from-start runs it again"
      )
    }
    guard run.state != .cancelled else {
      throw RunError(
        .conflict, "run \(run.number) was cancelled", help: "--from-start runs it again")
    }
    return try ResumeCommand.resume(run, invocation, forgettingFailure: true)
  }

  private static func again(_ run: RecordedRun, _ invocation: Invocation) throws -> Int32 {
    let call = try invocation.call(of: run, isNew: true)
    let session = try invocation.repeatingSession(run, call)
    session.decideAccess = { request in try AccessGate(invocation).decide(request) }
    try invocation.resultWriter.checkFormat()
    var outcomes: [Outcome] = []
    try RunEnd.translating(session) {
      try Interruption.holding {
        try session.perform(run.name, again: call) { outcomes.append($0) }
      }
    }
    try invocation.write(outcomes)
    try invocation.expectSoundStore()
    return ExitStatus.done
  }
}
