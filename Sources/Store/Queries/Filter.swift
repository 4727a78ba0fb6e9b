/// What must hold for an item to be found.
public struct Filter {
  /// Whether it holds; an error ends the query.
  public var predicate: (Item) throws -> Bool

  public init(_ predicate: @escaping (Item) throws -> Bool) {
    self.predicate = predicate
  }
}
