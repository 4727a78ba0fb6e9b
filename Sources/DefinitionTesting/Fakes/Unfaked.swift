import Engine

/// Something of the world outside that a test reached and nothing stands for.
package struct Unfaked: Error {
  /// What was reached, such as “the program `git fetch`”.
  package let what: String
  /// What to write under `fake:`.
  package let remedy: String

  /// The error that ends the run; nothing catches it.
  var error: RunError {
    var error = RunError(
      RunError.Code("not-faked"), "\(what) was reached, and nothing stands for it",
      help: "write under `fake:` \(remedy)")
    error.isFatal = true
    error.mayRepeat = false
    return error
  }
}
