import CEL
import Program
import Store

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
  private var running: Set<Value> = []
  /// What has not begun, key by key.
  private lazy var queues = Self.queues(members)
  /// When the last member of a key began.
  private var beginnings: [Value: Int64] = [:]
  /// The first failure, or what else ends the whole block.
  private var failure: (any Error)?
  /// How the steps go on after the block, when a member decided that.
  private var flow = Flow.next
  private var doneCount = 0
  /// The threads that have not ended.
  private var liveCount = 0

  init(
    _ runner: Runner, _ step: CompiledStep, keys: [Value?], pace: Int64, settles: Bool,
    body: @escaping (Runner, Int) throws -> Flow
  ) {
    self.runner = runner
    self.step = step
    self.pace = pace
    self.settles = settles
    self.body = body
    members = keys.map { Member(key: $0) }
  }

  /// Runs all members, so many at once, and gives how the steps go on.
  ///
  /// - Throws: the first failure, once all others have ended.
  func run(limit: Int) throws -> Flow {
    let run = runner.run
    try restore()
    if let failure { throw failure }
    let clock = run.host.machine.simulation
    let turns = run.turns ?? TurnLock(clock: clock)
    if run.turns == nil {
      run.turns = turns
      run.questions = TurnLock()
      turns.enter()
    }
    var threads: [BranchThread] = []
    // In simulated time the turn goes from the last branch straight to what waits for all of them.
    let sleeper = clock.map { _ in turns.makeSleeper() }
    for _ in 0..<min(max(limit, 1), members.count) {
      let ticket = turns.takeTicket()
      let thread = BranchThread { [self] in
        turns.enter(ticket)
        work()
        liveCount -= 1
        if liveCount == 0, let sleeper { turns.wake(sleeper) }
        turns.leave()
      }
      guard let thread else {
        // The ticket's turn must pass all the same.
        run.withoutTurn {
          turns.enter(ticket)
          turns.leave()
        }
        if threads.isEmpty { throw RunError(.failed, "the system has no thread for a branch") }
        break
      }
      threads.append(thread)
      liveCount += 1
    }
    if let sleeper, liveCount > 0 {
      turns.sleep(sleeper)
      for thread in threads { thread.join() }
    } else {
      run.withoutTurn { for thread in threads { thread.join() } }
    }
    if let failure { throw failure }
    try runner.strand.check(run.host.machine.monotonic)
    return flow
  }

  /// Runs one member after the other while there are some to begin.
  private func work() {
    let strand = Strand(below: runner.strand, sibling: stop) { [unowned self] in stopReason }
    while !stop.isSet {
      do {
        guard let index = try next(strand) else { return }
        begin(index, strand)
      } catch {
        end(with: error)
        return
      }
    }
  }

  /// The next member that may begin now; waits for the pace. Nil when another branch has the rest.
  private func next(_ strand: Strand) throws -> Int? {
    while true {
      try strand.check(runner.run.host.machine.monotonic)
      let now = runner.run.host.machine.monotonic()
      var earliest: Int64?
      var first: Int?
      for queue in queues.indices {
        guard let index = head(of: queue) else { continue }
        let key = members[index].key ?? .null
        if members[index].key != nil, running.contains(key) { continue }
        if pace > 0, let last = beginnings[key], last + pace > now {
          earliest = min(earliest ?? .max, last + pace)
        } else {
          first = min(first ?? .max, index)
        }
      }
      if let first { return first }
      guard let earliest else { return nil }
      try runner.run.pause(until: earliest, strand)
    }
  }

  /// The first member of a key that has not begun; nil when all have.
  private func head(of queue: Int) -> Int? {
    while let index = queues[queue].last {
      if !members[index].hasBegun { return index }
      queues[queue].removeLast()
    }
    return nil
  }

  /// The positions of the members of each key, the last first.
  ///
  /// A look at all members before each would take a time that grows with the square of their number.
  private static func queues(_ members: [Member]) -> [[Int]] {
    var queues: [[Int]] = []
    var places: [Value: Int] = [:]
    for index in members.indices.reversed() {
      let key = members[index].key ?? .null
      if let place = places[key] {
        queues[place].append(index)
      } else {
        places[key] = queues.count
        queues.append([index])
      }
    }
    return queues
  }

  private func begin(_ index: Int, _ strand: Strand) {
    let key = members[index].key
    members[index].hasBegun = true
    if pace > 0 { beginnings[key ?? .null] = runner.run.host.machine.monotonic() }
    if let key { running.insert(key) }
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
    if let key { running.remove(key) }
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
    try lines.note(key(index), .decided, name: "member", value: Self.record(flow, value))
  }

  private func note(_ index: Int, _ error: RunError) throws {
    guard let lines = runner.run.lines else { return }
    try lines.note(
      key(index), .decided, name: "member", value: .map(MapValue([("error", error.journalValue)])))
  }

  private static func record(_ flow: Flow, _ value: Value) -> Value {
    switch flow {
    case .next: .map(MapValue([("value", value)]))
    case .continueLoop: .map(MapValue([("flow", "continue")]))
    case .breakLoop: .map(MapValue([("flow", "break")]))
    case .stop: .map(MapValue([("flow", "stop")]))
    case .returned(let value): .map(MapValue([("flow", "return"), ("value", value)]))
    }
  }

  /// Takes the ends of members that the journal has, before any other one goes on.
  private func restore() throws {
    guard let lines = runner.run.lines else { return }
    for index in members.indices {
      guard let line = lines.line(key(index)), case .map(let map) = try lines.value(of: line) else {
        continue
      }
      members[index].hasBegun = true
      doneCount += 1
      if let error = map["error"].flatMap({ RunError(journal: $0) }) {
        end(index, error)
        continue
      }
      let value = map["value"] ?? .null
      switch map["flow"] {
      case .string("continue"): end(index, .continueLoop, value)
      case .string("break"): end(index, .breakLoop, value)
      case .string("stop"): end(index, .stop, value)
      case .string("return"): end(index, .returned(value), value)
      default: end(index, .next, value)
      }
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
