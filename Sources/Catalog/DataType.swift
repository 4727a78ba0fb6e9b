/// A type of the language: what a parameter, a property or a result may hold.
package indirect enum DataType: Hashable, Sendable {
  case string, int, double, bool, url, timestamp, date, duration, file, any
  case enumeration([String])
  case list(DataType)
  case map(DataType)
  case entity(String)
  case optional(DataType)

  /// The names of the types that are neither entities nor built from others.
  package static let simple: [(name: String, type: DataType)] = [
    ("string", .string), ("int", .int), ("double", .double), ("bool", .bool), ("url", .url),
    ("timestamp", .timestamp), ("date", .date), ("duration", .duration), ("file", .file),
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

  /// The type as it is written in YAML.
  package var description: String {
    switch self {
    case .enumeration: "enum"
    case .list(let element): "list<\(element.description)>"
    case .map(let element): "map<\(element.description)>"
    case .entity(let name): name
    case .optional(let type): type.description + "?"
    default: Self.simple.first { $0.type == self }?.name ?? "any"
    }
  }

  /// Parses a type as it is written in YAML, such as `list<string>?`.
  ///
  /// `values` are those of an `enum`. Gives nil when the text is no type.
  package static func parse(_ text: String, values: [String]? = nil) -> DataType? {
    parse(text[...], values: values, depth: 0)
  }

  private static func parse(
    _ text: Substring, values: [String]?, depth: Int
  ) -> DataType? {
    guard depth < 8 else { return nil }
    var text = text
    while text.utf8.first == UInt8(ascii: " ") { text.removeFirst() }
    while text.utf8.last == UInt8(ascii: " ") { text.removeLast() }
    if text.utf8.last == UInt8(ascii: "?") {
      guard let type = parse(text.dropLast(), values: values, depth: depth + 1),
        !type.isOptional
      else { return nil }
      return .optional(type)
    }
    if text.utf8.last == UInt8(ascii: ">"), text.hasPrefix("list<") {
      return parse(text.dropFirst(5).dropLast(), values: values, depth: depth + 1)
        .map(DataType.list)
    }
    if text.utf8.last == UInt8(ascii: ">"), text.hasPrefix("map<") {
      return parse(text.dropFirst(4).dropLast(), values: values, depth: depth + 1)
        .map(DataType.map)
    }
    if text == "enum" { return .enumeration(values ?? []) }
    for simple in simple where simple.name == text { return simple.type }
    return NameForm.upperCamel.accepts(String(text)) ? .entity(String(text)) : nil
  }
}
