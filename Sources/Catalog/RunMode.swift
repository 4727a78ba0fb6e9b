/// What happens when something is to be run while it is running already.
package enum RunMode: String, Sendable, CaseIterable {
  /// The new run is refused.
  case single
  /// The new run waits for its turn.
  case queued
  /// The earlier run is ended.
  case restart
  /// Both run, up to a number of them.
  case parallel
}

/// The treatment of a step that was going on when its run was interrupted.
package enum ResumePolicy: String, Sendable, CaseIterable {
  /// It is done once more.
  case retry
  /// It counts as done, without a value.
  case skip
  /// The person decides.
  case ask
}
