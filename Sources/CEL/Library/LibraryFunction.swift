/// A row of the function library: a name and its overloads with types and implementations.
///
/// Shared by checker and evaluator. Overloads are created when an expression names the function: creating all of them
/// would slow every start.
package struct LibraryFunction: Sendable {
  /// The name, qualified if it has a namespace: `math.abs`.
  let name: String
  /// Returns the overloads of the name, in the order in which they are tried.
  let overloads: @Sendable (String) -> [Function]

  /// Creates a row.
  init(_ name: String, @Overloads _ overloads: @escaping @Sendable (String) -> [Function]) {
    self.name = name
    self.overloads = overloads
  }

  /// Collects the overloads of a row.
  @resultBuilder
  package enum Overloads {
    package static func buildBlock(_ functions: Function...) -> [Function] { functions }
    package static func buildBlock(_ functions: [Function]) -> [Function] { functions }
  }
}
