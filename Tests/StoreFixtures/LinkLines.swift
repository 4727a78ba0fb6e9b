package import CEL
package import Items
import JSON
import Store

/// Links as JSON Lines.
package enum LinkLines {
  /// Reads a file of links, in any order, as drafts with their line numbers.
  package static func forEach(
    in bytes: [UInt8], _ body: (_ line: Int, _ draft: NewItem) throws -> Void
  ) throws {
    var rest = bytes[...]
    var reader = JSONLinesReader { buffer in
      let piece = rest.prefix(buffer.count)
      buffer.copyBytes(from: piece)
      rest = rest.dropFirst(piece.count)
      return piece.count
    }
    while let line = try reader.next() {
      guard case .map(let map) = try line.value.get() else { continue }
      try body(line.number, draft(map))
    }
  }

  /// The draft of one line.
  package static func draft(_ map: MapValue) -> NewItem {
    var draft = NewItem("Link", [])
    for (key, value) in map.entries {
      guard case .string(let name) = key else { continue }
      switch (name, value) {
      case ("createdAt", .string(let text)):
        draft.createdAt = CivilDay(text: String(text.prefix(10)))?.midnight
      case ("uid", .string(let text)): draft.uid = text
      default: draft.values.append((name, value))
      }
    }
    return draft
  }
}
