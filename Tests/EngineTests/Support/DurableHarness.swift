import CEL
import Catalog
import Items
import Program
import Source
import Store
import Synchronization

@testable import Engine

/// An in-memory store shared by the successive processes of a run, which die on demand.
final class DurableHarness {
  let world = FakeWorld()
  let front = ScriptedFront()
  private let yaml: String
  private let countdown = Countdown()
  /// The workspaces of all processes; the store gets definitions from the first one.
  private var workspaces: [Workspace] = []
  private var store: Database?
  private(set) var crashes = 0

  /// Counts events, and dies at a given one.
  final class Countdown: StepObserver, Sendable {
    private let left = Mutex<Int?>(nil)

    func start(_ count: Int?) { left.withLock { $0 = count } }

    func tick() throws {
      let isOver = left.withLock { left in
        left = left.map { $0 - 1 }
        return left.map { $0 <= 0 } ?? false
      }
      if isOver { throw Cancellation(.crashed) }
    }

    func stepBegins(
      _ step: CompiledStep, at place: StepPlace,
      arguments: () throws -> [(name: String, value: Value)]
    ) throws { try tick() }

    func stepEnds(_ step: CompiledStep, at place: StepPlace, _ end: StepEnd) throws { try tick() }
  }

  init(_ yaml: String) { self.yaml = yaml }

  /// Adds a program to the world; the process may die before and after it.
  func program(
    _ name: String,
    _ body: @escaping @Sendable (ProcessRequest, inout FakeWorld.State) -> ProcessEnd
  ) {
    world.state.withLock { $0.programs[name] = body }
  }

  private func process(_ catalog: DefinitionCatalog, answers: PresetAnswers = PresetAnswers())
    throws -> Run
  {
    var host = world.host(keyPath: nil)
    let exec = host.machine.exec
    host.machine.exec = { [countdown] request, bounds in
      try countdown.tick()
      let end = try exec(request, bounds)
      try countdown.tick()
      return end
    }
    let workspace = Workspace(catalog: catalog, host: host, checksBuiltIns: true) {
      [unowned self] context in
      if let store { return store }
      let made = try Database(at: .memory, context: context)
      store = made
      return made
    }
    workspaces.append(workspace)
    let run = Run(workspace, host: host, front: front, answers: answers)
    run.recorder.observers = [countdown]
    return run
  }

  /// Runs the last shortcut of the documents in successive processes, each of which dies after the
  /// number of events from `next`, until one finishes.
  func perform(_ next: (_ process: Int) -> Int?) throws -> Outcome {
    let catalog = DefinitionCatalog()
    let names = catalog.add(SourceFile(name: "test.yaml", text: yaml), to: .file)
    countdown.start(next(0))
    do {
      return try process(catalog).perform(names.last?.name ?? "", [:])
    } catch let cancellation as Cancellation where cancellation.reason == .crashed {
      crashes += 1
    }
    while true {
      guard let run = try store?.runs.latest() else { throw RunError(.internal, "no run") }
      countdown.start(next(crashes))
      do { return try resume(run) } catch let cancellation as Cancellation
        where cancellation.reason == .crashed
      { crashes += 1 }
    }
  }

  /// Resumes a run in another process.
  func resume(_ run: RecordedRun) throws -> Outcome {
    let catalog = DefinitionCatalog()
    for (index, text) in try kept.runs.definitions(ofRun: run).enumerated() {
      catalog.add(SourceFile(name: "definition \(index)", text: text), to: .user)
    }
    let process = try process(catalog)
    let call = try Run.call(of: run, kept.runs.lines(ofRun: run.number), in: process.workspace)
    var outcome: Outcome?
    try process.resume(run, call) { outcome = $0 }
    guard let outcome else { throw RunError(.internal, "no outcome") }
    return outcome
  }

  /// Resumes a failed run at the failed step.
  func retry(_ run: RecordedRun) throws -> Outcome {
    try process(DefinitionCatalog()).forgetFailure(of: run)
    return try resume(run)
  }

  /// The shared store.
  var kept: Database {
    get throws {
      guard let store else { throw RunError(.internal, "no store") }
      return store
    }
  }

  /// The titles of all tasks, in order of creation.
  func titles() throws -> [String] {
    guard let workspace = workspaces.last else { return [] }
    return try workspace.store(for: "Task").items.find(Query("Task", sort: [SortKey("id")])).map {
      item in
      if case .string(let title)? = item.field("title") { title } else { "" }
    }
  }
}
