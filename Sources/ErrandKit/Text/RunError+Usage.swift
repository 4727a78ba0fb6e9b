package import Engine

extension RunError.Code {
  /// The code of words that cannot be understood.
  package static let usage = RunError.Code("usage")
}

extension RunError {
  /// An error for words that cannot be understood.
  package static func usage(_ message: String, help: String? = nil) -> RunError {
    RunError(.usage, message, help: help)
  }
}
