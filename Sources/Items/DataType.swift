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

  /// What is to be known of a type that is built from no other.
  package struct Facts {
    /// The name in definitions.
    package let name: String
    /// The form of its columns.
    package let storage: StorageClass
    /// The type as expressions know it.
    package let celType: CELType
    /// It in a sentence, such as `a whole number`.
    package let noun: String
    /// A way to write it; nil where the noun is enough.
    package let example: String?

    fileprivate init(
      _ name: String, _ storage: StorageClass, _ celType: CELType, _ noun: String,
      such example: String? = nil
    ) {
      self.name = name
      self.storage = storage
      self.celType = celType
      self.noun = noun
      self.example = example
    }
  }

  /// The table of types, a row each; nil for what is built from others.
  package var facts: Facts? {
    switch self {
    case .string: Facts("string", .text, .string, "text")
    case .int: Facts("int", .int, .int, "a whole number")
    case .double: Facts("double", .double, .double, "a number")
    case .bool: Facts("bool", .bool, .bool, "true or false")
    // URLs are strings in expressions, days are moments.
    case .url: Facts("url", .text, .string, "a URL")
    case .timestamp:
      Facts("timestamp", .timestamp, .timestamp, "a time", such: "2026-11-20T14:00:00Z")
    case .date: Facts("date", .date, .timestamp, "a day", such: "2026-11-20")
    case .duration: Facts("duration", .duration, .duration, "a duration", such: "1h30m")
    case .file: Facts("file", .text, .string, "a path")
    case .share: Facts("share", .json, .object(SharedValue.typeName), "a share")
    case .any: Facts("any", .json, .dyn, "a value")
    case .enumeration(let values): Facts("enum", .text, .enumeration(values), "text")
    case .record(let record): Facts("map<any>", .json, .record(record), "an object")
    case .refined(let type):
      type.base.facts.map {
        Facts(type.name, $0.storage, $0.celType, type.noun, such: type.examples)
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
    switch self {
    case .text: .string
    case .date: .date
    case .int: .int
    case .double: .double
    case .bool: .bool
    case .timestamp: .timestamp
    case .duration: .duration
    case .json: .any
    }
  }
}
