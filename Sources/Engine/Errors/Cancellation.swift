/// The cancellation of a run or block; it is not caught by `catch`, but runs `finally`.
package struct Cancellation: Error {
  /// The cause of a cancellation.
  package enum Reason: Hashable, Sendable {
    /// The person, by Ctrl-C.
    case interrupted
    /// A parallel branch failed.
    case sibling
    /// The deadline of a block passed.
    case deadline(Int)
    /// The run will be resumed later from its journal.
    case suspended
    /// Another process took over the run, or its lease was revoked.
    case superseded
    /// A simulated crash in a test.
    case crashed

    /// Whether writes since the last commit are kept.
    var keepsWrites: Bool {
      switch self {
      case .interrupted, .sibling, .deadline, .suspended: true
      case .superseded, .crashed: false
      }
    }

    /// Whether `finally` blocks run.
    package var runsFinally: Bool {
      switch self {
      case .interrupted, .sibling, .deadline: true
      case .suspended, .superseded, .crashed: false
      }
    }
  }

  package let reason: Reason
  /// The error of a `finally` during cancellation; nil for none.
  package internal(set) var failure: RunError?

  /// A cancellation with a reason.
  package init(_ reason: Reason) { self.reason = reason }

  /// The same cancellation, with the error of a `finally`.
  func after(_ failure: RunError) -> Cancellation {
    var end = self
    end.failure = failure
    if let earlier = self.failure { end.failure?.addCause(earlier) }
    return end
  }
}
