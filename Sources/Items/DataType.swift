package import CEL

/// A type of the language: what a parameter, a property or a result may hold.
package indirect enum DataType: Hashable, Sendable {
  case string, int, double, bool, url, timestamp, date, duration, period, recurrence, file, share,
    any
  case enumeration([String])
  case list(DataType)
  case map(DataType)
  /// A map whose keys are known; no document declares one.
  case record(RecordType)
  case entity(String)
  case optional(DataType)

  /// The names of the types that are neither entities nor built from others.
  package static let simple: [(name: String, type: DataType)] = [
    ("string", .string), ("int", .int), ("double", .double), ("bool", .bool), ("url", .url),
    ("timestamp", .timestamp), ("date", .date), ("duration", .duration),
    ("period", .period), ("recurrence", .recurrence), ("file", .file), ("share", .share),
    ("any", .any),
  ]

  /// Whether null fits.
  package var isOptional: Bool {
    switch self {
    case .optional, .any: true
    default: false
    }
  }

  /// The type without its `?`.
  package var unwrapped: DataType {
    if case .optional(let type) = self { type } else { self }
  }

  /// The entity it names, itself or as the elements of a list.
  package var entityName: String? {
    switch unwrapped {
    case .entity(let name): name
    case .list(let element): element.entityName
    default: nil
    }
  }

  /// The entity that its values refer to, alone or in a list or a map; nil for other values.
  package var referredEntity: String? {
    switch self {
    case .entity(let name): name
    case .list(let element), .map(let element), .optional(let element): element.referredEntity
    default: nil
    }
  }

  /// Whether its values are, or hold, what was shared.
  package var holdsShares: Bool {
    switch self {
    case .share: true
    case .list(let element), .map(let element), .optional(let element): element.holdsShares
    case .record(let record): record.objectNames.contains(SharedValue.typeName)
    default: false
    }
  }

  /// The type without any `?`, as an item keeps its values.
  package var withoutOptionals: DataType {
    switch self {
    case .optional(let type): type.withoutOptionals
    case .list(let element): .list(element.withoutOptionals)
    case .map(let element): .map(element.withoutOptionals)
    default: self
    }
  }

  /// The type as it is written in YAML.
  package var description: String {
    switch self {
    case .string: "string"
    case .int: "int"
    case .double: "double"
    case .bool: "bool"
    case .url: "url"
    case .timestamp: "timestamp"
    case .date: "date"
    case .duration: "duration"
    case .period: "period"
    case .recurrence: "recurrence"
    case .file: "file"
    case .share: "share"
    case .any: "any"
    case .enumeration: "enum"
    case .list(let element): "list<\(element.description)>"
    case .map(let element): "map<\(element.description)>"
    case .record: "map<any>"
    case .entity(let name): name
    case .optional(let type): type.description + "?"
    }
  }
}
