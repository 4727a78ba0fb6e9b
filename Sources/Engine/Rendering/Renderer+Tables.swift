package import CEL
import Items
import Source

/// Values as tables.
extension Renderer {
  /// The same renderer with lengths of time in words, as cells have them.
  private var spelling: Renderer {
    var renderer = self
    renderer.spellsLengths = true
    return renderer
  }

  /// A table: of items a column for each property that one of them has, of maps one for each key,
  /// else of one column.
  package func table(of value: Value) -> Presentation {
    if !spellsLengths { return spelling.table(of: value) }
    let values = if case .list(let values) = value { values } else { [value] }
    let items = values.compactMap { value -> Item? in
      if case .object(let object) = value { object as? Item } else { nil }
    }
    guard let first = items.first, items.count == values.count else {
      if let table = table(ofMaps: values) {
        return Presentation(.table(columns: table.columns, rows: table.rows), value: value)
      }
      let rows = values.map { [text(of: $0)] }
      return Presentation(.table(columns: ["value"], rows: rows), value: value)
    }
    let names =
      ["ref"]
      + first.schema.properties.map(\.name).filter { name in
        items.contains { !text(of: $0.field(name) ?? .null).isEmpty }
      }
    let rows = items.map { item in names.map { text(of: item.field($0) ?? .null) } }
    return Presentation(.table(columns: names, rows: rows), value: value)
  }

  /// A table of chosen columns: properties of items, or keys of maps.
  ///
  /// - Throws: `invalid-value` for a name that an item does not have, and for other values.
  func table(of value: Value, columns: [String]) throws -> Presentation {
    if !spellsLengths { return try spelling.table(of: value, columns: columns) }
    let values = if case .list(let values) = value { values } else { [value] }
    let rows = try values.map { value in
      switch value {
      case .map(let map): return columns.map { map[$0].map(text) ?? "" }
      case .object(let object):
        return try columns.map { name in
          if let value = object.field(name) { return text(of: value) }
          throw RunError(
            .invalidValue, "`columns`: a \(object.typeName) has no `\(name)`",
            help: (object as? Item).flatMap {
              Suggestion.help(for: name, in: $0.schema.properties.map(\.name))
            })
        }
      default:
        throw RunError(
          .invalidValue, "`columns` are those of items and maps, and this is \(value.typeName)")
      }
    }
    return Presentation(.table(columns: columns, rows: rows), value: value)
  }

  /// The keys and the rows of maps, in the order in which they first come; nil for other values.
  private func table(ofMaps values: [Value]) -> (columns: [String], rows: [[String]])? {
    var keys: [Value] = []
    for value in values {
      guard case .map(let map) = value else { return nil }
      for (key, _) in map.entries where !keys.contains(key) { keys.append(key) }
    }
    guard !keys.isEmpty else { return nil }
    let rows = values.map { value in
      guard case .map(let map) = value else { return keys.map { _ in "" } }
      return keys.map { map[$0].map(text) ?? "" }
    }
    return (keys.map(text), rows)
  }
}
