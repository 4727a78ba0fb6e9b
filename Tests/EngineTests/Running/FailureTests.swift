import CEL
import Synchronization
import Testing

@testable import Engine

/// `try`, `retry`, `timeout` and `atomic`: failures, handlers and cleanup.
@Suite struct FailureTests {
  /// A run of some steps with faked programs and clock.
  private func run(
    _ steps: String, interrupt: Interrupt = Interrupt(), replies: [Reply]? = nil
  ) throws -> TestRun {
    let indented = steps.split(separator: "\n", omittingEmptySubsequences: false)
      .map { "  " + $0 }.joined(separator: "\n")
    let run = try TestRun(
      "shortcut: test\nsteps:\n" + indented + "\n", replies: replies, interrupt: interrupt)
    run.world.state.withLock { state in
      state.programs["fail"] = { request, _ in
        ProcessEnd(
          reason: .exited(3), output: Array("some\n".utf8),
          errors: Array("first\nit is \(request.command.count)\n".utf8))
      }
      state.programs["slow"] = { _, state in
        state.nanoseconds += 5_000_000_000
        return ProcessEnd(reason: .exited(0), output: Array("at last\n".utf8), errors: [])
      }
      // Fails twice.
      state.programs["flaky"] = { request, state in
        let count = state.commands.count { $0 == request.command }
        return ProcessEnd(
          reason: .exited(count > 2 ? 0 : 1), output: Array("try \(count)".utf8), errors: [])
      }
    }
    return run
  }

  private func error(_ steps: String) throws -> RunError {
    let error = #expect(throws: RunError.self) { try run(steps).perform() }
    return try #require(error)
  }

  private func log(_ run: TestRun) -> [String] { run.world.state.withLock { $0.log } }
  private func pauses(_ run: TestRun) -> [Int64] { run.world.state.withLock { $0.pauses } }

  // MARK: Errors

  @Test func errorHasFields() throws {
    let run = try run(
      "- try: [{exec: [fail, now]}]\n  catch:\n    - on: exec\n      as: problem\n"
        + "      do: [{value: '{{ problem }}'}]")
    let expected = MapValue([
      ("code", .string("exec")),
      ("message", .string("`fail` exited with status 3: it is 2")),
      ("step", .string("exec")),
      (
        "data",
        .map(
          MapValue([
            ("status", .int(3)), ("signal", .null), ("stdout", .string("some")),
            ("stderr", .string("first\nit is 2")),
          ]))
      ),
      ("cause", .null),
    ])
    #expect(try run.perform().value == .map(expected))
  }

  @Test func failSetsDataAndStatusAndReraises() throws {
    let error = try error(
      """
      - try:
          - fail: {message: No, code: oops, data: {n: 1}, status: 9}
        catch:
          - as: problem
            where: problem.data.n == 1
            do:
              - fail: '{{ problem }}'
      """)
    #expect(error.code.name == "oops")
    #expect(error.message == "No")
    #expect(error.data == .map(MapValue([("n", .int(1))])))
    #expect(error.cause == nil)
  }

