package import CEL

/// A condition for items: an expression over `self`.
///
/// An item for which evaluation fails because of null does not match (language.md §7); any other error ends the
/// query.
package struct Filter {
  /// The compiled expression, with properties as `self.name`.
  package let program: Program
  /// The environment for evaluating its constant parts once.
  package let environment: Environment
  /// Whether the search has been cancelled; nil if it cannot be.
  package var mustStop: (() -> Bool)?
  private let values: [String: Value]

  /// Creates a filter, and looks up its other variables now.
  package init(
    _ program: Program, in environment: Environment,
    variables: (String) throws -> Value? = { _ in nil }
  ) rethrows {
    self.program = program
    self.environment = environment
    var values: [String: Value] = [:]
    for name in program.variables where !Self.isItem(name) { values[name] = try variables(name) }
    self.values = values
  }

  /// The value of a variable other than the item.
  package func value(of name: String) -> Value? { values[name] }

  private static func isItem(_ name: String) -> Bool { name == "self" }
}
