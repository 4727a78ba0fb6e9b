package import CEL
package import Program

/// Observes the steps of a run, such as to trace them.
package protocol StepObserver: AnyObject {
  /// Called before a step whose condition holds; an error ends the run.
  ///
  /// - Parameter arguments: evaluates the arguments of the call, with their names.
  func stepBegins(
    _ step: CompiledStep, at place: StepPlace,
    arguments: () throws -> [(name: String, value: Value)]
  ) throws
  /// Called after a step; an error ends the run.
  func stepEnds(_ step: CompiledStep, at place: StepPlace, _ end: StepEnd) throws
}

/// The end of a step.
package enum StepEnd {
  /// The condition did not hold.
  case skipped
  /// The step completed with a value, or nil for none.
  case done(Value?)
  /// An attempt failed, and is retried after a delay.
  case attemptFailed(RunError, retriedAfter: Duration)
  /// The step failed.
  case failed(RunError)
  /// The run or an enclosing block was cancelled.
  case cancelled
}
