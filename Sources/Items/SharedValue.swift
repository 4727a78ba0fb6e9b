package import CEL

/// The value of a shared item: a map that always has the same fields, null if missing.
package enum SharedValue {
  /// The names of the fields, in order.
  package static let fields = [
    "kind", "url", "text", "title", "path", "name", "mediaType", "from", "tags", "note", "reading",
    "sender", "conversation",
  ]
  /// The values of `kind`.
  package static let kinds = ["url", "text", "image", "file"]
  /// The name of the type in expressions.
  package static let typeName = "share"

  /// The type for the checker.
  package static let type = ObjectType(
    typeName,
    fields: fields.map { field in
      switch field {
      case "kind": (field, .enumeration(kinds))
      case "mediaType": (field, .string)
      case "tags": (field, .list(.string))
      default: (field, .nullable(.string))
      }
    })

  /// Creates a value from fields; nil if a field is unknown or has the wrong type.
  ///
  /// A missing kind or media type is derived from the given fields.
  package static func make(_ given: MapValue) -> Value? {
    for (key, value) in given.entries {
      guard case .string(let name) = key, fields.contains(name) else { return nil }
      switch (name, value) {
      case (_, .string), (_, .null): break
      case ("tags", .list(let tags))
      where tags.allSatisfy({ if case .string = $0 { true } else { false } }):
        break
      default: return nil
      }
    }
    func text(_ name: String) -> String? {
      if case .string(let text)? = given[name] { text } else { nil }
    }
    let guessed = text("url") != nil ? "url" : text("text") != nil ? "text" : "file"
    let kind = text("kind") ?? guessed
    guard kinds.contains(kind) else { return nil }
    let mediaType =
      text("mediaType")
      ?? (kind == "url"
        ? "text/uri-list" : kind == "text" ? "text/plain" : "application/octet-stream")
    return .map(
      MapValue(
        fields.map { name in
          switch name {
          case "kind": (name, .string(kind))
          case "mediaType": (name, .string(mediaType))
          case "tags": (name, given[name].flatMap { $0 == .null ? nil : $0 } ?? .list([]))
          default: (name, text(name).map(Value.string) ?? .null)
          }
        }))
  }
}
