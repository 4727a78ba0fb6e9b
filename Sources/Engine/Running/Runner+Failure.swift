import CEL
import Catalog
import Items
import Program
import Store
import YAML

/// `try`, `retry` and `timeout` (docs/language.md, “When a step fails”).
extension Runner {
  /// The steps that `finally` may take when the run has none left.
  private static let finallySteps = 100_000

  /// Does a step within its time, and again after errors that its `retry` is for.
  func persist(_ step: CompiledStep, _ persistence: CompiledStep.Persistence) throws -> Flow {
    guard let retry = persistence.retry else { return try timed(step, persistence.timeout) }
    // The time of a block is that of all attempts; that of a call of each.
    if step.isBlock {
      return try timed(step, persistence.timeout) { try self.retrying(step, retry, nil) }
    }
    return try retrying(step, retry, persistence.timeout)
  }

  private func retrying(
    _ step: CompiledStep, _ retry: CompiledStep.Retry, _ timeout: CompiledValue?
  ) throws -> Flow {
    let policy = try RetryPolicy(retry, self)
    try run.commitWrites()
    // A failed attempt leaves no value and no variable.
    let before = frame.slots
    var attempts = 0
    while true {
      if try hasFailed(step, attempts) {
        attempts += 1
        continue
      }
      do {
        guard attempts > 0 else { return try timed(step, timeout) }
        return try within(.attempt(attempts), of: step) { try timed(step, timeout) }
      } catch let error as RunError {
        guard let delay = try policy.delay(after: attempts, error, random: run.random) else {
          guard let value = error.settled else { throw error }
          bind(value, step)
          it = value
          return .next
        }
        frame.slots = before
        try noteAttempt(step, attempts, error, delay)
        attempts += 1
        // An attempt is a step of the run.
        try run.checkpoint(strand)
        try run.pause(for: delay, strand)
      }
    }
  }

  /// Whether the journal has it that an attempt failed, which is then not made again.
  private func hasFailed(_ step: CompiledStep, _ attempts: Int) throws -> Bool {
    run.lines?.has("\(scope.text)\(step.index)!\(attempts)") == true
  }

  private func noteAttempt(
    _ step: CompiledStep, _ attempts: Int, _ error: RunError, _ delay: Duration
  ) throws {
    guard run.isWatched else { return }
    try run.note("\(scope.text)\(step.index)!\(attempts)", .attempted, step, took: 0) {
      .map(MapValue([("error", error.journalValue)]))
    }
    try run.tellObservers(
      .attemptFailed(error, retriedAfter: delay.clampedNanoseconds), step,
      at: StepPlace(step, in: scope))
  }

  private func timed(_ step: CompiledStep, _ timeout: CompiledValue?) throws -> Flow {
    try timed(step, timeout) { try self.perform(step) }
  }

  private func timed(
    _ step: CompiledStep, _ timeout: CompiledValue?, _ body: () throws -> Flow
  ) throws -> Flow {
    guard let timeout,
      case .duration(let limit) = try value(of: timeout, as: .duration, named: "timeout")
    else { return try body() }
    let instant = run.host.machine.monotonic() &+ limit.clampedNanoseconds
    return try strand.within(instant, body) {
      var error = RunError(
        .timeout, "`\(step.displayName)` was not done after \(DurationText.text(for: limit))")
      error.mayRepeat = step.mayRepeat
      return error
    }
  }

  /// Runs the body of a `try`, a handler when it fails, and `finally` whatever happens.
  func attempt(_ block: CompiledStep.Attempt, _ step: CompiledStep) throws -> Flow {
    try run.commitWrites()
    let outer = it
    var result: Result<Flow, any Error>
    do {
      result = .success(try run(block.body))
    } catch {
      result = .failure(error)
      if let error = error as? RunError {
        // When the run is to end, no handler is asked.
        result = Result { try strand.check(run.host.machine.monotonic) }
          .flatMap { handled(error, block, step, outer) }
      }
    }
    if !block.finally.isEmpty, result.runsFinally { result = finally(block, step, result, outer) }
    let flow = try result.get()
    bind(it, step)
    return flow
  }

  private func handled(
    _ error: RunError, _ block: CompiledStep.Attempt, _ step: CompiledStep, _ outer: Value
  ) -> Result<Flow, any Error> {
    Result {
      let taken = try decided("catch", step) {
        .int(Int64(try position(ofHandlerOf: error, in: block) ?? -1))
      }
      guard case .int(let index) = taken, block.handlers.indices.contains(Int(index)) else {
        throw error
      }
      let handler = block.handlers[Int(index)]
      frame.slots[handler.slot] = error.value
      it = outer
      do {
        return try run(handler.body)
      } catch var further as RunError {
        further.addCause(error)
        throw further
      }
    }
  }

  /// The position of the handler that takes an error; nil when none does.
  private func position(
    ofHandlerOf error: RunError, in block: CompiledStep.Attempt
  ) throws -> Int? {
    guard !error.isFatal else { return nil }
    return try block.handlers.firstIndex { handler in
      guard handler.codes.map({ $0.contains(error.code.name) }) ?? error.isCaughtByAll else {
        return false
      }
      frame.slots[handler.slot] = error.value
      return try handler.condition.map(holds) ?? true
    }
  }

