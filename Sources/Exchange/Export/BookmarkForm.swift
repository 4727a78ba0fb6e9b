import CEL
import Items
import JSON

/// An item as a bookmark that other programs know, and what such a bookmark has no place for.
struct BookmarkForm {
  var url = ""
  var title = ""
  var summary = ""
  var tags: [String] = []
  var createdAt: Timestamp?
  var updatedAt: Timestamp?
  private let members: [(String, Value)]

  /// The property that holds the address: the identity, or else the first URL.
  static func address(in schema: EntitySchema) -> String? {
    let urls = schema.properties.filter { if case .url = $0.type { true } else { false } }
    return (urls.first { $0.name == schema.identity } ?? urls.first)?.name
  }

  init(_ item: Item, _ writer: ExportWriter) {
    let address = Self.address(in: item.schema)
    var members: [(String, Value)] = []
    for (name, value) in writer.members(of: item) {
      switch (name, value) {
      case ("id", _), ("ref", _), ("isNew", _): continue
      // What is taken in without an entity is a link.
      case ("entity", "Link"): continue
      case ("title", .string(let text)): title = text
      case ("summary", .string(let text)): summary = text
      case ("tags", .list(let values)):
        tags = values.compactMap { if case .string(let tag) = $0 { tag } else { nil } }
      case ("createdAt", .timestamp(let moment)): createdAt = moment
      case ("updatedAt", .timestamp(let moment)): updatedAt = moment
      default: break
      }
      if name == address, case .string(let text) = value { url = text }
      if let property = item.schema.properties.first(where: { $0.name == name }) {
        let usual = property.defaultValue ?? .null
        if value == usual || value.isNull && property.defaultValue == nil { continue }
      }
      members.append((name, value))
    }
    self.members = members
  }

  /// What would be lost if `bookmark` were all that is written: the members that reading it does
  /// not give, as JSON; empty when there are none.
  func rest(beyond bookmark: Bookmark) throws -> String {
    var known = MapValue()
    if case .item(.map(let map)) = bookmark.record(.none).content { known = map }
    var missing = MapValue()
    for (name, value) in members {
      let written: Value =
        if case .timestamp(let moment) = value { .string(moment.jsonText) } else { value }
      if known[name] != written { missing[name] = written }
    }
    for entry in known.entries {
      guard case .string(let name) = entry.key else { continue }
      // A title that only its address gave, and the like.
      if !members.contains(where: { $0.0 == name }) { missing[name] = .null }
    }
    return missing.entries.isEmpty ? "" : try JSONWriter().text(of: .map(missing))
  }

  /// A moment as seconds since 1970; empty for one before.
  static func seconds(_ moment: Timestamp?) -> String {
    guard let moment, moment.seconds > 0 else { return "" }
    return String(moment.seconds)
  }
}

extension String {
  /// The text for HTML and XML, without control characters, which neither can hold.
  ///
  /// - Parameter isAttribute: Whether line breaks are kept as references.
  func escapedMarkup(isAttribute: Bool = true) -> String {
    var result = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\n": result += isAttribute ? "&#10;" : "\n"
      case "\t": result += isAttribute ? "&#9;" : "\t"
      default:
        if scalar.value >= 0x20, !(0x7F..<0xA0).contains(scalar.value) {
          result.unicodeScalars.append(scalar)
        }
      }
    }
    return result
  }
}
