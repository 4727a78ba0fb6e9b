import Engine
import ErrandKit
import Source

/// What the person wants to see and decide of a run while it goes on.
struct RunWatching {
  private let run: Run
  private let invocation: Invocation
  private let wants: (Flag) -> Bool
  private let dryRun: DryRun?

  /// Lets a run be watched as its flags say.
  ///
  /// - Throws: `UsageError` when there is nobody who could be asked.
  init(_ run: Run, _ invocation: Invocation, wants: @escaping (Flag) -> Bool) throws {
    self.run = run
    self.invocation = invocation
    self.wants = wants
    let clock = run.host.clock
    if let events = run.front as? EventsFront { events.begin(run.id) }
    dryRun =
      !wants(.dryRun)
      ? nil
      : DryRun(
        invocation.console, clock: clock, isJSON: invocation.mode.hasJSONErrors,
        makesRequests: wants(.allowRequests))
    if wants(.trace) {
      if let events = run.front as? EventsFront {
        run.observers.append(TraceEvents(events))
      } else {
        run.observers.append(TraceWriter(invocation.console, clock: clock))
      }
    }
    if let dryRun { run.observers.append(dryRun) }
    if wants(.step) {
      guard run.front.canAnswer else {
        throw UsageError(
          "--step asks before each step, and nobody can answer",
          help: "run it on a terminal, or take --trace")
      }
      run.observers.append(StepAsker(run))
    }
  }

  /// Runs what was asked for with each of some values.
  ///
  /// - Parameters:
  ///   - done: hears of each outcome.
  ///   - finish: is called at the end, while what was written can be read.
  func perform(
    _ name: String, each calls: [[Int: GivenValue]], done: (Outcome) throws -> Void,
    then finish: () throws -> Void
  ) throws {
    guard let dryRun else {
      try run.perform(name, each: calls, done: done)
      return try finish()
    }
    do {
      try run.rehearse(
        name, each: calls, makesRequests: wants(.allowRequests), done: done, then: finish)
    } catch let error as RunError where dryRun.lacksValues {
      // Nothing tells what the program or the server would have given.
      note(
        "the dry run stops here: the next step needs a result that a skipped step would have given"
          + (dryRun.skippedRequest ? "; --allow-requests makes requests that only read" : ""))
      throw error
    }
    note("dry run: nothing was changed")
  }

  private func note(_ text: String) {
    if invocation.arguments.isOn("quiet") || invocation.mode.hasJSONErrors { return }
    invocation.console.flush()
    invocation.console.err("errand: \(text)\n")
  }
}
