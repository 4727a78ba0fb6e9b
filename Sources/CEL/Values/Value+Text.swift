extension Value: CustomStringConvertible {
  /// The value as plain text: strings unquoted, numbers in their shortest form, timestamps in RFC 3339, lists and maps
  /// in brackets.
  package var text: String {
    switch self {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .int(let value): String(value)
    case .uint(let value): String(value)
    case .double(let value): value.shortestText
    case .string(let value): value
    case .bytes(let value): String(decoding: value, as: UTF8.self)
    case .timestamp(let value): value.text
    case .duration(let value): value.text
    case .list(let value): "[" + value.map(\.text).joined(separator: ", ") + "]"
    case .map(let value):
      "{" + value.entries.map { "\($0.key.text): \($0.value.text)" }.joined(separator: ", ") + "}"
    case .type(let value): value.displayName
    case .optional(let value): value.wrapped?.text ?? "none"
    case .object(let value): (value as? any CustomStringConvertible)?.description ?? value.typeName
    }
  }

  /// The value as a literal, such as `"text"`, `3u` or `[1, 2]`.
  package var description: String {
    switch self {
    case .uint(let value): "\(value)u"
    case .double(let value): LiteralText.number(value)
    case .string(let value): LiteralText.quoted(value)
    case .bytes(let value): LiteralText.quoted(value)
    case .timestamp(let value): "timestamp(\"\(value.text)\")"
    case .duration(let value): "duration(\"\(value.text)\")"
    case .list(let value): "[" + value.map(\.description).joined(separator: ", ") + "]"
    case .map(let value):
      "{" + value.entries.map { "\($0.key): \($0.value)" }.joined(separator: ", ") + "}"
    case .optional(let value):
      value.wrapped.map { "optional.of(\($0))" } ?? "optional.none()"
    case .null, .bool, .int, .type, .object: text
    }
  }
}
