import CEL
import Items
import Program

/// `try`, `retry` and `timeout` (language-next §1).
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
      do {
        return try timed(step, timeout)
      } catch let error as RunError {
        guard let delay = try policy.delay(after: attempts, error, random: run.random) else {
          guard let value = error.settled else { throw error }
          bind(value, step)
          it = value
          return .next
        }
        frame.slots = before
        attempts += 1
        try run.pause(for: delay, strand)
      }
    }
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
          .flatMap { handled(error, block, outer) }
      }
    }
    if !block.finally.isEmpty { result = finally(block, result, outer) }
    let flow = try result.get()
    bind(it, step)
    return flow
  }

  private func handled(
    _ error: RunError, _ block: CompiledStep.Attempt, _ outer: Value
  ) -> Result<Flow, any Error> {
    Result {
      for handler in block.handlers {
        guard !error.isFatal,
          handler.codes.map({ $0.contains(error.code.name) }) ?? error.isCaughtByAll
        else { continue }
        frame.slots[handler.slot] = error.value
        if let condition = handler.condition, try !holds(condition) { continue }
        it = outer
        do {
          return try run(handler.body)
        } catch var further as RunError {
          if further.cause == nil, !further.isSame(as: error) { further.cause = error }
          throw further
        }
      }
      throw error
    }
  }

  private func finally(
    _ block: CompiledStep.Attempt, _ result: Result<Flow, any Error>, _ outer: Value
  ) -> Result<Flow, any Error> {
    let inner = it
    var raised: RunError?
    var isEnding = false
    if case .failure(let error) = result {
      raised = error as? RunError
      isEnding = raised == nil
      if error is Budget.Excess { run.budget.grant(Self.finallySteps) }
    }
    frame.slots[block.errorSlot] = raised?.value ?? .null
    it = outer
    do {
      _ = try strand.shielded(isEnding: isEnding, run.host.machine.monotonic) {
        try run(block.finally)
      }
    } catch var error as RunError {
      if error.cause == nil { error.cause = raised }
      return .failure(error)
    } catch {
      return .failure(error)
    }
    it = inner
    return result
  }
}

extension RunError {
  /// Whether it is the other error, raised again.
  fileprivate func isSame(as other: RunError) -> Bool {
    code == other.code && message == other.message && data == other.data
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
