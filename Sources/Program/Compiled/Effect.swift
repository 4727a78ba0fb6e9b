import Catalog

/// What a verb does beside giving a value, which decides what may happen before and around it.
package enum Effect: Sendable {
  /// Nothing.
  case pure
  /// Reads the store or the world.
  case read
  /// Changes the store.
  case write
  /// Tells the person something.
  case tell
  /// Asks the person something.
  case ask
  /// Changes the world outside the store.
  case outside

  /// What is done about a step that was going on when the run ended, unless its verb says another.
  var onResume: ResumePolicy {
    switch self {
    case .pure, .read, .write, .ask: .retry
    case .tell: .skip
    case .outside: .ask
    }
  }
}
