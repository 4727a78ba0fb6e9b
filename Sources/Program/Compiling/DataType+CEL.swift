import CEL
import Catalog
import Items
import YAML

extension DataType {
  /// The type as expressions know it: enums and URLs are strings, days are moments.
  var celType: CELType {
    switch self {
    case .string, .url, .file, .period, .enumeration: .string
    case .int: .int
    case .double: .double
    case .bool: .bool
    case .timestamp, .date: .timestamp
    case .duration: .duration
    case .any: .dyn
    case .list(let element): .list(element.celType)
    case .map(let element): .map(.string, element.celType)
    case .entity(let name): .object(name)
    case .optional(let wrapped): .nullable(wrapped.celType)
    }
  }

  /// The entities that it speaks of.
  var entityNames: [String] {
    switch self {
    case .entity(let name): [name]
    case .list(let type), .map(let type), .optional(let type): type.entityNames
    default: []
    }
  }
}

extension EntityDefinition {
  /// The entity as a type of objects; properties that may be unset are nullable.
  var objectType: ObjectType {
    let given = SystemField.allCases.map { (name: $0.rawValue, type: $0.type) }
    return ObjectType(
      name.text, fields: properties.map { ($0.name.text, $0.type.celType) } + given)
  }
}
