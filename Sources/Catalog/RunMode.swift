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
