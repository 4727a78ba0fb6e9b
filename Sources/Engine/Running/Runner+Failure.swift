import CEL
import Catalog
import Items
import POSIX
import Program
import Store
import YAML

/// `try`, `retry` and `timeout` (docs/language.md, “When a step fails”).
extension Runner {
  /// Extra steps for `finally` when the run has none left.
  private static let finallySteps = 100_000

  /// Runs a step with its `timeout` and `retry`.
  func persist(_ step: CompiledStep, _ persistence: CompiledStep.Persistence) throws -> Flow {
    let timeout = persistence.timeout
    func once() throws -> Flow { try timed(timeout, step) { try perform(step) } }
    guard let retry = persistence.retry else { return try once() }
    // The timeout of a block spans all attempts; that of a call applies to each.
    guard step.isBlock else { return try retrying(step, retry, once) }
    return try timed(timeout, step) { try retrying(step, retry) { try perform(step) } }
  }

  private func retrying(
    _ step: CompiledStep, _ retry: CompiledStep.Retry, _ attempt: () throws -> Flow
  ) throws -> Flow {
    let policy = try RetryPolicy(retry, self)
    try run.commitWrites()
    // A failed attempt must not leave values behind.
    let before = frame.slots
    var attempts = 0
    while true {
      if try hasFailed(step, attempts) {
        attempts += 1
        continue
      }
      do {
        return attempts == 0 ? try attempt() : try within(.attempt(attempts), of: step, attempt)
      } catch let error as RunError {
        guard let delay = try policy.delay(after: attempts, error, random: run.random) else {
          guard let value = error.settled else { throw error }
          bind(value, step)
          it = value
          return .next
        }
        frame.slots = before
        try noteAttempt(step, attempts, error, delay: delay)
        attempts += 1
        // Each attempt counts as a step.
        try run.checkpoint(task)
        try run.pause(for: delay, task)
      }
    }
  }

  /// Whether the journal records a failed attempt, which is not repeated.
  private func hasFailed(_ step: CompiledStep, _ attempts: Int) throws -> Bool {
    run.lines?.has("\(scope.text)\(step.index)!\(attempts)") == true
  }

  private func noteAttempt(
    _ step: CompiledStep, _ attempts: Int, _ error: RunError, delay: DurationValue
  ) throws {
    guard run.recorder.isWatched else { return }
    try run.note("\(scope.text)\(step.index)!\(attempts)", .attempted, step, took: .zero) {
      .record([("error", error.journalValue)])
    }
    try run.tellObservers(
      .attemptFailed(error, retriedAfter: delay.length), step,
      at: StepPlace(step, in: scope))
  }

  private func timed(
    _ timeout: CompiledValue?, _ step: CompiledStep, _ body: () throws -> Flow
  ) throws -> Flow {
    try timed(timeout, step.displayName, mayRepeat: step.mayRepeat, body)
  }

  /// Runs the body of a `try`, a handler if it fails, and always `finally`.
  func attempt(_ block: CompiledStep.Attempt, _ step: CompiledStep) throws -> Flow {
    try run.commitWrites()
    let outer = it
    var result: Result<Flow, any Error>
    do {
      result = .success(try run(block.body))
    } catch {
      result = .failure(error)
      if let error = error as? RunError {
        // Handlers do not run when the run must end.
        result = Result { try task.check(run.host.machine.monotonic) }
          .flatMap { handled(error, block, step, outer: outer) }
      }
    }
    if !block.finally.isEmpty, result.runsFinally {
      result = finally(block, step, result, outer: outer)
    }
    let flow = try result.get()
    bind(it, step)
    return flow
  }

  private func handled(
    _ error: RunError, _ block: CompiledStep.Attempt, _ step: CompiledStep, outer: Value
  ) -> Result<Flow, any Error> {
    Result {
      let taken = try decided("catch", of: block.handlers.count, step) {
        try position(ofHandlerOf: error, in: block)
      }
      guard let taken else { throw error }
      let handler = block.handlers[taken]
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

  /// The index of the handler for an error; nil when none matches.
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
    outer: Value
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
      _ = try task.shielded(isEnding: isEnding, run.host.machine.monotonic) {
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

  /// The error of a block whose `finally` failed as well; an error that cannot be caught stays so.
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
  /// Whether `finally` runs: not if the run is suspended or has lost its lease.
  fileprivate var runsFinally: Bool {
    guard case .failure(let cancellation as Cancellation) = self else { return true }
    return cancellation.reason.runsFinally
  }
}

extension CompiledStep {
  /// Whether the step contains other steps.
  fileprivate var isBlock: Bool {
    switch kind {
    case .action, .verb: false
    default: true
    }
  }

  /// Whether the step may be repeated safely.
  fileprivate var mayRepeat: Bool {
    if case .verb(let call) = kind { call.verb.mayRepeat(call) } else { true }
  }
}

/// The retry policy of a step.
struct RetryPolicy {
  private let times: Int64
  private let delay: DurationValue
  private let backoff: Double
  private let max: DurationValue
  private let jitter: Double
  private let codes: [String]?

  /// Evaluates the options of a `retry`.
  init(_ retry: CompiledStep.Retry, _ runner: Runner) throws {
    guard let times = try runner.value(of: retry.times, as: .int, named: "times").asInt else {
      throw RunError(.invalidValue, "`retry` must be a number of times")
    }
    self.times = times
    func duration(_ value: CompiledValue?, _ name: String) throws -> DurationValue? {
      try runner.optional(value, as: .duration, named: name)?.asDuration
    }
    func number(_ value: CompiledValue?, _ name: String) throws -> Double? {
      try runner.optional(value, as: .double, named: name)?.asDouble
    }
    delay = try duration(retry.delay, "delay") ?? DurationValue(seconds: 1)
    max = try duration(retry.max, "max") ?? DurationValue(seconds: 60)
    backoff = try number(retry.backoff, "backoff") ?? 2
    jitter = try number(retry.jitter, "jitter") ?? 0.2
    codes = retry.codes
  }

  /// The delay before the next attempt; nil for no further attempt.
  ///
  /// - Parameter random: a number from 0 to 1.
  func delay(after attempts: Int, _ error: RunError, random: () -> Double) throws -> DurationValue?
  {
    guard Int64(attempts) < times, isMeant(error) else { return nil }
    var seconds = delay.inSeconds
    for _ in 0..<Swift.min(attempts, 64) { seconds *= backoff }
    seconds = Swift.min(seconds, max.inSeconds)
    seconds *= 1 + jitter * (2 * random() - 1)
    if let wanted = error.retryAfter {
      if wanted > max.inSeconds { return nil }
      seconds = Swift.max(seconds, wanted)
    }
    return DurationValue(totalNanoseconds: Int64(Swift.max(0, Swift.min(seconds, 9e8)) * 1e9))
  }

  /// Whether the error is transient, or its code is listed.
  private func isMeant(_ error: RunError) -> Bool {
    if error.isFatal { return false }
    if let codes { return codes.contains(error.code.name) }
    guard error.mayRepeat else { return false }
    switch error.code {
    case .network, .timeout, .busy: return true
    case .http: return (error.data.asMap?["status"]?.asInt).map(HTTPRequest.mayPass) ?? false
    default: return false
    }
  }
}

extension RunError {
  /// The delay in seconds that the server requests; nil for none.
  fileprivate var retryAfter: Double? {
    let value = data.asMap?["retryAfter"]
    return value?.asDuration?.inSeconds ?? (value?.asInt).map { Double($0) }
  }
}

extension DurationValue {
  /// The length in seconds.
  var inSeconds: Double { Double(length.nanoseconds) / 1e9 }
}
