/// The policy for a run that starts while an earlier run is active.
package enum RunMode: String, Sendable, CaseIterable {
  /// The new run is refused.
  case single
  /// The new run waits for its turn.
  case queued
  /// The earlier run is cancelled.
  case restart
  /// Both run, up to a limit.
  case parallel
}

/// The treatment of the step that was interrupted when its run resumes.
package enum ResumePolicy: String, Sendable, CaseIterable {
  /// It is repeated.
  case retry
  /// It counts as done, with no value.
  case skip
  /// The person decides.
  case ask
}
