import Synchronization
import Testing

@testable import Engine

/// Limits of runs.
@Suite struct BudgetTests {
  /// A chain of shortcuts that call each other three times.
  private static let chain = (0..<31).map { number in
    let call = number == 30 ? "value: 1" : "s\(number + 1)"
    let step = number == 30 ? "{\(call)}" : call
    return "shortcut: s\(number)\nsteps: [\(step), \(step), \(step)]\n"
  }.joined(separator: "---\n")

  @Test func exponentialCallsHitLimit() throws {
    var limits = RunLimits()
    limits.steps = 200_000
    let run = try TestRun(Self.chain, limits: limits)
    let error = #expect(throws: RunError.self) { try run.perform("s0") }
    #expect(error?.code == .failed)
    #expect(
      error?.message.hasPrefix("the run took more than 200,000 steps; most steps were in `s")
        == true)
    #expect(error?.remedy == .raiseSteps)
  }

  @Test func callLimitEndsRun() throws {
    var limits = RunLimits()
    limits.calls = 5_000
    let run = try TestRun(Self.chain, limits: limits)
    let error = #expect(throws: RunError.self) { try run.perform("s0") }
    #expect(error?.message.hasPrefix("the run made more than 5,000 calls") == true)
  }

  @Test func memoryLimitEndsRun() throws {
    var limits = RunLimits()
    limits.bytes = 16 << 20
    let run = try TestRun(
      """
      shortcut: t
      steps:
        - set: {big: x, all: ['']}
        - repeat: 14
          do: [{set: {big: '{{ big + big }}'}}]
        - repeat: 3000
          do: [{set: {all: '{{ all + [big + string(size(all))] }}'}}]
      """,
      limits: limits)
    let error = #expect(throws: RunError.self) { try run.perform() }
    #expect(error?.message.contains("MiB of memory") == true)
  }

  @Test func exceededLimitIsNotCaughtButRunsFinally() throws {
    var limits = RunLimits()
    limits.steps = 1_000
    let run = try TestRun(
      "shortcut: t\nsteps:\n  - try:\n      - while: true\n        do: [{set: {n: 1}}]\n"
        + "    catch: [{log: not this}]\n    finally: [{log: tidy}]\n", limits: limits)
    let error = #expect(throws: RunError.self) { try run.perform() }
    #expect(error?.message.hasPrefix("the run took more than 1,000 steps") == true)
    #expect(run.world.state.withLock { $0.log } == ["tidy"])
  }

  @Test func finallyIsLimitedToo() throws {
    var limits = RunLimits()
    limits.steps = 1_000
    let run = try TestRun(
      "shortcut: t\nsteps:\n  - try:\n      - while: true\n        do: [{set: {n: 1}}]\n"
        + "    finally:\n      - while: true\n        do: [{set: {n: 1}}]\n", limits: limits)
    #expect(throws: RunError.self) { try run.perform() }
  }

  @Test func attemptsCountAsSteps() throws {
    var limits = RunLimits()
    limits.steps = 1_000
    let run = try TestRun(
      "shortcut: t\nsteps: [{fail: No, retry: {times: 1000000000, delay: 0s, on: failed}}]\n",
      limits: limits)
    let error = #expect(throws: RunError.self) { try run.perform() }
    #expect(
      error?.message.hasPrefix("the run took more than 1,000 steps") == true, "\(error as Any)")
  }
}
