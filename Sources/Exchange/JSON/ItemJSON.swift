package import CEL
import Items
import JSON

/// Formats values as JSON for other programs (language §3).
package struct ItemJSON {
  private let day: (Timestamp) -> String

  /// - Parameter day: Returns the date in the user's time zone, as `YYYY-MM-DD`.
  package init(day: @escaping (Timestamp) -> String) {
    self.day = day
  }

  /// Returns the JSON of a value on one line.
  ///
  /// - Throws: `JSONError` if it is nested too deeply.
  package func text(of value: Value) throws -> String {
    try JSONWriter(members: members).text(of: value)
  }

  /// Returns the members of an item: entity and reference, properties, and times.
  func members(of object: any ObjectValue) -> [(String, Value)] {
    guard let item = object as? Item else {
      return object.fieldNames.map { ($0, object.field($0) ?? .null) }
    }
    var members: [(String, Value)] = [
      ("entity", .string(item.entity)), ("id", item.field("id") ?? .null),
      ("ref", item.field("ref") ?? .null),
    ]
    for property in item.schema.properties {
      members.append((property.name, written(item.field(property.name) ?? .null, property.type)))
    }
    members.append(("createdAt", item.field("createdAt") ?? .null))
    members.append(("updatedAt", item.field("updatedAt") ?? .null))
    if let isNew = item.isNew { members.append(("isNew", .bool(isNew))) }
    return members
  }

  /// Formats a date as `YYYY-MM-DD` and a referenced item as its reference; other values are unchanged.
  func written(_ value: Value, _ type: DataType) -> Value {
    switch (value, type) {
    case (.timestamp(let moment), .date): .string(day(moment))
    case (.timestamp(let moment), .when) where moment.isDay: .string(day(moment))
    case (.list(let values), .list(let element)): .list(values.map { written($0, element) })
    case (.map(let map), .map(let element)):
      .map(MapValue(map.entries.map { ($0.key.text, written($0.value, element)) }))
    case (.object(let object), .entity):
      (object as? Item)?.reference.map { .string($0.description) } ?? .null
    default: value
    }
  }
}
