import CEL
import FoundationEssentials
import Program
import Synchronization
import TestSupport
import Testing

@testable import Engine

/// Random programs agree with a naive interpreter, under any failure or cancellation.
@Suite struct RandomProgramTests {
  @Test(arguments: 0..<8)
  func randomProgramsMatchPlainInterpreter(_ part: Int) throws {
    for seed in 0..<Amount.of("ERRAND_PROGRAMS_TRIED", quick: 8, whole: 60) {
      var maker = RandomProgramMaker(seed: UInt64(part * 1000 + seed))
      let program = maker.program()
      let plain = PlainInterpreter(cancelAt: nil)
      let expected = plain.run(program)
      try expect(program, nil, expected, plain.effects)
      guard !plain.effects.isEmpty else { continue }
      let cancelAt = 1 + maker.number(below: plain.effects.count)
      let cancelled = PlainInterpreter(cancelAt: cancelAt)
      let end = cancelled.run(program)
      try expect(program, cancelAt, end, cancelled.effects)
    }
  }

  private func expect(
    _ program: [RandomStep], _ cancelAt: Int?, _ end: String, _ effects: [String]
  ) throws {
    let yaml =
      "shortcut: t\nvariables: {x: {type: int, value: 0}}\nsteps: \(RandomStep.yaml(program))\n"
      + "output: '{{ it }}'\n"
    let interrupt = Interrupt()
    let run = try TestRun(yaml, interrupt: interrupt)
    run.world.state.withLock { state in
      if let cancelAt { state.afterEffects = (cancelAt, { interrupt.set() }) }
      state.programs["flaky"] = Self.flaky
    }
    let shown = "\(yaml)cancelled at \(cancelAt.map(String.init) ?? "no effect")"
    let found = try outcome(run)
    #expect(found == end, "\(shown)")
    #expect(run.world.state.withLock { $0.effects } == effects, "\(shown)")
  }

  /// Fails as often as its second argument says.
  private static let flaky: @Sendable (ProcessRequest, inout FakeWorld.State) -> ProcessEnd = {
    request, state in
    let count = state.commands.count { $0 == request.command }
    let fails = count <= Int(request.command[2]) ?? 0
    return ProcessEnd(
      reason: .exited(fails ? 1 : 0), output: Array("ok\n".utf8),
      errors: fails ? Array("flaky \(request.command[1])".utf8) : [])
  }

  /// Number of random programs for each part of the durable tests; `ERRAND_CHAOS` raises it.
  static let chaosPrograms = Amount.of("ERRAND_CHAOS", quick: 2, whole: 15)

  private func outcome(_ run: TestRun) throws -> String { try Self.outcome { try run.perform() } }

  /// The end of a run, in a comparable form.
  static func outcome(_ perform: () throws -> Outcome) throws -> String {
    do {
      let outcome = try perform()
      if outcome.isStopped { return "stopped" }
      return "value " + (try DataFormat.jsonText(outcome.value))
    } catch var error as RunError {
      var codes = [error.code.name]
      while let cause = error.cause {
        codes.append(cause.code.name)
        error = cause
      }
      return "error " + codes.joined(separator: " < ")
    } catch is Cancellation {
      return "cancelled"
    }
  }
}
