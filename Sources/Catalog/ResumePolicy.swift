/// What is done about a step that was going on when its run ended without an end of its own.
package enum ResumePolicy: String, Sendable, CaseIterable {
  /// It is done once more.
  case retry
  /// It counts as done, without a value.
  case skip
  /// The person decides.
  case ask
}
