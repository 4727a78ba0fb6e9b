package import CEL

/// What must hold for an item to be found: an expression over `self`.
///
/// Null in it is as language.md §7 says: an operation that fails for null is no match, any other
/// failure ends the query.
package struct Filter {
  /// The compiled expression, in which properties are spelled `self.name`.
  package let program: Program
  /// What its names mean, for the parts that are evaluated once.
  package let environment: Environment
  /// Tells whether the search is to end; nil where nobody ends it.
  package var mustStop: (() -> Bool)?
  private let values: [String: Value]

  /// Makes a filter; the other variables are looked up once, now.
  package init(
    _ program: Program, in environment: Environment,
    variables: (String) throws -> Value? = { _ in nil }
  ) rethrows {
    self.program = program
    self.environment = environment
    var values: [String: Value] = [:]
    for name in program.variables where !Self.isItem(name) {
      values[name] = try variables(name)
    }
    self.values = values
  }

  /// The value of a variable other than the item.
  package func value(of name: String) -> Value? { values[name] }

  private static func isItem(_ name: String) -> Bool { name == "self" }
}
