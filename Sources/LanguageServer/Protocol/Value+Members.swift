import CEL

/// Members of JSON values by name and kind.
extension Value {
  /// The member of an object; nil if it is missing or this is not an object.
  subscript(name: String) -> Value? {
    if case .map(let map) = self { map[name] } else { nil }
  }

  /// The text, if this is one.
  var string: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// The whole number, if this is one.
  var int: Int? {
    if case .int(let number) = self { Int(exactly: number) } else { nil }
  }

  /// The truth value, if this is one.
  var bool: Bool? {
    if case .bool(let bool) = self { bool } else { nil }
  }

  /// The elements, if this is a list.
  var list: [Value]? {
    if case .list(let elements) = self { elements } else { nil }
  }

  /// An object of members, those without a value left out.
  static func object(_ members: KeyValuePairs<String, Value?>) -> Value {
    .map(MapValue(members.compactMap { name, value in value.map { (name, $0) } }))
  }

  /// A position, or nil where this has not the form of one.
  var position: TextPosition? {
    guard let line = self["line"]?.int, let character = self["character"]?.int, line >= 0,
      character >= 0
    else { return nil }
    return TextPosition(line: line, character: character)
  }
}

extension TextPosition {
  /// The position as clients read it.
  var value: Value {
    .object(["line": .int(Int64(line)), "character": .int(Int64(character))])
  }
}
