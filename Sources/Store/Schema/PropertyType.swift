/// The declared type of a property, without its `?`.
public indirect enum PropertyType: Hashable, Sendable {
  case string
  case int
  case double
  case bool
  case url
  case timestamp
  /// A day without a time; as a value it is the timestamp of its midnight in the user's zone.
  case date
  case duration
  /// A path.
  case file
  /// Anything that JSON can say.
  case any
  case enumeration([String])
  case list(PropertyType)
  case map(PropertyType)
  /// An item of the named entity.
  case entity(String)

  /// The type as the language writes it.
  public var description: String {
    switch self {
    case .string: "string"
    case .int: "int"
    case .double: "double"
    case .bool: "bool"
    case .url: "url"
    case .timestamp: "timestamp"
    case .date: "date"
    case .duration: "duration"
    case .file: "file"
    case .any: "any"
    case .enumeration: "enum"
    case .list(let element): "list<\(element.description)>"
    case .map(let element): "map<\(element.description)>"
    case .entity(let name): name
    }
  }

  /// Whether a column of this type holds JSON text.
  var isStoredAsJSON: Bool {
    switch self {
    case .list, .map, .any: true
    default: false
    }
  }

  /// Whether it is a URL, or its elements are.
  var holdsURLs: Bool {
    switch self {
    case .url: true
    case .list(let element), .map(let element): element.holdsURLs
    default: false
    }
  }

  /// The type with any text where it has URLs.
  var withTextsForURLs: PropertyType {
    switch self {
    case .url: .string
    case .list(let element): .list(element.withTextsForURLs)
    case .map(let element): .map(element.withTextsForURLs)
    default: self
    }
  }

  /// The entity that its values refer to, alone or in a list or a map; nil for other values.
  package var referredEntity: String? {
    switch self {
    case .entity(let name): name
    case .list(let element), .map(let element): element.referredEntity
    default: nil
    }
  }

  /// What kind of column holds it; a definition may change a type within one kind.
  var storage: Storage {
    switch self {
    case .string, .url, .file, .enumeration: .text
    case .date: .date
    case .int: .int
    case .double: .double
    case .bool: .bool
    case .timestamp: .timestamp
    case .duration: .duration
    case .any: .json
    case .list(let element): .list(element.storage)
    case .map(let element): .map(element.storage)
    case .entity(let name): .reference(name)
    }
  }

  /// How values stand in a column.
  indirect enum Storage: Hashable {
    case text, date, int, double, bool, timestamp, duration, json
    case list(Storage)
    case map(Storage)
    case reference(String)

    /// A stable name for the stored definition.
    var name: String {
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
    var columnType: String {
      switch self {
      case .text, .date, .json, .list, .map: "TEXT"
      case .int, .bool, .timestamp, .duration, .reference: "INTEGER"
      case .double: "REAL"
      }
    }
  }
}
