import ErrandKit
import POSIX

/// The runs started by requests; confined to the serving thread.
final class RunRegistry {
  private let pool: WorkerPool
  private var owners: RunOwners
  private let patience: Duration
  /// Runs whose events are kept, oldest first.
  private var runs: [ServedRun] = []
  private var byID: [String: ServedRun] = [:]
  /// Calls queued until fewer runs are running.
  private var waiting: [Waiting] = []
  /// A queued call, and the time its request waits for the run, in nanoseconds.
  private typealias Waiting = (call: RunCall, patience: Int64?, reply: (Reply) -> Void)
  /// Suspended runs that are being continued.
  private var resuming: Set<String> = []
  /// The tokens of processes being started.
  private var starting: [String] = []
  private var isEnding = false
  /// Whether runs end as soon as they have started.
  private var isAbandoned = false
  private var nextBeat: Int64 = 0
  /// The number of runs started.
  private(set) var total = 0

  /// The maximum number of concurrent runs, besides the first of each token.
  private static let runningLimit = 32
  /// The maximum number of runs waiting for an answer and of queued calls.
  private static let waitingLimit = 100
  /// The number of ended runs whose events are kept, and their retention in nanoseconds.
  private static let endedLimit = 200
  private static let endedTime: Int64 = 600_000_000_000
  /// The time between comments in streams, in nanoseconds.
  private static let beat: Int64 = 15_000_000_000
  /// The maximum number of runs in a list.
  private static let listLimit = 50

  init(_ pool: WorkerPool, _ owners: RunOwners, patience: Duration) {
    self.pool = pool
    self.owners = owners
    self.patience = patience
  }

  /// The numbers of runs by state.
  var counts: (running: Int, asking: Int, waiting: Int) {
    (runningTokens.count, runs.count { $0.question != nil }, waiting.count)
  }

  /// The tokens of running runs, one entry per run.
  private var runningTokens: [String] { runs.filter(\.isRunning).map(\.token.id) + starting }

  // MARK: Calls

  /// Starts a call, and replies once its run asks or ends.
  ///
  /// - Parameter patience: The time in nanoseconds after which it replies anyway; nil for none.
  func call(_ call: RunCall, patience: Int64? = nil, reply: @escaping (Reply) -> Void) {
    guard !isEnding, makeRoom(for: call.token.id) else {
      return reply(.response(Self.busy.response))
    }
    if mayStart(call.token.id, runningTokens) {
      start((call, patience, reply))
    } else {
      waiting.append((call, patience, reply))
    }
  }

  /// Whether a run of a token may start now: each token may always have one.
  private func mayStart(_ token: String, _ running: [String]) -> Bool {
    running.count < Self.runningLimit || !running.contains(token)
  }

  /// Drops the oldest question or the latest queued call of a token if too many wait.
  ///
  /// Returns false if the newcomer would be dropped.
  private func makeRoom(for token: String) -> Bool {
    let asking = runs.filter { $0.question != nil }
    let owners = asking.map(\.token.id) + waiting.map(\.call.token.id)
    guard owners.count >= Self.waitingLimit,
      let owner = FairPlaces.yielding(to: token, owners)
    else { return true }
    let questions = asking.filter { $0.token.id == owner }
    if let oldest = questions.min(by: { ($0.deadline ?? 0) < ($1.deadline ?? 0) }) {
      oldest.giveUp()
    } else if owner != token, let last = waiting.lastIndex(where: { $0.call.token.id == owner }) {
      waiting.remove(at: last).reply(.response(Self.busy.response))
    } else {
      return false
    }
    return true
  }

  private static let busy: Problem = {
    var problem = Problem(503, "busy", "too many runs are waiting")
    problem.headers = [("Retry-After", "5")]
    return problem
  }()

  private func start(_ waiting: Waiting) {
    let call = waiting.call
    begin(
      call.token, patience: waiting.patience, starting: { context in try call.start(context) },
      reply: waiting.reply)
  }

  /// Has a worker start a process.
  ///
  /// - Parameter early: The question to answer at once, after a suspension.
  private func begin(
    _ token: Token, answering early: (question: JSONValue, answer: JSONValue)? = nil,
    patience limit: Int64? = nil,
    starting start: @escaping @Sendable (WorkerContext) throws -> StartedRun,
    reply: @escaping (Reply) -> Void
  ) {
    starting.append(token.id)
    pool.submit(
      { context in
        do { return .started(try start(context)) } catch {
          return .response(Problem(error).response)
        }
      },
      then: { [self] outcome in
        if let index = starting.firstIndex(of: token.id) { starting.remove(at: index) }
        switch outcome {
        case .response(let response): reply(.response(response))
        case .started(let started):
          total += 1
          let run = ServedRun(started, token, patience: patience, answering: early)
          runs.append(run)
          run.wait(until: limit.map { MonotonicClock.nanoseconds + $0 }, reply)
          if isEnding { finish(run) }
          if isAbandoned { run.handle?.suspend() }
        }
      })
  }

  // MARK: Requests about runs

  private static func unknown(_ id: String) -> Reply {
    .response(Problem(404, "not-found", "there is no run \(id) of this token").response)
  }

