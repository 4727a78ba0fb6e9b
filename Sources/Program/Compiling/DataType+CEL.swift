import CEL
import Catalog
import Items
import YAML

extension DataType {
  /// The type as expressions know it: URLs are strings, days are moments.
  var celType: CELType {
    switch self {
    case .string, .url, .file, .period, .recurrence: .string
    case .enumeration(let values): .enumeration(values)
    case .int: .int
    case .double: .double
    case .bool: .bool
    case .timestamp, .date: .timestamp
    case .duration: .duration
    case .share: .object(SharedValue.typeName)
    case .any: .dyn
    case .list(let element): .list(element.celType)
    case .map(let element): .map(.string, element.celType)
    case .record(let record): .record(record)
    case .entity(let name): .object(name)
    case .optional(let wrapped): .nullable(wrapped.celType)
    }
  }

  /// The type of what an expression gives; nil when it may be any value.
  init?(_ type: CELType) {
    switch type {
    case .string: self = .string
    case .enumeration(let values): self = .enumeration(values)
    case .int: self = .int
    case .double: self = .double
    case .bool: self = .bool
    case .timestamp: self = .timestamp
    case .duration: self = .duration
    case .object(SharedValue.typeName): self = .share
    case .object(let name): self = .entity(name)
    case .list(let element): self = .list(DataType(element) ?? .any)
    case .map(.string, let value): self = .map(DataType(value) ?? .any)
    case .record(let record): self = .record(record)
    case .nullable(let wrapped):
      guard let wrapped = DataType(wrapped) else { return nil }
      self = .optional(wrapped)
    default: return nil
    }
  }

  /// The entities that it speaks of.
  var entityNames: [String] {
    switch self {
    case .entity(let name): [name]
    case .list(let type), .map(let type), .optional(let type): type.entityNames
    case .record(let record): record.objectNames.filter { $0 != SharedValue.typeName }
    default: []
    }
  }
}

extension EntityDefinition {
  /// The entity as a type of objects; properties that may be unset are nullable.
  var objectType: ObjectType {
    let given = SystemField.allCases.map { (name: $0.rawValue, type: $0.type) }
    return ObjectType(
      name.text, fields: properties.map { ($0.name.text, $0.type.celType) } + given,
      // Whoever writes `createdAt` means an item of the store.
      presumed: ["id", "ref", "uid", "createdAt", "updatedAt", "isNew"])
  }
}
