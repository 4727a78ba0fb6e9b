package import Engine

extension RunError.Code {
  /// The code of an invalid command line.
  package static let usage = RunError.Code("usage")
}

extension RunError {
  /// An error for an invalid command line.
  package static func usage(_ message: String, help: String? = nil) -> RunError {
    RunError(.usage, message, help: help)
  }
}
