/// What a run may use in all, so that no program runs without an end or takes all memory.
package struct RunLimits: Sendable {
  /// Steps and passes, and steps of evaluating expressions.
  package var steps = 50_000_000
  /// Calls of intents and shortcuts.
  package var calls = 5_000_000
  /// Bytes of memory that values take.
  package var bytes = 512 << 20

  /// The standard limits.
  package init() {}
}
