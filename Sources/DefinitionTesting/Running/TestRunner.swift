import CEL
package import Catalog
package import Engine
import Items
import Program
import Store
import Synchronization
import YAML

/// Runs tests of definitions, each in its own in-memory store and simulated world.
///
/// `DefinitionTesting` owns the tests in definition files: fakes for the outside, simulated time,
/// comparison with expectations, and coverage. It runs definitions with `Engine`.
package struct TestRunner {
  private let catalog: DefinitionCatalog
  /// The monotonic clock for durations, in nanoseconds.
  private let clock: () -> Int64

  /// A runner for the definitions of a library.
  package init(_ catalog: DefinitionCatalog, clock: @escaping () -> Int64) {
    self.catalog = catalog
    self.clock = clock
  }

  /// Maximum number of steps of a test, so that an endless one fails quickly.
  private static let stepLimit = 2_000_000

  /// Runs a test.
  package func run(_ test: TestDefinition, of action: String) -> TestResult {
    var result = TestResult(test, of: action)
    let start = clock()
    do {
      let world = try TestWorld(test.fakes)
      let workspace = Workspace(catalog: catalog, host: world.host) { context in
        try Database(at: StoreLocation(path: ":memory:"), context: context)
      }
      defer {
        workspace.closeStore()
        result.mask(world.host.secrets)
      }
      try check(test, of: action, in: workspace, world, &result)
    } catch {
      result.failures.append(TestFailure(error, at: test.span))
    }
    result.took = .nanoseconds(clock() - start)
    return result
  }

  /// Calls a body with a run in a world with the items of a test.
  package func withItems<Result>(
    of test: TestDefinition, _ body: (Run) throws -> Result
  ) throws -> Result {
    let world = try TestWorld(test.fakes)
    let workspace = Workspace(catalog: catalog, host: world.host) { context in
      try Database(at: StoreLocation(path: ":memory:"), context: context)
    }
    defer { workspace.closeStore() }
    let run = Run(workspace, host: world.host, front: TestFront(), cause: "given")
    try give(test, run)
    return try body(run)
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
    let answers = PresetAnswers(scripted: test.answers.map { ($0.key.text, Self.given($0.value)) })
    let run = Run(workspace, host: world.host, front: front, answers: answers, limits: limits)
    let recorder = StepRecorder(action: action, crashAfter: test.crashAfter?.text)
    run.recorder.observers = [recorder]
    var last = run
    let outcome = Result {
      do {
        return try run.perform(
          action,
          try parameters(of: test, trigger, action)
            .merging(before.widgetValues(action)) { given, _ in given })
      } catch let end as Cancellation where end.reason == .crashed {
        last = try self.run(resumedIn: workspace, world, front, answers)
        last.recorder.observers = [recorder]
        do {
          return try resume(last, in: workspace)
        } catch let end as Cancellation where end.reason == .suspended {
          throw RunError(
            .failed, "the run is suspended: \(last.recorder.suspension ?? "it waits")",
            help: "add `answers: {onResume: …}`, or `onResume: retry` to the step")
        }
      }
    }
    if test.crashAfter != nil, !recorder.hasCrashed, case .success = outcome {
      result.failures.append(
        TestFailure(
          "no completed step matches `crashAfter`", at: test.crashAfter?.span,
          help: "name a verb, or a step by its `as`, its `name` or its place"))
    }
    let evidence = TestEvidence(
      run: last, world: world, front: front, recorder: recorder, outcome: outcome)
    result.steps = recorder.steps
    result.counts = recorder.counts
    result.unusedAnswers = answers.unused
    // A test may expect that nothing touches a file.
    let expectsFiles = test.expectations.contains { $0.subject.text == "files" }
    result.unusedFakes = world.unusedFakes.filter { !(expectsFiles && $0.hasPrefix("files: ")) }
    let unfaked = world.state.withLock { $0.unfaked }
    for reached in unfaked {
      result.failures.append(TestFailure(reached.message, at: test.span, help: reached.advice))
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

  /// A run in a simulated new process, which shares only the store.
  private func run(
    resumedIn workspace: Workspace, _ world: TestWorld, _ front: TestFront, _ answers: PresetAnswers
  ) throws -> Run {
    let store = try workspace.store()
    let another = Workspace(catalog: catalog, host: world.host) { _ in store }
    return Run(another, host: world.host, front: front, answers: answers)
  }

  /// Resumes the last recorded run.
  private func resume(_ run: Run, in workspace: Workspace) throws -> Outcome {
    let store = try workspace.store()
    guard let record = try store.runs.latest() else {
      throw RunError(.failed, "the run was not recorded and cannot be resumed")
    }
    let lines = try store.runs.lines(ofRun: record.number)
    let call = try Run.call(of: record, lines, in: run.workspace)
    var outcome: Outcome?
    try run.resume(record, call) { outcome = $0 }
    guard let outcome else { throw RunError(.internal, "the resumed run has no outcome") }
    return outcome
  }

  /// Creates the items under `given`.
  private func give(_ test: TestDefinition, _ run: Run) throws {
    // Each is a millisecond younger than the one above it, the last is of now.
    var left = Int64(test.given.reduce(0) { $0 + $1.items.count })
    for given in test.given {
      for item in given.items {
        left -= 1
        let now = Timestamp(microseconds: run.host.now().microseconds - left * 1_000)
        _ = try RunError.placing(at: item.entries.first?.key.span ?? given.entity.span) {
          do {
            try run.given(given.entity.text, fields(of: item, given.entity.text), at: now)
          } catch let error as RunError where error.code == .notFound && error.advice == nil {
            throw RunError(
              error.code, error.message,
              help: "an item of `given` refers to one above it: add that one first")
          }
        }
      }
    }
  }

  /// The properties of an item of `given`.
  private func fields(of item: Mapping, _ entity: String) -> [(name: String, value: Value)] {
    let definition = try? catalog.entity(entity)
    return item.entries.map { entry in
      let type = definition?.property(entry.key.text)?.type
      return (name: entry.key.text, value: Self.value(of: entry.value, as: type))
    }
  }

  /// The value of a node; where a text is wanted, a plain number is the text that was written.
  private static func value(of node: Node, as type: DataType?) -> Value {
    switch type?.unwrapped {
    case .string, .enumeration:
      guard let scalar = node.scalar, scalar.style == .plain else { break }
      switch scalar.coreValue {
      case .int, .uint, .double: return .string(scalar.text)
      default: break
      }
    case .list(let element):
      if let nodes = node.sequence { return .list(nodes.map { value(of: $0, as: element) }) }
    default: break
    }
    return node.plainValue
  }

  /// The input and the parameters, by parameter index.
  private func parameters(
    of test: TestDefinition, _ trigger: Value?, _ action: String
  ) throws -> [Int: GivenValue] {
    guard let definition = try catalog.action(action) else { return [:] }
    let named = test.parameters.map { entry in
      let type = definition.parameters.first { $0.name.text == entry.key.text }?.type
      return (name: entry.key.text, value: Self.value(of: entry.value, as: type))
    }
    let input = definition.given(trigger ?? test.input?.plainValue, [])
    return definition.given(nil, named).merging(input) { $1 }
  }

  /// The preset answers of a key: a text, or a list for successive questions; with `once`, no
  /// question gets an answer again.
  private static func given(_ node: Node) -> PresetAnswers.Given {
    func texts(_ node: Node) -> [String] {
      node.scalar.map { [$0.text] } ?? (node.sequence ?? []).compactMap { $0.scalar?.text }
    }
    if let once = node.mapping?["once"] {
      return .once(once.sequence.map { $0.map(texts) } ?? [texts(once)])
    }
    guard let nodes = node.sequence else { return .repeated([texts(node)]) }
    return .repeated(nodes.map(texts))
  }

  /// The value of `trigger`, as a worker would make it.
  ///
  /// - Throws: `RunError` when no entry of `on` would trigger the automation.
  static func value(
    of trigger: TestDefinition.Trigger, _ automation: CompiledAction, in run: Run
  ) throws -> Value {
    let event = try event(of: trigger, automation, in: run)
    return trigger.answer.map { CompiledTrigger.answered(event, with: $0.text) } ?? event
  }

  private static func event(
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
    let fields = trigger.item?.plainFields ?? []
    switch first.event {
    case .created(let entity), .changed(let entity):
      let old = trigger.was?.plainFields ?? []
      let names = Set(old.map(\.0))
      let before = try run.given(entity, fields.filter { !names.contains($0.0) } + old)
      let changes = fields.filter { names.contains($0.0) }
      let item = trigger.was == nil ? before : try run.changed(before, changes)
      let found = try triggers.first { candidate in
        try run.holds(candidate.condition, for: item)
          && (candidate.kind == "created" || run.holds(candidate.previousCondition, for: before))
      }
      guard let found else {
        throw RunError(
          .invalidValue, "this triggers nothing: the `where` or the `was` of `on` does not hold",
          at: trigger.span)
      }
      return found.value(
        time: now, item: .object(item),
        before: found.kind == "changed" ? .object(before) : .null)
    case .due(let due):
      let item = try run.given(due.entity, fields)
      guard let found = try triggers.first(where: { try run.holds($0.condition, for: item) })
      else {
        throw RunError(
          .invalidValue, "this triggers nothing: the `where` of `on` does not hold",
          at: trigger.span)
      }
      return found.value(time: now, item: .object(item))
    case .share: return first.value(time: now, item: SharedValue.make(MapValue(fields)) ?? .null)
    case .file:
      let path = trigger.path?.text ?? ""
      let name = path.split(separator: "/").last.map(String.init) ?? ""
      let found = triggers.first { candidate in
        guard case .file(_, let match?) = candidate.event else { return true }
        return GlobPattern(match).matches(name: name, path: name)
      }
      guard let found else {
        throw RunError(
          .invalidValue, "this triggers nothing: no `match` of `on` fits “\(name.shortened)”",
          at: trigger.path?.span ?? trigger.span)
      }
      return found.value(time: now, path: .string(path))
    case .webhook(_, let types):
      let given = trigger.body?.plainValue ?? .null
      return first.value(time: now, body: try types.map { try run.body(given, of: $0) } ?? given)
    case .every, .machine: return first.value(time: now)
    case .days, .cron:
      guard let text = trigger.time, case .timestamp(let moment) = now else {
        return first.value(time: now)
      }
      let found = triggers.first { $0.event.mayOccur(at: moment, in: run.host) }
      guard let found else {
        throw RunError(
          .invalidValue, "this triggers nothing: no entry of `on` is for “\(text.text.shortened)”",
          at: text.span)
      }
      return found.value(time: now)
    }
  }
}

extension CompiledTrigger.Event {
  /// Whether the clock may start it in the minute of a moment, or near it by the sun; true where that
  /// depends on an unknown place.
  fileprivate func mayOccur(at moment: Timestamp, in host: Host) -> Bool {
    let zone = host.clock.zone
    let minute = moment.seconds - ((moment.seconds % 60) + 60) % 60
    func isNear(_ next: Timestamp?, _ seconds: Int64) -> Bool {
      next.map { $0.seconds < minute + 60 + seconds } ?? false
    }
    switch self {
    case .days(let schedule):
      if schedule.needsPlace, host.home() == nil { return true }
      // The times of the sun are right to within a minute or two.
      var slack: Int64 = 0
      if case .sun = schedule.time { slack = 300 }
      let before = Timestamp(seconds: minute - 1 - slack)
      let holidays = host.holidays() ?? .none
      return isNear(
        schedule.next(after: before, in: zone, home: host.home(), holidays), slack)
    case .cron(let pattern):
      return isNear(pattern.next(after: Timestamp(seconds: minute - 1), in: zone), 0)
    case .every, .created, .changed, .due, .file, .share, .machine, .webhook: return true
    }
  }
}
