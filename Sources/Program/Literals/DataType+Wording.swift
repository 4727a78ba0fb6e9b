package import Items

extension DataType {
  /// Whether a list may be a value of the type.
  var takesList: Bool {
    switch unwrapped {
    case .list, .any: true
    default: false
    }
  }

  /// The type in a sentence: `a whole number`, `text or nothing`.
  package var wording: String {
    switch self {
    case .int: "a whole number"
    case .double: "a number"
    case .bool: "true or false"
    case .string: "text"
    case .url: "a URL"
    case .any: "a value"
    case .enumeration(let values): "one of \(values.joined(separator: ", "))"
    case .optional(let wrapped): "\(wrapped.wording) or nothing"
    case .list, .map, .record: description
    default: "a \(description)"
    }
  }
}
