/// The end of what a run does that is no error of a step: nothing catches it, and `finally` runs.
package struct Cancellation: Error {
  /// Who wants the end.
  package enum Reason: Hashable, Sendable {
    /// The person, by Ctrl-C.
    case interrupted
    /// A branch beside this one failed.
    case sibling
    /// The time of a block is up.
    case deadline(Int)
    /// The run is to go on later, from its journal.
    case suspended
    /// Another process has taken the run over, or it was ended from outside.
    case superseded
    /// The process is taken to have died here, as a test wants it.
    case crashed

    /// Whether what was written since the last commit is kept.
    var keepsWrites: Bool {
      switch self {
      case .interrupted, .sibling, .deadline, .suspended: true
      case .superseded, .crashed: false
      }
    }

    /// Whether `finally` blocks run on the way out.
    package var runsFinally: Bool {
      switch self {
      case .interrupted, .sibling, .deadline: true
      case .suspended, .superseded, .crashed: false
      }
    }
  }

  package let reason: Reason
  /// What failed in a `finally` on the way out; nil where nothing did.
  package internal(set) var failure: RunError?

  /// An end for a reason.
  package init(_ reason: Reason) {
    self.reason = reason
  }

  /// The same end, with what failed on the way out.
  func after(_ failure: RunError) -> Cancellation {
    var end = self
    end.failure = failure
    if let earlier = self.failure { end.failure?.addCause(earlier) }
    return end
  }
}
