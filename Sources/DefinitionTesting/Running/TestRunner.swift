import CEL
package import Catalog
import Engine
import Items
import Program
import Store
import Synchronization
import YAML

/// Runs tests, each in a store and a world of its own that are only in memory.
package struct TestRunner {
  private let library: Library
  /// A clock that only goes forward, in nanoseconds, by which tests are timed.
  private let clock: () -> Int64

  /// A runner of the tests in a library.
  package init(_ library: Library, clock: @escaping () -> Int64) {
    self.library = library
    self.clock = clock
  }

  /// How many steps a test may take; one that never ends is then told of soon.
  private static let stepLimit = 2_000_000

  /// Runs a test.
  package func run(_ test: TestDefinition, of action: String) -> TestResult {
    var result = TestResult(test, of: action)
    let start = clock()
    do {
      let world = try TestWorld(test.fakes)
      let workspace = Workspace(library: library, host: world.host) { context in
        try EntityStore(at: StoreLocation(path: ":memory:"), context: context)
      }
      defer {
        workspace.closeStore()
        result.mask(world.host.secrets)
      }
      try check(test, of: action, in: workspace, world, &result)
    } catch {
      result.failures.append(TestFailure(error, at: test.span))
    }
    result.nanoseconds = clock() - start
    return result
  }

  private func check(
    _ test: TestDefinition, of action: String, in workspace: Workspace, _ world: TestWorld,
    _ result: inout TestResult
  ) throws {
    let front = TestFront()
    let before = Run(workspace, host: world.host, front: front, cause: "given")
    try give(test, before)
    let trigger = try test.trigger.map {
      try Self.value(of: $0, workspace.automation(action), in: before)
    }
    var limits = RunLimits()
    limits.steps = Self.stepLimit
    let answers = Answers(scripted: test.answers.map { ($0.key.text, Self.given($0.value)) })
    let run = Run(workspace, host: world.host, front: front, answers: answers, limits: limits)
    let recorder = StepRecorder(action: action, crashAfter: test.crashAfter?.text)
    run.observers = [recorder]
    var last = run
    let outcome = Result {
      do {
        return try run.perform(action, try parameters(of: test, trigger, action))
      } catch let end as Cancellation where end.reason == .crashed {
        last = try self.run(goingOnIn: workspace, world, front, answers)
        last.observers = [recorder]
        do {
          return try resume(last, in: workspace)
        } catch let end as Cancellation where end.reason == .suspended {
          throw RunError(
            .failed, "the run is suspended: \(last.suspension ?? "it waits")",
            help: "give `answers: {onResume: …}`, or the step `onResume: retry`")
        }
      }
    }
    if test.crashAfter != nil, !recorder.hasCrashed, case .success = outcome {
      result.failures.append(
        TestFailure(
          "nothing that `crashAfter` names was done", at: test.crashAfter?.span,
          help: "name a verb, or a step by its `as`, its `name` or its place"))
    }
    let evidence = TestEvidence(
      run: last, world: world, front: front, recorder: recorder, outcome: outcome)
    result.steps = recorder.steps
    result.counts = recorder.counts
    result.unusedAnswers = answers.unused
    let unfaked = world.state.withLock { $0.unfaked }
    for reached in unfaked {
      result.failures.append(
        TestFailure(
          "\(reached.what) was reached, and nothing stands for it", at: test.span,
          help: "write under `fake:` \(reached.remedy)"))
    }
    if unfaked.isEmpty, case .failure(let error) = outcome,
      !test.expectations.contains(where: { $0.subject.text == "error" })
    {
      result.failures.append(TestFailure(error, "the run failed: "))
    }
    for expectation in test.expectations where unfaked.isEmpty {
      result.failures += evidence.check(expectation)
    }
  }

  /// A run in another process, which has nothing but the store of the one that is gone.
  private func run(
    goingOnIn workspace: Workspace, _ world: TestWorld, _ front: TestFront, _ answers: Answers
  ) throws -> Run {
    let store = try workspace.store()
    let another = Workspace(library: library, host: world.host) { _ in store }
    return Run(another, host: world.host, front: front, answers: answers)
  }

  /// Goes on with the run that was recorded last.
  private func resume(_ run: Run, in workspace: Workspace) throws -> Outcome {
    let store = try workspace.store()
    guard let record = try store.runs.latest() else {
      throw RunError(.failed, "the run was not recorded, so that nothing can go on with it")
    }
    let lines = try store.runs.lines(ofRun: record.number)
    let call = try Run.call(of: record, lines, in: run.workspace)
    var outcome: Outcome?
    try run.resume(record, call) { outcome = $0 }
    guard let outcome else { throw RunError(.internal, "the run went on, and came to nothing") }
    return outcome
  }

  /// Puts the given items into the store.
  private func give(_ test: TestDefinition, _ run: Run) throws {
    for given in test.given {
      for item in given.items {
        do {
          try run.given(
            given.entity.text, item.entries.map { ($0.key.text, $0.value.plainValue) })
        } catch var error as RunError {
          if error.span == nil { error.span = item.entries.first?.key.span ?? given.entity.span }
          throw error
        }
      }
    }
  }

  /// The input and the parameters by their positions.
  private func parameters(
    of test: TestDefinition, _ trigger: Value?, _ action: String
  ) throws -> [Int: GivenValue] {
    guard let definition = try library.action(action) else { return [:] }
    var given: [Int: GivenValue] = [:]
    let all = definition.allParameters
    for entry in test.parameters {
      if let index = all.firstIndex(where: { $0.name.text == entry.key.text }) {
        given[index] = .value(entry.value.plainValue)
      }
    }
    if let input = trigger ?? test.input?.plainValue, let primary = definition.primaryParameter,
      let index = all.firstIndex(where: { $0.name.text == primary.name.text })
    {
      given[index] = .value(input)
    }
    return given
  }

  /// Answers as they are written: a text, or a list of those of successive askings.
  private static func given(_ node: Node) -> Answers.Given {
    func texts(_ node: Node) -> [String] {
      node.scalar.map { [$0.text] } ?? (node.sequence ?? []).compactMap { $0.scalar?.text }
    }
    guard let nodes = node.sequence else { return .repeated([texts(node)]) }
    return .repeated(nodes.map(texts))
  }

  /// The value of `trigger` for what a test says, as a worker would make it.
  ///
  /// - Throws: `RunError` where nothing in `on` would have set the automation off.
  static func value(
    of trigger: TestDefinition.Trigger, _ automation: CompiledAction, in run: Run
  ) throws -> Value {
    let triggers = automation.triggers.filter { trigger.fits(kind: $0.kind, id: $0.id) }
    let time = try trigger.time.map {
      try run.converted(.string($0.text), to: .timestamp, named: "time")
    }
    let now = time ?? .timestamp(run.host.now())
    guard let first = triggers.first else {
      throw RunError(
        .invalidValue, "no entry of `on` fits this trigger", at: trigger.kind?.span ?? trigger.span)
    }
    let fields = (trigger.item?.entries ?? []).map { ($0.key.text, $0.value.plainValue) }
    switch first.event {
    case .created(let entity), .changed(let entity):
      let old = (trigger.was?.entries ?? []).map { ($0.key.text, $0.value.plainValue) }
      let names = Set(old.map(\.0))
      let before = try run.given(entity, fields.filter { !names.contains($0.0) } + old)
      let item =
        trigger.was == nil
        ? before
        : try run.changed(
          before,
          fields.filter { field in
            names.contains(field.0)
          })
      let found = try triggers.first { candidate in
        try run.holds(candidate.condition, for: item)
          && (candidate.kind == "created" || run.holds(candidate.previousCondition, for: before))
      }
      guard let found else {
        throw RunError(
          .invalidValue, "this sets nothing off: the `where` or the `was` of `on` doesn't hold",
          at: trigger.span)
      }
      return found.value(
        time: now, item: .object(item),
        before: found.kind == "changed" ? .object(before) : .null)
    case .share:
      return first.value(time: now, item: SharedValue.make(MapValue(fields)) ?? .null)
    case .file: return first.value(time: now, path: .string(trigger.path?.text ?? ""))
    case .every, .days, .cron: return first.value(time: now)
    }
  }
}