  @Test(arguments: [0, 126, -1])
  func failStatusMustBeInRange(_ status: Int) throws {
    #expect(
      try error("- fail: {message: No, status: '{{ \(status) * size([now()]) }}'}").code
        == .invalidValue)
  }

  // MARK: Catch

  @Test func firstMatchingHandlerRuns() throws {
    let run = try run(
      """
      - try:
          - fail: {message: x, code: b}
        catch:
          - on: a
            do: [{value: 1}]
          - on: [c, b]
            where: error.message == "y"
            do: [{value: 2}]
          - on: [c, b]
            do: [{value: 3}]
          - do: [{value: 4}]
      """)
    #expect(try run.perform().value == .int(3))
  }

  @Test func catchWithoutCodesIgnoresDeclined() throws {
    #expect(
      try error("- try: [{fail: {message: x, code: declined}}]\n  catch: [{value: 1}]").code
        == .declined)
    let run = try run(
      "- try: [{fail: {message: x, code: declined}}]\n  catch: [{on: declined, do: [{value: 1}]}]")
    #expect(try run.perform().value == .int(1))
  }

  @Test func errorInHandlerHasCause() throws {
    let error = try error(
      "- try: [{fail: {message: x, code: a}}]\n  catch: [{fail: {message: y, code: b}}]")
    #expect(error.code.name == "b")
    #expect(error.cause?.code.name == "a")
  }

  @Test func loopInCatchIsNotHandler() throws {
    let run = try run(
      "- try: [{fail: x}]\n  catch:\n    - for: n\n      in: [1, 2]\n      do: [{value: '{{ n }}'}]"
    )
    #expect(try run.perform().value == .list([.int(1), .int(2)]))
  }

  // MARK: Finally

  @Test(
    arguments: [
      ("- value: 1", "none"), ("- fail: {message: x, code: a}", "a"), ("- stop", "none"),
      ("- return: 2", "none"),
    ])
  func finallyAlwaysRuns(_ body: String, _ seen: String) throws {
    let run = try run(
      "- try: [{if: true, then: [\(body.dropFirst(2).contains(":") ? "{\(body.dropFirst(2))}" : "stop")]}]\n"
        + "  finally: [{log: '{{ error == null ? \"none\" : error.code }}'}]")
    _ = try? run.perform()
    #expect(log(run) == [seen])
  }

  @Test func errorInFinallyReplacesFirst() throws {
    let error = try error(
      "- try: [{fail: {message: x, code: a}}]\n  finally: [{fail: {message: y, code: b}}]")
    #expect(error.code.name == "b")
    #expect(error.cause?.code.name == "a")
  }

  @Test func valueOfTryIsThatOfBody() throws {
    let run = try run(
      "- try: [{value: 1}]\n  finally: [{value: 2}]\n  as: x\n- value: '{{ [it, x] }}'")
    #expect(try run.perform().value == .list([.int(1), .int(1)]))
  }

  // MARK: Cancellation

  @Test func cancellationRunsFinallyAndIsNotCaught() throws {
    let interrupt = Interrupt()
    let run = try run(
      """
      - try:
          - log: begun
          - log: not this
        catch:
          - log: nor this
        finally:
          - wait: 2s
          - log: tidy
      - log: nor that
      """, interrupt: interrupt)
    run.world.state.withLock { $0.afterEffects = (1, { interrupt.set() }) }
    #expect(throws: Cancellation.self) { try run.perform() }
    #expect(log(run) == ["begun", "tidy"])
  }

  @Test func finallyHasTenSecondsAfterCancellation() throws {
    let interrupt = Interrupt()
    let run = try run(
      "- try: [{log: begun}]\n  finally: [{wait: 1h}, {log: not this}]", interrupt: interrupt)
    run.world.state.withLock { $0.afterEffects = (1, { interrupt.set() }) }
    let end = #expect(throws: Cancellation.self) { try run.perform() }
    #expect(end?.reason == .interrupted)
    #expect(end?.failure?.code == .timeout)
    #expect(log(run) == ["begun"])
    #expect(pauses(run).last == 10_000_000_000)
  }

  @Test func startedFinallyIsNotCancelled() throws {
    let interrupt = Interrupt()
    let run = try run(
      "- try: [{log: begun}]\n  finally: [{log: one}, {wait: 3s}, {log: two}]\n- log: not this",
      interrupt: interrupt)
    run.world.state.withLock { $0.afterEffects = (2, { interrupt.set() }) }
    #expect(throws: Cancellation.self) { try run.perform() }
    #expect(log(run) == ["begun", "one", "two"])
  }

  // MARK: Timeout

  @Test func slowProgramTimesOut() throws {
    let error = try error("- exec: [slow]\n  timeout: 2s")
    #expect(error.code == .timeout)
    #expect(error.message == "`exec` timed out after 2s")
  }

  @Test func outerTimeoutIsNotCaughtInside() throws {
    let run = try run(
      """
      - try:
          - if: true
            timeout: 1s
            then:
              - try:
                  - wait: 1m
                catch:
                  - log: not this
        catch:
          - on: timeout
            do: [{value: late}]
      """)
    #expect(try run.perform().value == .string("late"))
    #expect(log(run) == [])
    #expect(pauses(run) == [1_000_000_000])
  }

  @Test func blockTimeoutSpansAllAttempts() throws {
    let error = try error(
      "- if: true\n  timeout: 7s\n  retry: {times: 9, on: [exec]}\n  then: [{exec: [slow]}, {exec: [fail]}]"
    )
    #expect(error.code == .timeout)
  }

  // MARK: Retry

  @Test func retryDelaysGrowToMaximum() throws {
    let run = try run(
      "- exec: [fail]\n  retry: {times: 4, delay: 1s, backoff: 3, max: 5s, jitter: 0, on: exec}")
    #expect(throws: RunError.self) { try run.perform() }
    #expect(pauses(run) == [1, 4, 9, 14].map { $0 * 1_000_000_000 })
    #expect(run.world.state.withLock { $0.commands.count } == 5)
  }

  @Test func jitterStaysInRange() throws {
    let run = try run("- exec: [fail]\n  retry: {times: 20, delay: 10s, backoff: 1, on: exec}")
    #expect(throws: RunError.self) { try run.perform() }
    let ends = pauses(run)
    let lengths = zip(ends, [0] + ends).map { $0 - $1 }
    #expect(lengths.count == 20)
    #expect(lengths.allSatisfy { (8_000_000_000...12_000_000_000).contains($0) })
    #expect(Set(lengths).count > 1)
  }

  @Test func failedProgramIsRetriedOnlyForNamedCode() throws {
    let run = try run("- exec: [flaky]\n  retry: 5")
    #expect(throws: RunError.self) { try run.perform() }
    #expect(pauses(run).isEmpty)
    #expect(
      try self.run("- exec: [flaky]\n  retry: {times: 2, on: exec}").perform().value
        == .string("try 3"))
  }

  @Test func failedAttemptLeavesNoValues() throws {
    let run = try run(
      """
      - set: {n: 0}
      - if: true
        retry: {times: 2, delay: 0s, on: exec}
        then:
          - set: {n: '{{ n + 1 }}'}
          - exec: [flaky]
      - value: '{{ n }}'
      """)
    #expect(try run.perform().value == .int(1))
  }

  @Test func catchRunsAfterLastAttempt() throws {
    let run = try run(
      "- try: [{exec: [fail], retry: {times: 2, on: exec}}]\n  catch: [{log: once}]")
    try run.perform()
    #expect(log(run) == ["once"])
  }

  // MARK: Atomic

  @Test func atomicIsAllOrNothing() throws {
    let run = try run(
      """
      - create: {entity: Note, set: {text: before}}
      - try:
          - atomic:
              - create: {entity: Note, set: {text: half}}
              - fail: {message: x, code: a}
        catch:
          - log: '{{ error.code }}'
      - atomic:
          - create: {entity: Note, set: {text: one}}
          - create: {entity: Note, set: {text: two}}
      - find: {entity: Note, sort: createdAt}
      - value: '{{ it.map(n, n.text) }}'
      """)
    #expect(try run.perform().value == .list(["before", "one", "two"].map(Value.string)))
    #expect(log(run) == ["a"])
  }

  // MARK: Ends that nothing catches

  @Test func failedFinallyKeepsCauses() throws {
    let error = try error(
      """
      - try:
          - try: [{fail: {message: one, code: a}}]
            catch: [{fail: {message: two, code: b}}]
        finally:
          - try: [{fail: {message: three, code: c}}]
            catch: [{fail: {message: four, code: d}}]
      """)
    #expect(([error] + error.causes).map(\.code.name) == ["d", "c", "b", "a"])
  }

  @Test func interruptedRunStaysInterruptedWhenFinallyFails() throws {
    for (steps, code) in [("fail: {message: x, code: a}", "a"), ("wait: 1h", "timeout")] {
      let interrupt = Interrupt()
      let run = try run(
        "- try: [{wait: 1h}]\n  catch: [{log: no}]\n  finally: [{\(steps)}, {log: no}]",
        interrupt: interrupt)
      run.world.state.withLock { $0.afterPauses = (1, { interrupt.set() }) }
      let end = #expect(throws: Cancellation.self) { try run.perform() }
      #expect(end?.reason == .interrupted)
      #expect(end?.failure?.code.name == code)
      #expect(log(run) == [])
    }
  }

  @Test func finallyStillWaitsForTheStore() throws {
    let interrupt = Interrupt()
    let run = try run("- try: [{log: begun}]\n  finally: [{exec: [probe]}]", interrupt: interrupt)
    let waited = Mutex<Bool?>(nil)
    run.world.state.withLock { state in
      state.afterEffects = (1, { interrupt.set() })
      state.programs["probe"] = { _, _ in
        waited.withLock { $0 = !interrupt.endsWaits }
        return ProcessEnd(reason: .exited(0), output: [], errors: [])
      }
    }
    let end = #expect(throws: Cancellation.self) { try run.perform() }
    #expect(end?.reason == .interrupted)
    #expect(waited.withLock { $0 } == true)
    #expect(interrupt.endsWaits)
  }

  @Test func interruptDuringFinallyCancelsRun() throws {
    let interrupt = Interrupt()
    let run = try run(
      "- try: [{try: [{value: 1}], finally: [{wait: 5s}, {wait: 1h}]}]\n  catch: [{log: no}]\n- log: no",
      interrupt: interrupt)
    run.world.state.withLock { $0.afterPauses = (1, { interrupt.set() }) }
    let end = #expect(throws: Cancellation.self) { try run.perform() }
    #expect(end?.reason == .interrupted)
    #expect(end?.failure?.code == .timeout)
    #expect(log(run) == [])
  }

  @Test func timeoutHasFailureOfFinallyAsCause() throws {
    let error = try error(
      "- try: [{wait: 1h}]\n  finally: [{fail: {message: x, code: a}}]\n  timeout: 1s")
    #expect(([error] + error.causes).map(\.code.name) == ["timeout", "a"])
  }

  // MARK: Mistakes

  @Test(
    arguments: [
      ("- try: [{value: 1}]", "missing-body"),
      ("- try: [{value: 1}]\n  finally: [stop]", "not-in-finally"),
      ("- try: [{value: 1}]\n  finally: [{return: 1}]", "not-in-finally"),
      (
        "- repeat: 2\n  do:\n    - try: [{value: 1}]\n      finally: [break]",
        "not-in-loop"
      ),
      ("- atomic: [{ask: Who?}]", "not-in-atomic"),
      ("- atomic: [{exec: [ls]}]", "not-in-atomic"),
      ("- atomic: [{wait: 1s}]", "not-in-atomic"),
      ("- atomic: [{parallel: {a: [{value: 1}]}}]", "not-in-atomic"),
      ("- value: 1\n  retry: {delay: 1s}", "missing-argument"),
      ("- exec: {shell: 'echo {{ 1 }}'}", "template-in-shell"),
      ("- fail: x\n  onResume: never", "invalid-value"),
    ])
  func mistakes(_ steps: String, _ expected: String) throws {
    #expect(try mistakeIDs(inSteps: steps) == [expected])
  }
}
