import CEL
import Catalog
import Items
import YAML

extension DataType {
  /// Creates the type for a CEL type; nil if it may be any value.
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

  /// Entities named in the type.
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
  /// The entity as a CEL object type; optional properties are nullable.
  var objectType: ObjectType {
    let given = SystemField.allCases.map { (name: $0.rawValue, type: $0.type) }
    return ObjectType(
      name.text, fields: properties.map { ($0.name.text, $0.type.celType) } + given,
      // Using `createdAt` and the like implies a stored item.
      presumed: ["id", "ref", "uid", "createdAt", "updatedAt", "isNew"])
  }
}

extension DataType {
  /// The common type of two types; nil if any.
  func joined(_ other: DataType) -> DataType? {
    if self == other { return self }
    if unwrapped == other.unwrapped { return .optional(unwrapped) }
    switch (unwrapped, other.unwrapped) {
    case (.list, .list):
      return isOptional || other.isOptional ? .optional(.list(.any)) : .list(.any)
    case (.map, .map), (.record, .map), (.map, .record), (.record, .record):
      return isOptional || other.isOptional ? .optional(.map(.any)) : .map(.any)
    default: return nil
    }
  }

  /// Whether a CEL value may be converted to this type: text is parsed when the step runs, and null
  /// counts as absent.
  func mayTake(_ type: CELType) -> Bool {
    switch (self, type) {
    case (.any, _), (_, .dyn), (_, .parameter), (_, .null): true
    case (.optional(let wrapped), _): wrapped.mayTake(type)
    case (_, .nullable(let present)): mayTake(present)
    case (.enumeration(let values), .enumeration(let given)):
      values.isEmpty || given.isEmpty || !Set(values).isDisjoint(with: given)
    case (.refined(.range), .record(let record)): record["start"] != nil && record["end"] != nil
    case (.refined(.range), .map): true
    case (_, .record): mayTake(type.withoutRecord)
    case (.list, .string), (.map, .string), (.list, .enumeration), (.map, .enumeration): false
    case (.share, .map), (.share, .object(SharedValue.typeName)): true
    case (_, .string), (_, .enumeration): true
    case (.refined(let refined), _): refined.base.mayTake(type)
    case (.int, .int), (.double, .double), (.double, .int), (.bool, .bool),
      (.timestamp, .timestamp), (.date, .timestamp), (.when, .timestamp), (.duration, .duration):
      true
    case (.list(let element), .list(let given)): element.mayTake(given)
    case (.map(let element), .map(_, let given)): element.mayTake(given)
    case (.entity(let name), .object(let other)): name == other
    default: false
    }
  }

  /// The expression to write when a CEL value does not fit; nil if there is no conversion.
  func remedy(for type: CELType, _ text: String) -> String? {
    switch (unwrapped, type.withoutNull) {
    case (_, .optional): "unwrap it: `\(text).orValue(…)`"
    case (.string, .int), (.string, .double), (.string, .uint), (.string, .bool):
      "convert it to text: `string(\(text))`"
    case (.string, .timestamp): "convert it to text, as with `(\(text)).format(\"d MMM yyyy\")`"
    case (.string, .duration): "convert it to text: `(\(text)).format()`"
    case (.string, .list): "join it into one text: `(\(text)).join(\", \")`"
    case (.string, .object), (.file, .object):
      "name one of its properties, such as `(\(text)).title`"
    case (.file, .record(let record)) where record["path"] != nil: "write `\(text).path`"
    case (.file, .list), (.entity, .list):
      "for each of them write `- for: item`, with `in: '{{ \(text) }}'` and `do:` below it"
    case (.int, .double), (.int, .uint): "convert it to a whole number: `int(\(text))`"
    case (.duration, .int):
      "give its unit: `seconds(\(text))`, `minutes(\(text))`, `hours(\(text))`"
    case (.list, _): "put it in a list: `[\(text)]`"
    default: nil
    }
  }
}