  /// The run with an id, if the token began it here.
  private func run(_ id: String, _ token: Token) -> ServedRun? {
    byID[id].flatMap { $0.token.id == token.id ? $0 : nil }
  }

  /// Replies with the runs of a token, latest first.
  func list(_ token: Token, reply: @escaping (Reply) -> Void) {
    let ids = Array(owners.runs(of: token).prefix(Self.listLimit))
    let live = Dictionary(
      ids.compactMap { id in run(id, token).map { (id, $0.json) } }, uniquingKeysWith: { $1 })
    pool.answer(reply) { context in
      let reader = try context.reader()
      let values = ids.compactMap { id in
        live[id] ?? (try? reader.run(id)).map { Self.json($0, nil) }
      }
      return Response(json: ["runs": .array(values)])
    }
  }

  /// Replies with a run.
  func show(_ id: String, _ token: Token, reply: @escaping (Reply) -> Void) {
    if let run = run(id, token), run.state != .suspended {
      return reply(.response(Response(json: run.json)))
    }
    guard let owner = owners[id], owner.token == token.id else { return reply(Self.unknown(id)) }
    pool.answer(reply) { Response(json: Self.json(try $0.reader().run(id), owner.question)) }
  }

  /// A recorded run in the form of ``ServedRun/json``.
  private static func json(_ record: JSONValue, _ question: JSONValue?) -> JSONValue {
    .object([
      "run": record["id"] ?? .null, "name": record["name"] ?? .null,
      "state": record["state"] ?? .null, "question": question ?? .null,
      "result": record["result"] ?? .null, "error": record["error"] ?? .null,
    ])
  }

  /// Replies with a stream of the events of a run.
  func follow(
    _ id: String, _ head: RequestHead, _ token: Token, reply: @escaping (Reply) -> Void
  ) {
    guard let run = run(id, token) else {
      guard owners[id]?.token == token.id else { return reply(Self.unknown(id)) }
      return reply(
        .response(
          Problem(410, "not-found", "the events of run \(id) are not kept any more").response))
    }
    reply(.stream(run.follow(after: head.header("last-event-id").flatMap { Int($0) })))
  }

  /// Replies with the transcript of a run from a number on, or streams it.
  func transcript(
    _ id: String, _ head: RequestHead, _ token: Token, reply: @escaping (Reply) -> Void
  ) {
    let from = max(1, head.query.first { $0.name == "from" }.flatMap { Int64($0.value) } ?? 1)
    let isStream = head.header("accept")?.contains("text/event-stream") == true
    if let run = run(id, token) {
      if isStream {
        let last = head.header("last-event-id").flatMap { Int64($0) } ?? from - 1
        return reply(.stream(run.followTranscript(after: last)))
      }
      return reply(.response(Response(json: run.shownTranscript(from: from))))
    }
    guard owners[id]?.token == token.id else { return reply(Self.unknown(id)) }
    pool.answer(reply) { context in
      guard let kept = try context.reader().transcript(ofRun: id, from: from) else {
        throw Self.gone(id)
      }
      return Response(json: kept)
    }
  }

  /// The transcript of a run that the token began here, with its `parameters`; nil if it is not kept
  /// in memory.
  func liveTranscript(_ id: String, _ token: Token) -> JSONValue? {
    run(id, token)?.pageTranscript
  }

  /// Continues a run at the step where it failed, or starts it over with the same values.
  func retry(
    _ id: String, _ token: Token, patience: Int64, reply: @escaping (Reply) -> Void
  ) {
    guard let owner = owners[id], owner.token == token.id else { return reply(Self.unknown(id)) }
    begin(
      token, patience: patience,
      starting: { context in
        guard let number = try context.reader().run(id)["run"]?.int else { throw Self.gone(id) }
        let options = WorkerContext.options(of: token)
        return StartedRun(
          handle: try context.errand().retry(
            number, fromStart: !owner.isDurable, options: options), action: owner.action,
          isDurable: owner.isDurable)
      }, reply: reply)
  }

  /// Ends a run permanently.
  func cancel(_ id: String, _ token: Token, reply: @escaping (Reply) -> Void) {
    if let run = run(id, token), run.state != .suspended || run.handle != nil {
      guard run.handle == nil else {
        return run.cancel { reply(.response(Response(json: run.json))) }
      }
      return reply(.response(Problem(409, "conflict", "run \(id) has ended already").response))
    }
    guard let owner = owners[id], owner.token == token.id else { return reply(Self.unknown(id)) }
    owners.ask(id, nil)
    pool.answer(reply) { context in
      guard let number = try context.reader().run(id)["run"]?.int else { throw Self.gone(id) }
      try context.writer(for: token).cancel(run: number)
      return Response(json: Self.json(try context.reader().run(id), nil))
    }
  }

  private static func gone(_ id: String) -> Problem {
    Problem(404, "not-found", "run \(id) is not recorded any more")
  }

