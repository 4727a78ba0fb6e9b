import CEL
import Program

/// Who hears of the steps of a run.
extension Run {
  /// Tells all observers how a step ended.
  func tellObservers(_ end: StepEnd, _ step: CompiledStep, at place: StepPlace) throws {
    for observer in observers { try observer.stepEnds(step, at: place, end) }
  }

  /// Whether what the run does is a transaction, in which nothing may wait for a person.
  package var isInTransaction: Bool { transactionDepth > 0 }

  /// Runs the body of a transaction.
  func asOneStep<Result>(_ body: () throws -> Result) rethrows -> Result {
    transactionDepth += 1
    defer { transactionDepth -= 1 }
    return try body()
  }
}
