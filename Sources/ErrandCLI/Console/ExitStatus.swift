import Engine

/// Exit statuses of the process (language §8).
enum ExitStatus {
  static let done: Int32 = 0
  static let failed: Int32 = 1
  static let usage: Int32 = 2
  static let needsPerson: Int32 = 3
  static let declined: Int32 = 4
  static let suspended: Int32 = 5
  static let timeout: Int32 = 124

  /// Returns the exit status of a failed run.
  static func of(_ error: RunError) -> Int32 {
    if let status = error.status { return status }
    return switch error.code {
    case .needsValue, .ambiguous: needsPerson
    case .declined, .cancelled: declined
    case .invalidValue where error.isUsage: usage
    case .timeout: timeout
    default: failed
    }
  }
}

extension Cancellation {
  /// Returns the error of a run that was suspended or cancelled by another process; itself
  /// otherwise.
  func told(of run: Run) -> any Error {
    let subject = run.number.map { "run \($0)" } ?? "the run"
    var error: RunError
    switch reason {
    case .suspended:
      error = RunError(
        .suspended, "\(subject) is suspended" + (run.recorder.suspension.map { ": \($0)" } ?? ""),
        help: run.number.map { "`errand resume \($0)` continues it" })
      error.status = ExitStatus.suspended
      error.isDeliberate = true
    case .superseded:
      error = RunError(.cancelled, "\(subject) was cancelled by another process")
      error.status = ExitStatus.failed
    case .interrupted, .sibling, .deadline, .crashed: return self
    }
    return error
  }
}
