package import Items

extension DataType {
  /// Parses a type as written in YAML, such as `list<string>?`; nil if it is not a type.
  ///
  /// `values` are those of an `enum`.
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
    for (prefix, wrap) in [("list<", DataType.list), ("map<", DataType.map)]
    where text.utf8.last == UInt8(ascii: ">") && text.hasPrefix(prefix) {
      let element = text.dropFirst(prefix.count).dropLast()
      return parse(element, values: values, depth: depth + 1).map(wrap)
    }
    if text == "enum" { return .enumeration(values ?? []) }
    if let type = simple.first(where: { $0.description == text }) { return type }
    return NameForm.upperCamel.accepts(String(text)) ? .entity(String(text)) : nil
  }
}
