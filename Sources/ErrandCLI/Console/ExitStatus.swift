import Engine

/// How the process ends (language §8).
enum ExitStatus {
  static let done: Int32 = 0
  static let failed: Int32 = 1
  static let usage: Int32 = 2
  static let needsPerson: Int32 = 3
  static let declined: Int32 = 4
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
