package import CEL

/// What was shared, as a value: a map that always has the same fields, null where there is nothing.
package enum SharedValue {
  /// The fields, in their order.
  package static let fields = [
    "kind", "url", "text", "title", "path", "name", "mediaType", "from",
  ]
  /// What it may be.
  package static let kinds = ["url", "text", "image", "file"]
  /// The name of its type in expressions.
  package static let typeName = "share"

  /// Its type, for the checker.
  package static let type = ObjectType(
    typeName,
    fields: fields.map { field in
      switch field {
      case "kind": (field, .enumeration(kinds))
      case "mediaType": (field, .string)
      default: (field, .nullable(.string))
      }
    })

  /// The value with these fields; nil where a field is none of its own, or no text.
  ///
  /// Where the kind or the media type is left out, the other fields tell it.
  package static func make(_ given: MapValue) -> Value? {
    for (key, value) in given.entries {
      guard case .string(let name) = key, fields.contains(name) else { return nil }
      switch value {
      case .string, .null: break
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
          default: (name, text(name).map(Value.string) ?? .null)
          }
        }))
  }
}
