import CEL
import Catalog
import Program
import Store
import YAML

/// Passes or branches that run at once, so many at a time (docs/language.md, “At once”).
///
/// Its state is touched only by the branch whose turn it is.
final class BranchGroup {
  /// One pass or branch.
  struct Member {
    /// Of the members with the same key, one runs at a time; nil for no key.
    var key: Value?
    /// What it came to; nil before that, and for one that was left out.
    var result: Result<Value, RunError>?
    /// Whether it has begun.
    var hasBegun = false
    /// Whether it ended without a value, by `continue` or `break`.
    var isLeftOut = false
  }

  private let runner: Runner
  private let step: CompiledStep
  private let settles: Bool
  /// The time between the beginnings of two members with the same key, in nanoseconds.
  private let pace: Int64
  /// Runs the member at a position, in a runner of its own.
  private let body: (Runner, Int) throws -> Flow
  private(set) var members: [Member]
  /// Ends the other members.
  private let stop = Interrupt()
  /// Why the others end: what does not let `finally` run in one does not in the others.
  private var stopReason = Cancellation.Reason.sibling
  /// What has not begun.
  private var order = PacedOrder([], pace: 0)
  /// The first failure, or what else ends the whole block.
  private var failure: (any Error)?
  /// How the steps go on after the block, when a member decided that.
  private var flow = Flow.next
  private var doneCount = 0
  /// The threads of this group that have not ended.
  private var liveCount = 0
  /// All threads of this group.
  private var threads: [BranchThread] = []
  /// How many threads it would begin if the run had not begun as many as it may.
  private var missingThreads = 0
  /// What waits for the end of all threads in simulated time; nil before it does.
  private var sleeper: TurnLock.Sleeper?

  /// The most threads of branches in a run, beside the one that begins a block: 64 branches are at
  /// work at once, however they are nested.
  private static let threadLimit = 63

  /// - Parameter keys: one for each member, or why it has none, which is then how the member failed.
  init(
    _ runner: Runner, _ step: CompiledStep, keys: [Result<Value?, RunError>], pace: Int64,
    settles: Bool, body: @escaping (Runner, Int) throws -> Flow
  ) {
    self.runner = runner
    self.step = step
    self.pace = pace
    self.settles = settles
    self.body = body
    members = keys.map { key in
      switch key {
      case .success(let key): Member(key: key)
      case .failure(let error): Member(result: .failure(error), hasBegun: true)
      }
    }
    doneCount = members.count { $0.hasBegun }
  }

  /// Runs all members, so many at once, and gives how the steps go on.
  ///
  /// - Throws: the first failure, once all others have ended.
  func run(limit: Int) throws -> Flow {
    let run = runner.run
    try restore()
    if let failure { throw failure }
    order = PacedOrder(
      members.indices.lazy.filter { !self.members[$0].hasBegun }.map { ($0, self.members[$0].key) },
      pace: pace, last: lastBeginnings)
    defer { keepBeginnings() }
    let clock = run.host.machine.simulation
    let turns = run.turns ?? TurnLock(clock: clock)
    if run.turns == nil {
      run.turns = turns
      run.questions = TurnLock()
      turns.enter()
    }
    missingThreads = min(max(limit, 1), members.count { !$0.hasBegun }) - 1
    beginThreads(turns)
    // The line that waits for the members is a branch itself, so that each block comes to its end
    // though all threads are taken.
    work(turns)
    missingThreads = 0
    if clock != nil {
      // The turn goes from the last branch straight to what waits for all of them.
      if liveCount > 0 {
        let sleeper = turns.makeSleeper()
        self.sleeper = sleeper
        turns.sleep(sleeper)
      }
      for thread in threads { thread.join() }
    } else {
      run.withoutTurn { for thread in threads { thread.join() } }
    }
    if let failure { throw failure }
    try runner.strand.check(run.host.machine.monotonic)
    return flow
  }

  /// Begins threads as far as the run may have more.
  private func beginThreads(_ turns: TurnLock) {
    let run = runner.run
    while missingThreads > 0, run.branchThreads < Self.threadLimit {
      missingThreads -= 1
      let ticket = turns.takeTicket()
      let thread = BranchThread { [self] in
        turns.enter(ticket)
        work(turns)
        run.branchThreads -= 1
        liveCount -= 1
        if liveCount == 0, let sleeper { turns.wake(sleeper) }
        turns.leave()
      }
      guard let thread else {
        // The ticket's turn must pass all the same; the others do the work.
        missingThreads = 0
        return run.withoutTurn {
          turns.enter(ticket)
          turns.leave()
        }
      }
      threads.append(thread)
      run.branchThreads += 1
      liveCount += 1
    }
  }

