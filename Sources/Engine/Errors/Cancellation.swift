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
  }

  package let reason: Reason

  /// An end for a reason.
  package init(_ reason: Reason) {
    self.reason = reason
  }
}
