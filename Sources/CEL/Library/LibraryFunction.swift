/// A row of the library: the name of a function, and its overloads, each with its types and its
/// body.
///
/// The checker and the evaluator ask the same row. Its overloads are made when an expression names
/// it: to make all of them would cost every start what few expressions use.
struct LibraryFunction: Sendable {
  /// The name, qualified where it has a namespace, such as `math.abs`.
  let name: String
  private let make: @Sendable (String) -> [Function]

  /// A row; its closure is given the name.
  init(_ name: String, @Overloads _ make: @escaping @Sendable (String) -> [Function]) {
    self.name = name
    self.make = make
  }

  /// The overloads, in the order in which they are tried.
  var overloads: [Function] { make(name) }

  /// Gathers overloads that stand below one another.
  @resultBuilder
  enum Overloads {
    static func buildExpression(_ function: Function) -> [Function] { [function] }
    static func buildExpression(_ functions: [Function]) -> [Function] { functions }
    static func buildArray(_ parts: [[Function]]) -> [Function] { parts.flatMap { $0 } }
    static func buildBlock(_ parts: [Function]...) -> [Function] { parts.flatMap { $0 } }
  }
}
