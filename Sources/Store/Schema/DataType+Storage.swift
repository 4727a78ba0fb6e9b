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
    case .list(let element): .list(element.storage)
    case .map(let element): .map(element.storage)
    case .entity(let name): .reference(name)
    // A column allows null whether or not the property does.
    case .optional(let type): type.storage
    default: .plain(facts?.storage ?? .json)
    }
  }

  /// How values stand in a column.
  package indirect enum Storage: Hashable {
    case plain(StorageClass)
    case list(Storage)
    case map(Storage)
    case reference(String)

    /// A stable name for the stored definition.
    package var name: String {
      switch self {
      case .plain(let form): form.rawValue
      case .list(let element): "list<\(element.name)>"
      case .map(let element): "map<\(element.name)>"
      case .reference(let entity): "ref<\(entity)>"
      }
    }

    /// The column type in SQL.
    package var columnType: String {
      switch self {
      case .plain(let form): form.columnType
      case .list, .map: "TEXT"
      case .reference: "INTEGER"
      }
    }
  }
}
