/// The field positions of an entity's items, shared by all of them.
package final class ItemLayout: Sendable {
  package let schema: EntitySchema
  private let names: [String]
  /// Positions by name if there are many; for a few, a linear search is faster.
  private let indices: [String: Int]?

  package init(_ schema: EntitySchema) {
    self.schema = schema
    names = schema.properties.map(\.name)
    indices =
      names.count <= 24
      ? nil
      : Dictionary(names.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The index of a property.
  package func index(of property: String) -> Int? {
    if let indices { indices[property] } else { names.firstIndex(of: property) }
  }

  /// The names of all fields in output order.
  package var fieldNames: [String] {
    SystemField.leading.map(\.rawValue) + schema.properties.map(\.name)
      + SystemField.trailing.map(\.rawValue)
  }
}
