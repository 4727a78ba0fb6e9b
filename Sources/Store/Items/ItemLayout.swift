/// Where each field of an entity's items is found; shared by all of them.
final class ItemLayout: Sendable {
  let schema: EntitySchema
  private let indices: [String: Int]

  init(_ schema: EntitySchema) {
    self.schema = schema
    indices = Dictionary(
      schema.properties.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The position of a property.
  func index(of property: String) -> Int? { indices[property] }

  /// The names of all fields in the order in which an item is written out.
  var fieldNames: [String] {
    ["entity", "id", "ref", "uid"] + schema.properties.map(\.name) + ["createdAt", "updatedAt"]
  }
}
