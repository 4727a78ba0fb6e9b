package import Items

extension DataType {
  /// Whether a column of this type holds JSON text.
  var isStoredAsJSON: Bool {
    switch unwrapped {
    case .list, .map, .any: true
    default: false
    }
  }

  /// Whether it is a URL, or its elements are.
  var holdsURLs: Bool {
    switch self {
    case .url: true
    case .list(let element), .map(let element), .optional(let element): element.holdsURLs
    default: false
    }
  }

  /// The type with any text where it has URLs.
  var withTextsForURLs: DataType {
    switch self {
    case .url: .string
    case .list(let element): .list(element.withTextsForURLs)
    case .map(let element): .map(element.withTextsForURLs)
    default: self
    }
  }

  /// What kind of column holds it; a definition may change a type within one kind.
  package var storage: Storage {
    switch self {
    case .string, .url, .file, .period, .recurrence, .enumeration: .text
    case .date: .date
    case .int: .int
    case .double: .double
    case .bool: .bool
    case .timestamp: .timestamp
    case .duration: .duration
    case .any, .share, .record: .json
    case .list(let element): .list(element.storage)
    case .map(let element): .map(element.storage)
    case .entity(let name): .reference(name)
    // A column allows null whether or not the property does.
    case .optional(let type): type.storage
    }
  }

  /// How values stand in a column.
  package indirect enum Storage: Hashable {
    case text, date, int, double, bool, timestamp, duration, json
    case list(Storage)
    case map(Storage)
    case reference(String)

    /// A stable name for the stored definition.
    package var name: String {
      switch self {
      case .text: "text"
      case .date: "date"
      case .int: "int"
      case .double: "double"
      case .bool: "bool"
      case .timestamp: "timestamp"
      case .duration: "duration"
      case .json: "json"
      case .list(let element): "list<\(element.name)>"
      case .map(let element): "map<\(element.name)>"
      case .reference(let entity): "ref<\(entity)>"
      }
    }

    /// The column type in SQL.
    package var columnType: String {
      switch self {
      case .text, .date, .json, .list, .map: "TEXT"
      case .int, .bool, .timestamp, .duration, .reference: "INTEGER"
      case .double: "REAL"
      }
    }
  }
}
