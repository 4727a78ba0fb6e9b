/// Where each field of an entity's items is found; shared by all of them.
final class ItemLayout: Sendable {
  let schema: EntitySchema
  private let names: [String]
  /// The positions by name where there are many; a few names are looked through faster.
  private let indices: [String: Int]?

  init(_ schema: EntitySchema) {
    self.schema = schema
    names = schema.properties.map(\.name)
    indices =
      names.count <= 24
      ? nil
      : Dictionary(names.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The position of a property.
  func index(of property: String) -> Int? {
    if let indices { indices[property] } else { names.firstIndex(of: property) }
  }

  /// The names of all fields in the order in which an item is written out.
  var fieldNames: [String] {
    ["entity", "id", "ref", "uid"] + schema.properties.map(\.name) + ["createdAt", "updatedAt"]
  }
}