  /// Runs one member after the other while there are some to begin.
  private func work(_ turns: TurnLock) {
    let strand = Strand(below: runner.strand, sibling: stop) { [unowned self] in stopReason }
    while !stop.isSet {
      do {
        guard let index = try next(strand) else {
          // Nobody may have to wait for what this branch wrote until another one goes on.
          return try runner.run.commitWritesTogether()
        }
        beginThreads(turns)
        begin(index, strand)
      } catch {
        end(with: error)
        return
      }
    }
  }

  /// The next member that may begin now; waits for the pace. Nil when other branches have the rest.
  private func next(_ strand: Strand) throws -> Int? {
    let run = runner.run
    while true {
      try strand.check(run.host.machine.monotonic)
      switch order.next(at: run.host.machine.monotonic()) {
      case .begin(let index): return index
      case .wait(until: let instant): try run.pause(until: instant, strand, isPace: true)
      case .reserved(let index, until: let instant):
        try run.pause(until: instant, strand, isPace: true)
        return index
      case .none: return nil
      }
    }
  }

  /// What the workspace knows of the last time that this step began with each key: a worker goes on to
  /// the next job at once, and a server should not notice it.
  private var lastBeginnings: [Value: Int64] {
    runner.run.host.machine.simulation == nil ? runner.run.workspace.beginnings[place] ?? [:] : [:]
  }

  private func keepBeginnings() {
    guard pace > 0, runner.run.host.machine.simulation == nil else { return }
    let end = runner.run.host.machine.monotonic()
    let recent = order.beginnings.filter { $0.value + pace > end }
    runner.run.workspace.beginnings[place] = recent.isEmpty ? nil : recent
  }

  /// The step, by what no other definition has.
  private var place: String { "\(runner.action.definition.name.text) \(step.index)" }

  private func begin(_ index: Int, _ strand: Strand) {
    let key = members[index].key
    members[index].hasBegun = true
    order.begins(key, at: pace > 0 ? runner.run.host.machine.monotonic() : 0)
    let branch = Runner(runner, strand: strand)
    do {
      let flow = try body(branch, index)
      try note(index, flow, branch.it)
      end(index, flow, branch.it)
    } catch let error as RunError {
      do {
        try note(index, error)
        end(index, error)
      } catch {
        end(with: error)
      }
    } catch {
      end(with: error)
    }
    order.ends(key)
    doneCount += 1
    if runner.depth == 0, members.count > 1 {
      runner.run.front.progress(
        Progress(done: doneCount, total: members.count, isOver: doneCount == members.count))
    }
  }

  /// Takes the end of a member's steps.
  private func end(_ index: Int, _ flow: Flow, _ value: Value) {
    switch flow {
    case .next: members[index].result = .success(value)
    case .continueLoop: members[index].isLeftOut = true
    case .breakLoop:
      members[index].isLeftOut = true
      stop.set()
    case .stop, .returned:
      self.flow = flow
      stop.set()
    }
  }

  /// Takes the failure of a member.
  private func end(_ index: Int, _ error: RunError) {
    if settles, error.isCaughtByAll {
      members[index].result = .failure(error)
    } else {
      end(with: error)
    }
  }

  // MARK: The journal

  private func key(_ index: Int) -> String { "\(runner.scope.text)\(step.index)?member\(index)" }

  /// Notes how a member ended.
  private func note(_ index: Int, _ flow: Flow, _ value: Value) throws {
    guard let lines = runner.run.lines else { return }
    try lines.note(key(index), .decided, name: "member", value: .map(MapValue(record(flow, value))))
  }

  private func note(_ index: Int, _ error: RunError) throws {
    guard let lines = runner.run.lines else { return }
    try lines.note(
      key(index), .decided, name: "member", value: .map(MapValue([("error", error.journalValue)])))
  }

  private func record(_ flow: Flow, _ value: Value) -> [(String, Value)] {
    if case .next = flow { [("value", value)] } else { flow.fields(returning: "value") }
  }

  /// Takes the ends of members that the journal has, before any other one goes on.
  private func restore() throws {
    guard let lines = runner.run.lines else { return }
    for index in members.indices {
      guard let line = lines.line(key(index)), case .map(let map) = try lines.value(of: line) else {
        continue
      }
      if !members[index].hasBegun { doneCount += 1 }
      members[index].hasBegun = true
      if let error = map["error"].flatMap({ RunError(journal: $0) }) {
        end(index, error)
        continue
      }
      end(index, Flow(map, returning: "value"), map["value"] ?? .null)
    }
  }

  /// Remembers the first failure and ends the others, whose own ends tell nothing new.
  private func end(with error: any Error) {
    if let cancellation = error as? Cancellation {
      if cancellation.reason == .sibling { return }
      if !cancellation.reason.runsFinally { stopReason = cancellation.reason }
    }
    if failure == nil { failure = error }
    stop.set()
  }
}