  private func finally(
    _ block: CompiledStep.Attempt, _ step: CompiledStep, _ result: Result<Flow, any Error>,
    _ outer: Value
  ) -> Result<Flow, any Error> {
    let inner = it
    var raised: RunError?
    var isEnding = false
    if case .failure(let error) = result {
      raised = error as? RunError
      isEnding = raised == nil
      if let excess = error as? Budget.Excess {
        run.budget.grant(Self.finallySteps)
        raised = excess.error([])
      }
    }
    frame.slots[block.errorSlot] = raised?.value ?? .null
    it = outer
    do {
      _ = try strand.shielded(isEnding: isEnding, run.host.machine.monotonic) {
        if case .success = result { return try run(block.finally) }
        return try within(.cleanup, of: step) { try run(block.finally) }
      }
    } catch {
      guard case .failure(let first) = result else { return .failure(error) }
      return .failure(Self.end(after: first, error))
    }
    it = inner
    return result
  }

  /// What a block ends with that was to end and whose `finally` did not come to its end either: an
  /// end that nothing catches stays what it was.
  private static func end(after first: any Error, _ later: any Error) -> any Error {
    switch (first, later) {
    case (let first as RunError, var later as RunError):
      later.addCause(first)
      if first.isFatal { later.isFatal = true }
      return later
    case (let first as Cancellation, let later as RunError): return first.after(later)
    case (let first as Cancellation, let later as Cancellation) where later.reason.runsFinally:
      return later.failure.map(first.after) ?? first
    case (_, is Cancellation): return later
    default: return first
    }
  }
}

extension Result<Flow, any Error> {
  /// Whether `finally` is to run: not where the run goes on later, or has lost the right to go on.
  fileprivate var runsFinally: Bool {
    guard case .failure(let cancellation as Cancellation) = self else { return true }
    return cancellation.reason.runsFinally
  }
}

extension CompiledStep {
  /// Whether it holds other steps.
  fileprivate var isBlock: Bool {
    switch kind {
    case .action, .verb: false
    default: true
    }
  }

  /// Whether it does no harm to do it twice.
  fileprivate var mayRepeat: Bool {
    if case .verb(let call) = kind { call.verb.mayRepeat(call) } else { true }
  }
}

/// How often, when and after which errors a step is tried again.
struct RetryPolicy {
  private let times: Int64
  private let delay: Duration
  private let backoff: Double
  private let max: Duration
  private let jitter: Double
  private let codes: [String]?

  /// The statuses of HTTP that may pass by themselves (RFC 9110 §15; RFC 6585 §4).
  static func mayPass(_ status: Int64) -> Bool {
    [408, 425, 429].contains(status) || (500...599).contains(status)
  }

  /// The policy that a `retry` gives now.
  init(_ retry: CompiledStep.Retry, _ runner: Runner) throws {
    func duration(_ value: CompiledValue?, _ name: String, _ usual: Int64) throws -> Duration {
      guard let value,
        case .duration(let length) = try runner.value(of: value, as: .duration, named: name)
      else { return Duration(seconds: usual) }
      return length
    }
    func number(_ value: CompiledValue?, _ name: String, _ usual: Double) throws -> Double {
      guard let value,
        case .double(let number) = try runner.value(of: value, as: .double, named: name)
      else { return usual }
      return number
    }
    guard case .int(let times) = try runner.value(of: retry.times, as: .int, named: "times") else {
      throw RunError(.invalidValue, "`retry` needs a number of times")
    }
    self.times = times
    delay = try duration(retry.delay, "delay", 1)
    max = try duration(retry.max, "max", 60)
    backoff = try number(retry.backoff, "backoff", 2)
    jitter = try number(retry.jitter, "jitter", 0.2)
    codes = retry.codes
  }

  /// How long to wait before the next attempt; nil when there is to be none.
  ///
  /// - Parameter random: a number from 0 to 1.
  /// - Throws: the error with `data.retryAfter` when the other side asks for more than `max`.
  func delay(after attempts: Int, _ error: RunError, random: () -> Double) throws -> Duration? {
    guard Int64(attempts) < times, isMeant(error) else { return nil }
    var seconds = delay.inSeconds
    for _ in 0..<Swift.min(attempts, 64) { seconds *= backoff }
    seconds = Swift.min(seconds, max.inSeconds)
    seconds *= 1 + jitter * (2 * random() - 1)
    if let wanted = error.retryAfter {
      if wanted > max.inSeconds { return nil }
      seconds = Swift.max(seconds, wanted)
    }
    return Duration(totalNanoseconds: Int64(Swift.max(0, Swift.min(seconds, 9e8)) * 1e9))
  }

  /// Whether the error may pass by itself, or the policy names it.
  private func isMeant(_ error: RunError) -> Bool {
    if error.isFatal { return false }
    if let codes { return codes.contains(error.code.name) }
    guard error.mayRepeat else { return false }
    switch error.code {
    case .network, .timeout, .busy: return true
    case .http:
      guard case .map(let data) = error.data, case .int(let status)? = data["status"] else {
        return false
      }
      return Self.mayPass(status)
    default: return false
    }
  }
}

extension RunError {
  /// The seconds that the other side asks to wait; nil when it does not.
  fileprivate var retryAfter: Double? {
    guard case .map(let data) = data else { return nil }
    return switch data["retryAfter"] {
    case .duration(let length): length.inSeconds
    case .int(let seconds): Double(seconds)
    default: nil
    }
  }
}

extension Duration {
  /// The length in seconds.
  var inSeconds: Double { Double(clampedNanoseconds) / 1e9 }
}
