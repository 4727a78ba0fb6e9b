internal import Glibc

/// A row of the library: the name of a function, and its overloads, each with its types and its
/// body.
///
/// The checker and the evaluator ask the same row. Its overloads are made when an expression names
/// it: to make all of them would cost every start what few expressions use.
struct LibraryFunction: Sendable {
  /// The name, qualified where it has a namespace, such as `math.abs`.
  let name: StaticString
  /// Gives the overloads, in the order in which they are tried; it is given the name.
  let overloads: @Sendable (String) -> [Function]

  /// Makes a row.
  init(_ name: StaticString, @Overloads _ overloads: @escaping @Sendable (String) -> [Function]) {
    self.name = name
    self.overloads = overloads
  }

  /// Whether it has a name, as UTF-8.
  func isNamed(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    guard name.count == self.name.utf8CodeUnitCount, let start = name.baseAddress else {
      return false
    }
    return memcmp(start, self.name.utf8Start, name.count) == 0
  }

  /// Gathers overloads that stand below one another.
  @resultBuilder
  enum Overloads {
    static func buildBlock(_ functions: Function...) -> [Function] { functions }
    static func buildBlock(_ functions: [Function]) -> [Function] { functions }
  }
}