  /// Answers a question, and replies once the run asks again or ends.
  func answer(
    _ id: String, _ sent: RunAnswer, token: Token, patience: Int64? = nil,
    reply: @escaping (Reply) -> Void
  ) {
    guard let owner = owners[id], owner.token == token.id else { return reply(Self.unknown(id)) }
    let number = sent.number
    if let run = run(id, token), run.handle != nil {
      if run.isSuspending {
        return run.whenEnded { [self] in
          answer(id, sent, token: token, patience: patience, reply: reply)
        }
      }
      guard let question = run.question, question["number"]?.int == number else {
        return reply(.response(Self.notOpen(number).response))
      }
      if token.isDevice, DeviceRules.grantsAccess(question) {
        return reply(.response(DeviceRules.refusal.response))
      }
      if let problem = sent.problem(with: question) { return reply(.response(problem.response)) }
      run.reply(sent.members, with: sent.uploads)
      return run.wait(until: patience.map { MonotonicClock.nanoseconds + $0 }, reply)
    }
    guard let question = owner.question, question["number"]?.int == number else {
      return reply(.response(Self.notOpen(number).response))
    }
    if token.isDevice, DeviceRules.grantsAccess(question) {
      return reply(.response(DeviceRules.refusal.response))
    }
    if let problem = sent.problem(with: question) { return reply(.response(problem.response)) }
    if isEnding { return reply(.response(Self.busy.response)) }
    guard resuming.insert(id).inserted else {
      return reply(.response(Self.notOpen(number).response))
    }
    begin(
      token, answering: (question, sent.members), patience: patience,
      starting: { context in
        guard let number = try context.reader().run(id)["run"]?.int else { throw Self.gone(id) }
        let options = WorkerContext.options(of: token)
        return StartedRun(
          handle: try context.errand().resume(number, options: options), action: owner.action,
          isDurable: true, uploads: sent.uploads)
      },
      reply: { [self] answered in
        resuming.remove(id)
        reply(answered)
      })
  }

  private static func notOpen(_ number: Int64) -> Problem {
    Problem(409, "conflict", "question \(number) is not open")
  }

  // MARK: The loop

  /// The descriptors of processes with events.
  var descriptors: [Int32] {
    runs.compactMap { $0.state == .running || $0.state == .waiting ? $0.handle?.descriptor : nil }
  }

  /// The time of the monotonic clock at which ``work()`` has something to do; nil for none.
  var due: Int64? {
    var due = runs.flatMap { [$0.deadline, $0.waitsUntil] }.compactMap(\.self).min()
    // A process that has reported its end exits soon.
    if runs.contains(where: { $0.handle != nil && $0.state != .running && $0.state != .waiting }) {
      due = min(due ?? .max, MonotonicClock.nanoseconds + 2_000_000)
    }
    if runs.contains(where: { $0.handle != nil }) { due = min(due ?? .max, nextBeat) }
    return due
  }

  /// Processes events, gives up overdue questions, and starts queued calls.
  func work() {
    let now = MonotonicClock.nanoseconds
    let beats = now >= nextBeat
    if beats { nextBeat = now + Self.beat }
    for run in runs where run.handle != nil {
      let isKnown = run.id != nil
      _ = run.pull()
      if let id = run.id {
        if !isKnown {
          byID[id] = run
          if owners[id] == nil {
            owners.add(
              id,
              .init(token: run.token.id, action: run.action, isDurable: run.isDurable))
          }
        }
        owners.ask(id, run.pendingQuestion)
      }
      if let deadline = run.deadline, deadline <= now { run.giveUp() }
      run.settle(at: now)
      if beats { run.beat() }
    }
    forget(now)
    while let next = nextCall() { start(next) }
  }

  /// Dequeues the next call that may start: the oldest of the token with the fewest running runs.
  private func nextCall() -> Waiting? {
    if waiting.isEmpty { return nil }
    let running = runningTokens
    let counts = Dictionary(running.map { ($0, 1) }, uniquingKeysWith: +)
    let startable = waiting.indices.filter { mayStart(waiting[$0].call.token.id, running) }
    return startable.min {
      (counts[waiting[$0].call.token.id] ?? 0, $0) < (counts[waiting[$1].call.token.id] ?? 0, $1)
    }.map { waiting.remove(at: $0) }
  }

  private func forget(_ now: Int64) {
    var surplus = runs.count { $0.handle == nil } - Self.endedLimit
    runs.removeAll { run in
      guard let ended = run.ended, surplus > 0 || now - ended > Self.endedTime else { return false }
      surplus -= 1
      if let id = run.id, byID[id] === run { byID[id] = nil }
      return true
    }
  }

  // MARK: Ending

  /// Suspends durable runs, abandons the questions of others, and refuses calls.
  func end() {
    isEnding = true
    for (_, _, reply) in waiting { reply(.response(Self.busy.response)) }
    waiting = []
    for run in runs { finish(run) }
  }

  private func finish(_ run: ServedRun) {
    if run.question != nil { run.giveUp() } else if run.isDurable { run.handle?.suspend() }
  }

  var isIdle: Bool { starting.isEmpty && !runs.contains { $0.handle != nil } }

  /// Ends the remaining runs, and those that are being started.
  func abandon() {
    isAbandoned = true
    for run in runs { run.handle?.suspend() }
  }
}
