package import Items

extension DataType {
  /// Whether a column of this type holds JSON text.
  var isStoredAsJSON: Bool {
    switch unwrapped {
    case .list, .map, .any: true
    default: false
    }
  }

  /// Whether the type or its elements are URLs.
  var holdsURLs: Bool {
    switch self {
    case .url: true
    case .list(let element), .map(let element), .optional(let element): element.holdsURLs
    default: false
    }
  }

  /// The type with one type replaced by another, also in lists and maps.
  func replacing(_ old: DataType, with new: DataType) -> DataType {
    switch self {
    case .list(let element): .list(element.replacing(old, with: new))
    case .map(let element): .map(element.replacing(old, with: new))
    default: self == old ? new : self
    }
  }

  /// The storage kind of a column; a schema may change a type within one kind.
  package var storageName: String {
    switch self {
    case .list(let element): "list<\(element.storageName)>"
    case .map(let element): "map<\(element.storageName)>"
    case .entity(let name): "ref<\(name)>"
    // Columns are nullable whether or not the property is optional.
    case .optional(let type): type.storageName
    default: (facts?.storage ?? .json).rawValue
    }
  }

  /// The SQL type of its column.
  package var columnType: String {
    switch self {
    case .list, .map: "TEXT"
    case .entity: "INTEGER"
    case .optional(let type): type.columnType
    default: (facts?.storage ?? .json).columnType
    }
  }
}
