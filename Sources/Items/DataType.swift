package import CEL

/// A type of the language: what a parameter, a property or a result may hold.
package indirect enum DataType: Hashable, Sendable {
  case string, int, double, bool, url, timestamp, date, duration, file, share, any
  /// Another type in a form of its own.
  case refined(RefinedType)
  case enumeration([String])
  case list(DataType)
  case map(DataType)
  /// A map whose keys are known; no document declares one.
  case record(RecordType)
  case entity(String)
  case optional(DataType)

  /// The types that are neither entities nor built from others, in the order of help.
  package static let simple: [DataType] =
    [.string, .int, .double, .bool, .url, .timestamp, .date, .duration]
    + RefinedType.all.map(DataType.refined) + [.file, .share, .any]

  /// What is to be known of a type that is built from no other: its name in definitions, the form of
  /// its columns, its type in expressions, and in a sentence, with a way to write it where that is
  /// not enough.
  package typealias Facts = (
    name: String, storage: StorageClass, celType: CELType, noun: String, example: String?
  )

  /// The table of types, a row each; nil for what is built from others.
  package var facts: Facts? {
    switch self {
    case .string: ("string", .text, .string, "text", nil)
    case .int: ("int", .int, .int, "a whole number", nil)
    case .double: ("double", .double, .double, "a number", nil)
    case .bool: ("bool", .bool, .bool, "true or false", nil)
    // URLs are strings in expressions, days are moments.
    case .url: ("url", .text, .string, "a URL", nil)
    case .timestamp:
      ("timestamp", .timestamp, .timestamp, "a time", "2026-11-20T14:00:00Z")
    case .date: ("date", .date, .timestamp, "a day", "2026-11-20")
    case .duration: ("duration", .duration, .duration, "a duration", "1h30m")
    case .file: ("file", .text, .string, "a path", nil)
    case .share: ("share", .json, .object(SharedValue.typeName), "a share", nil)
    case .any: ("any", .json, .dyn, "a value", nil)
    case .enumeration(let values): ("enum", .text, .enumeration(values), "text", nil)
    case .record(let record): ("map<any>", .json, .record(record), "an object", nil)
    case .refined(let type):
      type.base.facts.map {
        (type.name, $0.storage, $0.celType, type.noun, type.examples)
      }
    case .list, .map, .entity, .optional: nil
    }
  }

  /// The type as expressions know it.
  package var celType: CELType {
    switch self {
    case .list(let element): .list(element.celType)
    case .map(let element): .map(.string, element.celType)
    case .entity(let name): .object(name)
    case .optional(let wrapped): .nullable(wrapped.celType)
    default: facts?.celType ?? .dyn
    }
  }

  /// The type by which its values are stored and compared; itself where it is not refined.
  package var base: DataType {
    if case .refined(let type) = self { type.base } else { self }
  }

  /// Whether its values come one after the other.
  package var hasOrder: Bool {
    switch unwrapped {
    case .list, .map, .any, .entity: false
    default: true
    }
  }

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
    case .list(let element): "list<\(element.description)>"
    case .map(let element): "map<\(element.description)>"
    case .entity(let name): name
    case .optional(let type): type.description + "?"
    default: facts?.name ?? ""
    }
  }
}

/// The form of a column that holds a value of a simple type; its name stands in stored definitions.
package enum StorageClass: String, Sendable {
  case text, date, int, double, bool, timestamp, duration, json

  /// The column type in SQL.
  package var columnType: String {
    switch self {
    case .text, .date, .json: "TEXT"
    case .int, .bool, .timestamp, .duration: "INTEGER"
    case .double: "REAL"
    }
  }

  /// The type that takes whatever such a column holds.
  package var type: DataType {
    self == .json ? .any : DataType.simple.first { $0.facts?.storage == self } ?? .string
  }
}
