import CEL
import Catalog
import Program
import Source
import Store
import Synchronization
import YAML

@testable import Engine

/// Records the output of a run, and answers from a script.
final class ScriptedFront: Front {
  var said: [String] = []
  var shown: [Presentation] = []
  var questions: [Question] = []
  /// The replies in order; nil if the front cannot answer.
  var replies: [Reply]?

  var canAnswer: Bool { replies != nil }
  let observesSteps = false

  func say(_ text: String) { said.append(text) }
  func show(_ presentation: Presentation) { shown.append(presentation) }
  func step(_ path: [String]) {}
  func progress(_ progress: Progress) {}
  func result(_ presentation: Presentation) { shown.append(presentation) }

  func ask(_ question: Question) throws -> Reply {
    questions.append(question)
    guard let replies, !replies.isEmpty else { throw RunError(.cancelled, "no answer is left") }
    self.replies = Array(replies.dropFirst())
    return replies[0]
  }
}

/// The fake world of a test: fixed clock, counting random source, in-memory clipboard and browser.
final class FakeWorld: Sendable {
  struct State {
    var clipboard: String?
    var opened: [String] = []
    var log: [String] = []
    var hasOpener = true
    var seconds: Int64 = 1_795_219_200  // 2026-11-21T00:00:00Z
    var random: UInt8 = 0
    /// The monotonic clock, in nanoseconds.
    var nanoseconds: Int64 = 0
    /// The instants at which waits ended.
    var pauses: [Int64] = []
    var commands: [[String]] = []
    /// Programs by name; a slow one advances the clock.
    var programs: [String: @Sendable (ProcessRequest, inout State) -> ProcessEnd] = [:]
    var files: [String: [UInt8]] = [:]
    var notifications: [String] = []
    /// Log lines and programs run, in order.
    var effects: [String] = []
    /// An action to run after a number of effects.
    var afterEffects: (count: Int, action: @Sendable () -> Void)?

    /// An action to run after a number of waits.
    var afterPauses: (count: Int, action: @Sendable () -> Void)?

    /// Records an effect.
    mutating func note(_ effect: String) {
      effects.append(effect)
      if let afterEffects, effects.count == afterEffects.count { afterEffects.action() }
    }
  }

  let state = Mutex(State())

  func host(keyPath: String?) -> Host {
    Host(
      now: { [self] in
        state.withLock { state in
          state.seconds += 1
          return Timestamp(seconds: state.seconds)
        }
      },
      randomBytes: { [self] count in
        state.withLock { state in
          (0..<count).map { _ in
            state.random &+= 1
            return state.random
          }
        }
      },
      environment: { $0 == "USER" ? "ada" : nil }, clock: .utc,
      readClipboard: { [self] in state.withLock { $0.clipboard } },
      writeClipboard: { [self] text in
        state.withLock { $0.clipboard = text }
        return true
      },
      open: { [self] url in
        state.withLock { state in
          if state.hasOpener { state.opened.append(url) }
          return state.hasOpener
        }
      },
      linkBase: "https://errand.localhost", keyPath: keyPath,
      log: { [self] text in
        state.withLock {
          $0.log.append(text)
          $0.note(text)
        }
      }, machine: machine)
  }
}

/// A run of the given definitions over an in-memory store.
final class TestRun {
  let front = ScriptedFront()
  let world = FakeWorld()
  let session: Run
  private let names: [String]

  init(
    _ yaml: String = "", replies: [Reply]? = nil,
    answers: [(key: String, value: String)] = [], yes: Bool = false, keyPath: String? = nil,
    limits: RunLimits = RunLimits(), interrupt: Interrupt = Interrupt()
  ) throws {
    front.replies = replies
    let catalog = DefinitionCatalog()
    names = catalog.add(SourceFile(name: "test.yaml", text: yaml), to: .file)
      .filter { $0.kind != .entity }.map(\.name)
    if !catalog.problems.isEmpty { throw Diagnostics(catalog.problems) }
    let host = world.host(keyPath: keyPath)
    let workspace = Workspace(catalog: catalog, host: host, checksBuiltIns: true) {
      try Database(at: .memory, context: $0)
    }
    session = Run(
      workspace, host: host, front: front,
      answers: PresetAnswers(answers, acceptsConfirmations: yes), limits: limits,
      interrupt: interrupt)
  }

  /// Runs the last intent or shortcut of the documents, or a built-in one.
  @discardableResult
  func perform(_ name: String? = nil, _ given: [String: String] = [:]) throws -> Outcome {
    let name = name ?? names.last ?? ""
    let parameters = try session.catalog.action(name)?.allParameters ?? []
    var values: [Int: GivenValue] = [:]
    for (index, parameter) in parameters.enumerated() {
      if let text = given[parameter.name.text] { values[index] = .texts([text]) }
    }
    return try session.perform(name, values)
  }

  /// The display text of a value.
  func text(_ value: Value) -> String { session.renderer.text(of: value) }

  var clipboard: String? { world.state.withLock { $0.clipboard } }
  var opened: [String] { world.state.withLock { $0.opened } }
}

/// Runs a shortcut with these steps and returns its value.
func value(_ steps: String, replies: [Reply]? = nil) throws -> Value {
  let indented = steps.split(separator: "\n", omittingEmptySubsequences: false)
    .map { "  " + $0 }.joined(separator: "\n")
  return try TestRun("shortcut: test\nsteps:\n" + indented + "\n", replies: replies)
    .perform().value
}

/// The errors of a document that parses but does not compile, as `id line:column`.
func problems(_ yaml: String) throws -> [String] {
  do {
    let run = try TestRun(yaml)
    for name in run.session.catalog.actionNames
    where run.session.catalog.place(ofAction: name)?.layer == .file {
      try run.session.workspace.check(action: name)
    }
    for name in run.session.catalog.entityNames
    where run.session.catalog.layer(ofEntity: name) == .file {
      try run.session.workspace.check(entity: name)
    }
    return []
  } catch let error as Diagnostics {
    return error.all.map {
      "\($0.id) \($0.span?.position.line ?? 0):\($0.span?.position.column ?? 0)"
    }
  }
}

/// The IDs of the errors in the steps of a shortcut.
func mistakeIDs(inSteps steps: String) throws -> [String] {
  let indented = steps.split(separator: "\n").map { "  " + $0 }.joined(separator: "\n")
  return try problems("shortcut: test\nsteps:\n" + indented + "\n")
    .map { String($0.prefix { $0 != " " }) }
}
