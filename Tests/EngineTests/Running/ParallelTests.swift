import CEL
import Synchronization
import Testing

@testable import Engine

/// Parallel steps, as branches that take turns.
@Suite struct ParallelTests {
  private func run(_ steps: String, replies: [Reply]? = nil) throws -> TestRun {
    let indented = steps.split(separator: "\n", omittingEmptySubsequences: false)
      .map { "  " + $0 }.joined(separator: "\n")
    return try TestRun("shortcut: test\nsteps:\n" + indented + "\n", replies: replies)
  }

  private func ints(_ numbers: Int64...) -> Value { .list(numbers.map(Value.int)) }
  private func log(_ run: TestRun) -> [String] { run.world.state.withLock { $0.log } }

  @Test(arguments: [1, 2, 3, 64])
  func parallelValuesKeepListOrder(_ limit: Int) throws {
    let run = try run(
      "- for: n\n  in: [5, 1, 4, 2, 3]\n  parallel: \(limit)\n"
        + "  do: [{wait: '{{ duration(string(n) + \"s\") }}'}, {value: '{{ n * 10 }}'}]")
    #expect(try run.perform().value == ints(50, 10, 40, 20, 30))
  }

  @Test func parallelBranchesHaveNames() throws {
    let run = try run(
      "- parallel:\n    a: [{value: 1}]\n    b: [{value: two}]\n    c: [{log: x}]\n  as: all\n"
        + "- value: '{{ [all.a, all.b] }}'")
    #expect(try run.perform().value == .list([.int(1), .string("two")]))
  }

  @Test func firstFailureIsRaisedAfterAllEnd() throws {
    let run = try run(
      """
      - try:
          - for: n
            in: [1, 2, 3]
            parallel: 3
            do:
              - try:
                  - if: n == 2
                    then: [{fail: {message: two, code: two}}]
                  - wait: 1h
                  - log: 'not {{ n }}'
                finally:
                  - log: 'end {{ n }}'
        catch:
          - log: '{{ error.code }}'
      """)
    try run.perform()
    // A member that has not started is not cancelled.
    #expect(Set(log(run).dropLast()).isSubset(of: ["end 1", "end 2", "end 3"]))
    #expect(log(run).contains("end 1") && log(run).contains("end 2"))
    #expect(log(run).last == "two")
  }

  @Test func settledResultsHaveValueOrError() throws {
    let run = try run(
      """
      - for: n
        in: [1, 2, 3]
        parallel: 2
        settle: true
        do:
          - if: n == 2
            then: [{fail: {message: two, code: b}}]
          - value: '{{ n * 10 }}'
        as: all
      - value: '{{ all.map(r, [r.item, r.ok, r.value, r.ok ? null : r.error.code]) }}'
      """)
    let expected: [Value] = [
      .list([.int(1), .bool(true), .int(10), .null]),
      .list([.int(2), .bool(false), .null, .string("b")]),
      .list([.int(3), .bool(true), .int(30), .null]),
    ]
    #expect(try run.perform().value == .list(expected))
  }

  @Test func settledBranchesNeverRaise() throws {
    let run = try run(
      "- parallel:\n    a: [{fail: x}]\n    b: [{value: 1}]\n  settle: true\n  as: all\n"
        + "- value: '{{ [all.a.ok, all.b.ok, all.b.value] }}'")
    #expect(try run.perform().value == .list([.bool(false), .bool(true), .int(1)]))
  }

  @Test func declinedEndsSettledBlock() throws {
    let run = try run(
      "- for: n\n  in: [1]\n  parallel: 1\n  settle: true\n  do: [{fail: {message: x, code: declined}}]"
    )
    let error = #expect(throws: RunError.self) { try run.perform() }
    #expect(error?.code == .declined)
  }

  @Test func passesWithSameKeyRunOneAtATime() throws {
    let run = try run(
      """
      - for: n
        in: [1, 2, 3, 4, 5, 6]
        parallel: 6
        by: n % 2
        do:
          - log: 'begin {{ n % 2 }}'
          - wait: 1s
          - log: 'end {{ n % 2 }}'
      """)
    try run.perform()
    for key in 0...1 {
      let own = log(run).filter { $0.hasSuffix(" \(key)") }
      #expect(own == Array(repeating: ["begin \(key)", "end \(key)"], count: 3).flatMap { $0 })
    }
  }

  @Test func startsKeepPace() throws {
    let run = try run(
      "- for: n\n  in: [1, 2, 3, 4]\n  parallel: 1\n  pace: 200ms\n  do: [{value: '{{ n }}'}]")
    #expect(try run.perform().value == ints(1, 2, 3, 4))
    #expect(run.world.state.withLock { $0.nanoseconds } == 600_000_000)
  }

  @Test func breakCancelsOtherPasses() throws {
    let run = try run(
      "- for: n\n  in: [1, 2, 3]\n  parallel: 3\n"
        + "  do: [{if: n == 3, then: [break]}, {wait: 1h}, {log: not this}]\n- value: done")
    #expect(try run.perform().value == .string("done"))
    #expect(log(run) == [])
  }

