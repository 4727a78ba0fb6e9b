import CEL
import Program
import Store
import Synchronization
import TestSupport
import Testing

@testable import Engine

/// Runs resumed by another process after a crash.
@Suite struct DurableTests {
  /// A program whose choices and values are random, and recorded in its result.
  private static let byChance = """
    shortcut: inner
    input: string
    steps:
      - create: {entity: Task, set: {title: 'c{{ input }}'}}
      - exec: [note, '{{ input }}']
        onResume: retry
      - value: '{{ "c" + input }}'
    ---
    shortcut: chance
    durable: true
    variables: {trail: {type: 'list<string>', value: []}}
    steps:
      - repeat: 3
        do:
          - value: '{{ string(random()) + uuid() }}'
            as: r
          - if: random() < 0.5
            then:
              - create: {entity: Task, set: {title: 'a{{ r }}'}}
              - set: {trail: '{{ trail + ["a" + r] }}'}
            else:
              - atomic:
                  - create: {entity: Task, set: {title: 'b{{ r }}'}}
                  - set: {trail: '{{ trail + ["b" + r] }}'}
          - inner: '{{ r }}'
          - set: {trail: '{{ trail + [it] }}'}
          - while: random() < 0.4
            do:
              - value: '{{ string(random()) }}'
                as: w
              - create: {entity: Task, set: {title: '{{ w }}'}}
              - set: {trail: '{{ trail + [w] }}'}
          - for: i
            in: '{{ [string(random()), string(random())] }}'
            when: random() < 0.6
            do:
              - try:
                  - create: {entity: Task, set: {title: '{{ i }}'}}
                  - set: {trail: '{{ trail + [i] }}'}
                  - fail: {message: '{{ i }}', code: x}
                    when: random() < 0.5
                catch:
                  - create: {entity: Task, set: {title: 'x{{ error.message }}'}}
                  - set: {trail: '{{ trail + ["x" + i] }}'}
      - return: '{{ trail }}'
    """

