/// Where each field of an entity's items is found; shared by all of them.
package final class ItemLayout: Sendable {
  package let schema: EntitySchema
  private let names: [String]
  /// The positions by name where there are many; a few names are looked through faster.
  private let indices: [String: Int]?

  package init(_ schema: EntitySchema) {
    self.schema = schema
    names = schema.properties.map(\.name)
    indices =
      names.count <= 24
      ? nil
      : Dictionary(names.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The position of a property.
  package func index(of property: String) -> Int? {
    if let indices { indices[property] } else { names.firstIndex(of: property) }
  }

  /// The names of all fields in the order in which an item is written out.
  package var fieldNames: [String] {
    SystemField.leading.map(\.rawValue) + schema.properties.map(\.name)
      + SystemField.trailing.map(\.rawValue)
  }
}
