import CEL
import Catalog
import POSIX
import Program
import Store
import YAML

/// Loop iterations or branches that run in parallel, up to a limit (docs/language.md, “At once”).
///
/// Its state may be accessed only by the branch that holds the lock.
final class BranchGroup {
  /// A pass or a branch.
  struct Member {
    /// Members with the same key run one at a time; nil for no key.
    var key: Value?
    /// The result; nil while it has none, and for a member that was skipped.
    var result: Result<Value, RunError>?
    /// Whether the member has started.
    var hasBegun = false
    /// Whether the member ended without a value, by `continue` or `break`.
    var isLeftOut = false
  }

  private let runner: Runner
  private let step: CompiledStep
  private let settles: Bool
  /// Minimum interval between the starts of members with the same key.
  private let pace: Duration
  /// Runs the member at an index, in its own runner.
  private let body: (Runner, Int) throws -> Flow
  private(set) var members: [Member]
  /// Cancels the remaining members.
  private let stop = Interrupt()
  /// Cancellation reason for the siblings; decides whether their `finally` runs.
  private var stopReason = Cancellation.Reason.sibling
  /// The members that have not started.
  private var order = RateLimitedQueue([], pace: .zero)
  /// The first failure or cancellation of the whole block.
  private var failure: (any Error)?
  /// The control flow after the block, if a member changed it.
  private var flow = Flow.next
  private var doneCount = 0
  /// Number of running threads of this group.
  private var liveCount = 0
  /// All threads of this group.
  private var threads: [BranchThread] = []
  /// Number of threads not started because of `threadLimit`.
  private var missingThreads = 0
  /// Waits for the end of all threads in simulated time; nil while nothing waits.
  private var sleeper: FairLock.Sleeper?

  /// Maximum number of branch threads of a run, in addition to the thread that starts a block: at
  /// most 64 branches run at a time, however nested.
  private static let threadLimit = 63

  /// - Parameter keys: the key of each member, or the error of computing it, which fails the
  ///   member.
  init(
    _ runner: Runner, _ step: CompiledStep, keys: [Result<Value?, RunError>], pace: Duration,
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

  /// Runs all members, at most `limit` at a time, and returns the control flow after the block.
  ///
  /// - Throws: the first failure, after all members have ended.
  func run(limit: Int) throws -> Flow {
    let run = runner.run
    try restore()
    if let failure { throw failure }
    order = RateLimitedQueue(
      members.indices.lazy.filter { !self.members[$0].hasBegun }.map { ($0, self.members[$0].key) },
      pace: pace, last: lastBeginnings)
    defer { keepBeginnings() }
    let clock = run.host.machine.simulation
    let turns = run.branches.turns ?? FairLock(clock: clock)
    if run.branches.turns == nil {
      run.branches.turns = turns
      run.branches.questions = FairLock()
      turns.enter()
    }
    missingThreads = min(max(limit, 1), members.count { !$0.hasBegun }) - 1
    beginThreads(turns)
    // The waiting thread works as a branch itself, so that the block finishes even if no thread is
    // available.
    work(turns)
    missingThreads = 0
    if clock != nil {
      // Pass the turn from the last branch directly to the waiting thread.
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
    try runner.task.check(run.host.machine.monotonic)
    return flow
  }

  /// Starts threads up to the limit of the run.
  private func beginThreads(_ turns: FairLock) {
    let run = runner.run
    while missingThreads > 0, run.branches.threadCount < Self.threadLimit {
      missingThreads -= 1
      // One that has ended is not gone yet, and counts against the limits of the machine.
      for thread in run.branches.endedThreads { thread.join() }
      run.branches.endedThreads = []
      let ticket = turns.takeTicket()
      let position = threads.count
      let thread = BranchThread { [self] in
        turns.enter(ticket)
        work(turns)
        run.branches.threadCount -= 1
        run.branches.endedThreads.append(threads[position])
        liveCount -= 1
        if liveCount == 0, let sleeper { turns.wake(sleeper) }
        turns.leave()
      }
      guard let thread else {
        // The ticket must be served anyway; the running branches do the work.
        missingThreads = 0
        return run.withoutTurn {
          turns.enter(ticket)
          turns.leave()
        }
      }
      threads.append(thread)
      run.branches.threadCount += 1
      liveCount += 1
    }
  }

  /// Runs members in turn while any remain to be started.
  private func work(_ turns: FairLock) {
    let task = TaskContext(below: runner.task, sibling: stop) { [unowned self] in stopReason }
    while !stop.isSet {
      do {
        guard let index = try next(task) else {
          // No other branch should have to wait for this branch's uncommitted writes.
          return try runner.run.commitWritesTogether()
        }
        beginThreads(turns)
        begin(index, task)
      } catch {
        end(with: error)
        return
      }
    }
  }

  /// The next member to start, after waiting for its rate limit; nil when other branches run the
  /// rest.
  private func next(_ task: TaskContext) throws -> Int? {
    let run = runner.run
    while true {
      try task.check(run.host.machine.monotonic)
      switch order.next(at: run.host.machine.monotonic()) {
      case .begin(let index): return index
      case .wait(until: let instant): try run.pause(until: instant, task, isPace: true)
      case .reserved(let index, until: let instant):
        try run.pause(until: instant, task, isPace: true)
        return index
      case .none: return nil
      }
    }
  }

  /// The starts of this step in earlier runs of the workspace, so that consecutive jobs of a worker
  /// keep the rate limit.
  private var lastBeginnings: [Value: Int64] {
    runner.run.host.machine.simulation == nil ? runner.run.workspace.beginnings[place] ?? [:] : [:]
  }

  private func keepBeginnings() {
    guard pace > .zero, runner.run.host.machine.simulation == nil else { return }
    let end = runner.run.host.machine.monotonic()
    let recent = order.beginnings.filter { $0.value + pace.nanoseconds > end }
    runner.run.workspace.beginnings[place] = recent.isEmpty ? nil : recent
  }

  /// A unique identifier of the step.
  private var place: String { "\(runner.action.definition.name.text) \(step.index)" }

  private func begin(_ index: Int, _ task: TaskContext) {
    let key = members[index].key
    members[index].hasBegun = true
    order.begins(key, at: pace > .zero ? runner.run.host.machine.monotonic() : 0)
    let branch = Runner(runner, task: task)
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

  /// Records the end of a member.
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

  /// Records the failure of a member.
  private func end(_ index: Int, _ error: RunError) {
    if settles, error.isCaughtByAll {
      members[index].result = .failure(error)
    } else {
      end(with: error)
    }
  }

  // MARK: The journal

  private func key(_ index: Int) -> String { "\(runner.scope.text)\(step.index)?member\(index)" }

  /// Writes the end of a member to the journal.
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

  /// Restores the results of members that the journal has, before any other member starts.
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

  /// Records the first failure and cancels the remaining members, whose cancellations are ignored.
  private func end(with error: any Error) {
    if let cancellation = error as? Cancellation {
      if cancellation.reason == .sibling { return }
      if !cancellation.reason.runsFinally { stopReason = cancellation.reason }
    }
    if failure == nil { failure = error }
    stop.set()
  }
}