  @Test(arguments: 0..<Amount.of("ERRAND_CHANCE", quick: 6, whole: 40))
  func randomDecisionsSurviveResume(_ seed: Int) throws {
    var maker = RandomProgramMaker(seed: UInt64(seed))
    let harness = DurableHarness(Self.byChance)
    harness.program("note") { _, _ in
      ProcessEnd(reason: .exited(0), output: Array("ok\n".utf8), errors: [])
    }
    let outcome = try harness.perform { process in 1 + maker.number(below: 6 + 4 * process) }
    guard case .list(let trail) = outcome.value else {
      Issue.record("no list")
      return
    }
    #expect(
      try harness.titles() == trail.map { if case .string(let text) = $0 { text } else { "" } })
  }

  @Test(arguments: 0..<10)
  func randomProgramsEndTheSameAfterCrashes(_ part: Int) throws {
    let count = RandomProgramTests.chaosPrograms
    for seed in 0..<count {
      try expectSameEnd(seed: UInt64(part * 100_000 + seed))
    }
  }

  private func expectSameEnd(seed: UInt64) throws {
    var maker = RandomProgramMaker(seed: seed, isDurable: true)
    let program = maker.program()
    let plain = PlainInterpreter(cancelAt: nil)
    let expected = plain.run(program)
    let variables = "variables: {x: {type: int, value: 0}}\n"
    let callees = RandomStep.called(program).map { callee in
      "shortcut: c\(callee.id)\n\(variables)steps: \(RandomStep.yaml(callee.body))\n---\n"
    }
    let yaml =
      callees.joined()
      + "shortcut: t\ndurable: true\n\(variables)steps: \(RandomStep.yaml(program))\n"
      + "output: '{{ it }}'\n"
    let harness = DurableHarness(yaml)
    harness.program("flaky") { _, _ in
      ProcessEnd(reason: .exited(0), output: Array("ok\n".utf8), errors: [])
    }
    let shown = "seed \(seed)\n\(yaml)"
    var counts: [Int] = []
    let end = try RandomProgramTests.outcome {
      try harness.perform { process in
        counts.append(1 + maker.number(below: 5 + 4 * process))
        return counts.last
      }
    }
    #expect(end == expected, "\(shown)\ndied after \(counts)")
    #expect(
      try harness.titles() == plain.saved.map { "s\($0)" }, "\(shown)\ndied after \(counts)")
    let effects = harness.world.state.withLock { $0.effects }
    // A program may run again if its end is unknown; a log line may be missing.
    expect(
      effects.filter { $0.hasPrefix("flaky") },
      plain.effects.filter { $0.hasPrefix("flaky") }, mayRepeat: harness.crashes, shown)
    expect(
      effects.filter { !$0.hasPrefix("flaky") },
      plain.effects.filter { !$0.hasPrefix("flaky") }, mayLack: harness.crashes, shown)
  }

  /// Expects texts in order, some of which may be repeated or missing.
  private func expect(
    _ found: [String], _ wanted: [String], mayRepeat: Int = 0, mayLack: Int = 0, _ shown: String
  ) {
    func counts(_ texts: [String]) -> [String: Int] {
      texts.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }
    let (have, want) = (counts(found), counts(wanted))
    let more = found.count - wanted.count
    #expect(more <= mayRepeat && -more <= mayLack, "\(shown)\n\(found)\n\(wanted)")
    for text in Set(found + wanted) {
      let difference = (have[text] ?? 0) - (want[text] ?? 0)
      #expect(
        mayLack > 0 ? difference <= 0 : difference >= 0, "\(text)\n\(shown)\n\(found)\n\(wanted)")
    }
  }

  @Test func interruptedStepIsRetriedSkippedOrAsked() throws {
    func end(_ policy: String, replies: [Reply]? = nil) throws -> (String, [String]) {
      let harness = DurableHarness(
        """
        shortcut: t
        durable: true
        steps:
          - exec: [send, a]
            as: sent
        \(policy)
          - value: '{{ sent == null ? "left out" : sent }}'
        """)
      harness.program("send") { _, _ in
        ProcessEnd(reason: .exited(0), output: Array("sent\n".utf8), errors: [])
      }
      harness.front.replies = replies
      // Events: the step starts, the program starts, the program ends; then the process dies.
      let outcome = try harness.perform { process in process == 0 ? 3 : nil }
      let text = if case .string(let text) = outcome.value { text } else { "" }
      return (text, harness.world.state.withLock { $0.effects })
    }
    #expect(try end("    onResume: retry") == ("sent", ["send a", "send a"]))
    #expect(try end("    onResume: skip") == ("left out", ["send a"]))
    #expect(try end("", replies: [.chosen([0])]) == ("sent", ["send a", "send a"]))
    #expect(try end("", replies: [.chosen([1])]) == ("left out", ["send a"]))
    #expect(throws: Cancellation.self) { try end("", replies: [.chosen([2])]) }
    #expect(throws: Cancellation.self) { try end("") }
  }

  @Test func resumedWaitKeepsItsEnd() throws {
    let harness = DurableHarness(
      """
      shortcut: t
      durable: true
      steps:
        - wait: 1h
        - value: '{{ now() }}'
      """)
    // The process dies after the wait and before its commit: an hour has passed.
    let start = harness.world.state.withLock { $0.seconds }
    var died = false
    let outcome = try harness.perform { _ in
      defer { died = true }
      if died { harness.world.state.withLock { $0.seconds += 3600 } }
      return died ? nil : 2
    }
    guard case .timestamp(let end) = outcome.value else {
      Issue.record("no time")
      return
    }
    #expect(end.seconds - start >= 3600)
    // The second process does not wait again. The wall clock of the world cannot tell: it moves with
    // each read, also for the time of each progress update.
    #expect(harness.world.state.withLock { $0.nanoseconds } <= 3_600_000_000_000)
  }

  @Test func journalRestoresValues() throws {
    let harness = DurableHarness(
      """
      shortcut: t
      durable: true
      steps:
        - create: {entity: Task, set: {title: Old, due: 2026-12-01}}
          as: task
        - value: '{{ [1, 2u, 1.5, double("inf"), b"\\x00\\xff", null, true, timestamp("2026-01-01T00:00:00.5Z"), duration("1.5s"), {1: "a", "$": 2}, type(1), optional.of(3), optional.none(), ip("10.0.0.1")] }}'
          as: before
        - update: {item: '{{ task }}', set: {title: New}}
        - exec: [die]
          onResume: retry
        - value:
           value:
            title: '{{ task.title }}'
            isNew: '{{ task.isNew }}'
            due: '{{ task.due }}'
            same: '{{ before == [1, 2u, 1.5, double("inf"), b"\\x00\\xff", null, true, timestamp("2026-01-01T00:00:00.5Z"), duration("1.5s"), {1: "a", "$": 2}, type(1), optional.of(3), optional.none(), ip("10.0.0.1")] }}'
      """)
    harness.program("die") { _, _ in
      ProcessEnd(reason: .exited(0), output: [], errors: [])
    }
    let outcome = try harness.perform { process in process == 0 ? 8 : nil }
    #expect(harness.crashes == 1)
    guard case .map(let map) = outcome.value else {
      Issue.record("no map")
      return
    }
    #expect(map["title"] == "Old")
    #expect(map["isNew"] == true)
    #expect(map["same"] == true)
    #expect(map["due"]?.typeName == "google.protobuf.Timestamp")
  }

  @Test func failedRunResumesAtFailedStep() throws {
    let harness = DurableHarness(
      """
      shortcut: t
      durable: true
      steps:
        - create: {entity: Task, set: {title: once}}
        - try:
            - for: i
              in: [1, 2]
              do:
                - exec: [flaky, '{{ i }}']
          catch:
            - on: io
              do: [{value: never}]
          finally:
            - create: {entity: Task, set: {title: tidy}}
        - value: done
      """)
    harness.program("flaky") { request, state in
      let count = state.commands.count { $0 == request.command }
      let fails = request.command[1] == "2" && count == 1
      return ProcessEnd(reason: .exited(fails ? 1 : 0), output: [], errors: [])
    }
    #expect(throws: RunError.self) { try harness.perform { _ in nil } }
    let run = try #require(try harness.kept.runs.latest())
    #expect(run.state == .failed)
    let outcome = try harness.retry(run)
    #expect(outcome.value == "done")
    #expect(
      harness.world.state.withLock { $0.effects } == ["flaky 1", "flaky 2", "flaky 2"])
    #expect(try harness.titles() == ["once", "tidy", "tidy"])
  }

  @Test func resumedRunKeepsItsDefinitions() throws {
    let harness = DurableHarness(
      """
      shortcut: helper
      steps: [{value: old}]
      ---
      shortcut: t
      durable: true
      steps:
        - exec: [die]
          onResume: retry
        - helper
      """)
    harness.program("die") { _, _ in ProcessEnd(reason: .exited(0), output: [], errors: []) }
    #expect(try harness.perform { process in process == 0 ? 2 : nil }.value == "old")
    #expect(harness.crashes == 1)
    let run = try #require(try harness.kept.runs.latest())
    #expect(try harness.kept.runs.definitions(ofRun: run).count == 2)
    #expect(run.state == .done)
  }
}