  @Test func branchesAskOneAtATime() throws {
    let run = try run(
      "- for: n\n  in: [1, 2, 3]\n  parallel: 3\n  do: [{ask: 'Number?', type: int}]".replacing(
        "{ask: 'Number?', type: int}", with: "{ask: {prompt: 'Number?', type: int}}"),
      replies: [.text("7"), .text("7"), .text("7")])
    #expect(try run.perform().value == ints(7, 7, 7))
    #expect(run.front.questions.count == 3)
  }

  @Test func branchHasOwnVariables() throws {
    let run = try run(
      "- for: n\n  in: [1, 2, 3]\n  parallel: 3\n"
        + "  do: [{set: {x: '{{ n }}'}}, {wait: 1s}, {set: {x: '{{ x + n }}'}}, {value: '{{ x }}'}]"
    )
    #expect(try run.perform().value == ints(2, 4, 6))
  }

  @Test func stopInBranchStopsShortcut() throws {
    let run = try run("- parallel: {a: [stop], b: [{wait: 1h}, {log: not this}]}\n- log: nor this")
    #expect(try run.perform().isStopped)
    #expect(log(run) == [])
  }

  @Test func parallelBlocksNest() throws {
    let run = try run(
      """
      - for: a
        in: [1, 2, 3]
        parallel: 3
        do:
          - for: b
            in: [10, 20]
            parallel: 2
            do: [{wait: 1s}, {value: '{{ a + b }}'}]
      """)
    #expect(try run.perform().value == .list([ints(11, 21), ints(12, 22), ints(13, 23)]))
  }

  @Test func parallelAcceptsEmptyList() throws {
    let run = try run("- for: n\n  in: []\n  parallel: 3\n  do: [{value: 1}]")
    #expect(try run.perform().value == .list([]))
  }

  @Test(arguments: ["0", "65", "-1"])
  func branchLimitIsChecked(_ limit: String) throws {
    let run = try run(
      "- for: n\n  in: [1]\n  parallel: '{{ size([now()]) * \(limit) }}'\n  do: [{value: 1}]")
    let error = #expect(throws: RunError.self) { try run.perform() }
    #expect(error?.code == .invalidValue)
    #expect(error?.message.contains("64") == true)
  }

  @Test(
    arguments: [
      (
        "- set: {x: 1}\n- for: n\n  in: [1]\n  parallel: 1\n  do: [{set: {x: 2}}]",
        "set-in-parallel"
      ),
      ("- parallel: {}", "missing-body"),
      ("- for: n\n  in: [1]\n  pace: 1s\n  do: [{value: 1}]", "missing-argument"),
      ("- parallel: {a: [break]}", "not-in-loop"),
    ])
  func mistakes(_ steps: String, _ expected: String) throws {
    #expect(try mistakeIDs(inSteps: steps) == [expected])
  }

  @Test func failedKeyFailsItsPass() throws {
    let steps = """
      - for: n
        in: [1, 0, 2]
        parallel: 2
        by: 10 / n
        SETTLE
        do: [{value: '{{ n }}'}]
        as: all
      - value: '{{ all.map(a, a.ok ? string(a.value) : a.error.code + " " + string(a.item)) }}'
      """
    let settled = try run(steps.replacing("SETTLE", with: "settle: true")).perform().value
    #expect(settled == .list(["1", "invalid-value 0", "2"].map { .string($0) }), "\(settled)")
    let strict = try run(
      steps.replacing("SETTLE", with: "index: i").replacing("a.ok ? ", with: "true ? "))
    #expect(throws: RunError.self) { try strict.perform() }
  }

  /// Nested blocks finish even if they would need more branches than a run may have.
  @Test func nestedBlocksFinishDespiteThreadLimit() throws {
    let run = try run(
      """
      - for: a
        in: '{{ lists.range(64) }}'
        parallel: 64
        do:
          - for: b
            in: '{{ lists.range(64) }}'
            parallel: 64
            do:
              - wait: 1ms
              - for: c
                in: [1, 2]
                parallel: 2
                do: [{wait: 1ms}, {value: '{{ a * b * c }}'}]
      - value: '{{ it.map(a, a.map(b, b.sum()).sum()).sum() }}'
      """)
    #expect(try run.perform().value == .int(3 * 2016 * 2016))
  }

  @Test func nestedFailureEndsAllBranches() throws {
    let run = try run(
      """
      - try:
          - for: a
            in: '{{ lists.range(64) }}'
            parallel: 64
            do:
              - for: b
                in: '{{ lists.range(64) }}'
                parallel: 64
                do:
                  - wait: 1ms
                  - if: a == 63 && b == 1
                    then: [{fail: {message: deep, code: deep}}]
        catch: [{value: '{{ error.code }}'}]
      """)
    #expect(try run.perform().value == .string("deep"))
  }
}
