import ErrandKit
import Glibc
import Testing

/// Many concurrent runs, and fronts that are killed.
@Suite(.serialized) struct ManyRunsTests {
  /// The action on a run at its question.
  private enum Fate: CaseIterable {
    case answered, answeredLate, cancelled, left, suspended, killed
  }

  /// A run and the action on it.
  private struct Script {
    let number: Int
    let isDurable: Bool
    let fate: Fate
  }

  private static let definitions = [
    "work.yaml": """
    shortcut: work
    durable: true
    mode: parallel
    max: 200
    parameters: {n: int}
    steps:
      - create: {entity: Note, set: {text: 'begun {{ n }}'}}
      - {ask: {prompt: 'What is {{ n }}?', type: int}, as: answer}
      - create: {entity: Note, set: {text: '{{ n }} is {{ answer }}'}}
      - value: '{{ n }}: {{ answer }}'
    ---
    shortcut: play
    parameters: {n: int}
    steps:
      - create: {entity: Note, set: {text: 'begun {{ n }}'}}
      - {ask: {prompt: 'What is {{ n }}?', type: int}, as: answer}
      - create: {entity: Note, set: {text: '{{ n }} is {{ answer }}'}}
      - value: '{{ n }}: {{ answer }}'
    """
  ]

  @Test(.timeLimit(.minutes(5))) func concurrentRunsEndLikeSerialOnes() throws {
    var seed: UInt64 = 0x5DEE_CE66
    var random: (Int) -> Int = { _ in 0 }
    random = { limit in
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(seed >> 33) % limit
    }
    let scripts = (0..<64).map { number in
      Script(
        number: number, isDurable: random(2) == 0,
        fate: Fate.allCases[random(Fate.allCases.count)])
    }
    let kinds = Set(scripts.map { "\($0.fate) \($0.isDurable)" })
    #expect(kinds.count == 2 * Fate.allCases.count)
    let (together, alone) = (try Home(), try Home())
    let errand = try together.open(Self.definitions)
    let runs = try scripts.map { try Self.start($0, errand) }
    for run in runs { try Self.pullToQuestion(run) }
    #expect(runs.allSatisfy { $0.state == .waiting && isAlive($0.process) })
    var open = Array(scripts.indices)
    var order: [Int] = []
    while !open.isEmpty { order.append(open.remove(at: random(open.count))) }
    for index in order { try Self.seal(runs[index], scripts[index]) }
    var outcomes = scripts.map { _ in "" }
    for index in order { outcomes[index] = try Self.end(runs[index], scripts[index], errand) }
    let other = try alone.open(Self.definitions)
    for (script, outcome) in zip(scripts, outcomes) {
      let run = try Self.start(script, other)
      try Self.pullToQuestion(run)
      try Self.seal(run, script)
      #expect(try Self.end(run, script, other) == outcome, "\(script)")
    }
    let (traced, expected) = (try Self.trace(errand), try Self.trace(other))
    #expect(traced == expected, "\(traced.difference(from: expected))")
    for home in [together, alone] { #expect(eventually { Child.processes(in: home).isEmpty }) }
  }

  private static func start(_ script: Script, _ errand: Errand) throws -> RunHandle {
    try errand.start(script.isDurable ? "work" : "play", ["n": .int(Int64(script.number))])
  }

  private static func pullToQuestion(_ run: RunHandle) throws {
    while run.state != .waiting, try run.next(within: .seconds(60)) != nil {}
  }

  /// Performs the action on a waiting run.
  private static func seal(_ run: RunHandle, _ script: Script) throws {
    switch script.fate {
    case .answered: try run.answer(.int(Int64(script.number * 2)), to: 1)
    case .answeredLate:
      try run.answer("no number", to: 1)
      try pullToQuestion(run)
      let again = try #require(run.question)
      #expect(again["problem"]?.string?.isEmpty == false)
      try run.answer(.int(Int64(script.number * 3)), to: again["number"]?.int)
    case .cancelled: run.cancel()
    case .left: try run.leave()
    case .suspended: run.suspend()
    case .killed: kill(run.process, SIGKILL)
    }
  }

  /// Waits for the end of a run, resumes it if possible, and returns its outcome.
  private static func end(
    _ run: RunHandle, _ script: Script, _ errand: Errand
  ) throws -> String {
    var outcome = outcome(of: run)
    guard script.isDurable, script.fate == .suspended || script.fate == .killed else {
      return outcome
    }
    let id = try #require(run.id)
    let number = try #require(try errand.reader().run(id)["run"]?.int)
    let next = try errand.resume(number)
    try pullToQuestion(next)
    try next.answer(.int(Int64(script.number * 5)), to: 1)
    outcome += ", then " + self.outcome(of: next)
    return outcome
  }

  private static func outcome(of run: RunHandle) -> String {
    do {
      while try run.next(within: .seconds(60)) != nil {}
      guard !isAlive(run.process) else {
        kill(run.process, SIGKILL)
        return "hangs"
      }
      return "\(run.state) \(try run.result().string ?? "")"
    } catch let error as ErrandError {
      return "\(run.state) \(error.code)"
    } catch { return "\(error)" }
  }

  /// The states of all recorded runs and the texts of all notes.
  private static func trace(_ errand: Errand) throws -> [String] {
    let reader = try errand.reader()
    let runs = try reader.runs(limit: 1000).map {
      "\($0["name"]?.string ?? "") \($0["state"]?.string ?? "") \($0["result"]?.string ?? "")"
    }
    return try (runs + reader.find("Note", limit: 1000).map { $0["text"]?.string ?? "" }).sorted()
  }

  // MARK: Fronts

  @Test func killedFrontLeavesNoProcesses() throws {
    let home = try Home()
    try home.write(
      """
      shortcut: hold
      steps: [{ask: Go on?}]
      ---
      shortcut: hold-program
      steps: [{exec: [sleep, '1000']}]
      ---
      shortcut: hold-time
      steps: [{wait: 1h}]
      """, to: ".config/errand/hold.yaml")
    let front = try Child("kit-child", ["hold", "hold", "hold-program", "hold-time", "hold"], home)
    var lines: [Substring] = []
    while lines.count < 4, let line = front.line() { lines.append(line) }
    let processes = lines.compactMap { Int32($0.split(separator: " ")[0]) }
    #expect(processes.count == 4)
    #expect(processes.allSatisfy(isAlive))
    // The front, its four runs, and the program started by one run.
    #expect(eventually { Child.processes(in: home).count == 6 })
    kill(front.process, SIGKILL)
    #expect(eventually { Child.processes(in: home).isEmpty })
  }

  @Test func readersWorkBesideWriters() throws {
    let home = try Home()
    try home.write("shortcut: hold\nsteps: [{ask: Go on?}]", to: ".config/errand/hold.yaml")
    let child = try Child("kit-child", ["threads", Child.path(of: "errand"), "20"], home)
    var last: Substring = ""
    while let line = child.line() { last = line }
    #expect(last == "readers, writers and runs: 0 failures")
    #expect(child.status() == 0)
  }
}
