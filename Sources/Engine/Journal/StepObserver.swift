package import CEL
package import Program

/// Hears of the steps of a run as they begin and end, such as to trace them.
package protocol StepObserver: AnyObject {
  /// Hears that a step whose guard held is about to be done; what it throws ends the run.
  ///
  /// - Parameter arguments: finds the arguments of a call, each with its name.
  func stepBegins(
    _ step: CompiledStep, at place: StepPlace,
    arguments: () throws -> [(name: String, value: Value)]
  ) throws
  /// Hears how a step ended; what it throws ends the run.
  func stepEnds(_ step: CompiledStep, at place: StepPlace, _ end: StepEnd) throws
}

/// How a step ended.
package enum StepEnd {
  /// Its guard did not hold.
  case skipped
  /// It was done; its value, or nil where it has none.
  case done(Value?)
  /// An attempt failed, and after a number of nanoseconds there is another.
  case attemptFailed(RunError, retriedAfter: Int64)
  /// It failed.
  case failed(RunError)
  /// The run, or a block around it, is ended.
  case cancelled
}
