package import CEL

/// A type of the language, for parameters, properties and results.
package indirect enum DataType: Hashable, Sendable {
  case string, int, double, bool, url, timestamp, date, when, duration, file, share, any
  /// A type with a specific format, such as a period.
  case refined(RefinedType)
  case enumeration([String])
  case list(DataType)
  case map(DataType)
  /// A map with known keys; cannot be declared in a definition.
  case record(RecordType)
  case entity(String)
  case optional(DataType)

  /// The types that are neither entities nor composed, in the order of the help.
  package static let simple: [DataType] =
    [.string, .int, .double, .bool, .url, .timestamp, .date, .when, .duration]
    + RefinedType.all.map(DataType.refined) + [.file, .share, .any]

  /// Properties of a type that is not composed: name in definitions, column storage, type in
  /// expressions, noun for messages, and an example if the noun is not enough.
  package typealias Facts = (
    name: String, storage: StorageClass, celType: CELType, noun: String, example: String?
  )

  /// The table of types; nil for composed types.
  package var facts: Facts? {
    switch self {
    case .string: ("string", .text, .string, "text", nil)
    case .int: ("int", .int, .int, "a whole number", nil)
    case .double: ("double", .double, .double, "a number", nil)
    case .bool: ("bool", .bool, .bool, "true or false", nil)
    // In expressions, URLs are strings and dates are timestamps.
    case .url: ("url", .text, .string, "a URL", nil)
    case .timestamp:
      ("timestamp", .timestamp, .timestamp, "a time", "2026-11-20T14:00:00Z")
    case .date: ("date", .date, .timestamp, "a day", "2026-11-20")
    // Days are stored as those of `date`, so that a property may become one without a new column.
    case .when: ("when", .date, .timestamp, "a day or a time", "2026-11-20 or 2026-11-20 14:00")
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

  /// The type in expressions.
  package var celType: CELType {
    switch self {
    case .list(let element): .list(element.celType)
    case .map(let element): .map(.string, element.celType)
    case .entity(let name): .object(name)
    case .optional(let wrapped): .nullable(wrapped.celType)
    default: facts?.celType ?? .dyn
    }
  }

  /// The type that stores and compares the values; `self` unless refined.
  package var base: DataType {
    if case .refined(let type) = self { type.base } else { self }
  }

  /// Whether its values are days or moments.
  package var isTime: Bool { [.date, .when, .timestamp].contains(unwrapped) }

  /// Whether its values may stand for whole days.
  package var hasDays: Bool { [.date, .when].contains(unwrapped) }

  /// Whether its values are lists of reminders.
  package var isOfReminders: Bool {
    guard case .list(.refined(let element)) = unwrapped else { return false }
    return element.name == "reminder"
  }

  /// Whether its values are ordered.
  package var hasOrder: Bool {
    switch unwrapped {
    case .list, .map, .any, .entity: false
    default: true
    }
  }

  /// Whether null is allowed.
  package var isOptional: Bool {
    switch self {
    case .optional, .any: true
    default: false
    }
  }

  /// The type without `?`.
  package var unwrapped: DataType {
    if case .optional(let type) = self { type } else { self }
  }

  /// The entity, for an entity type or a list of one.
  package var entityName: String? {
    switch unwrapped {
    case .entity(let name): name
    case .list(let element): element.entityName
    default: nil
    }
  }

  /// The entity that its values refer to, directly or in a list or map; nil if there is none.
  package var referredEntity: String? {
    switch self {
    case .entity(let name): name
    case .list(let element), .map(let element), .optional(let element): element.referredEntity
    default: nil
    }
  }

  /// Whether its values are or contain shares.
  package var holdsShares: Bool {
    switch self {
    case .share: true
    case .list(let element), .map(let element), .optional(let element): element.holdsShares
    case .record(let record): record.objectNames.contains(SharedValue.typeName)
    default: false
    }
  }

  /// The type without any `?`, as stored in items.
  package var withoutOptionals: DataType {
    switch self {
    case .optional(let type): type.withoutOptionals
    case .list(let element): .list(element.withoutOptionals)
    case .map(let element): .map(element.withoutOptionals)
    default: self
    }
  }

  /// The type in the syntax of definitions.
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

/// The storage class of a column; the raw values are part of stored definitions.
package enum StorageClass: String, Sendable {
  case text, date, int, double, bool, timestamp, duration, json

  /// The SQL column type.
  package var columnType: String {
    switch self {
    case .text, .date, .json: "TEXT"
    case .int, .bool, .timestamp, .duration: "INTEGER"
    case .double: "REAL"
    }
  }

  /// The type that accepts any value of such a column.
  package var type: DataType {
    // A column of days may have moments, too.
    self == .json
      ? .any
      : self == .date ? .when : DataType.simple.first { $0.facts?.storage == self } ?? .string
  }
}
