import Engine

/// How the process ends (language §8).
enum ExitStatus {
  static let done: Int32 = 0
  static let failed: Int32 = 1
  static let usage: Int32 = 2
  static let needsPerson: Int32 = 3
  static let declined: Int32 = 4
  static let suspended: Int32 = 5
  static let timeout: Int32 = 124

  /// The status of a run that failed.
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

extension ParsedArguments {
  /// The status of a command that found so many items.
  func status(ofFound count: Int) -> Int32 {
    count == 0 && isOn(Flag.exitStatus.name) ? ExitStatus.failed : ExitStatus.done
  }
}

extension Cancellation {
  /// The error of a run that was suspended or ended by another process; itself for all others.
  func told(of session: Run) -> any Error {
    let run = session.number.map { "run \($0)" } ?? "the run"
    var error: RunError
    switch reason {
    case .suspended:
      error = RunError(
        .suspended, "\(run) is suspended" + (session.suspension.map { ": \($0)" } ?? ""),
        help: session.number.map { "`errand resume \($0)` goes on with it" })
      error.status = ExitStatus.suspended
      error.isDeliberate = true
    case .superseded:
      error = RunError(.cancelled, "\(run) was ended by another process")
      error.status = ExitStatus.failed
    case .interrupted, .sibling, .deadline, .crashed: return self
    }
    return error
  }
}
