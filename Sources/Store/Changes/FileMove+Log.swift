import CEL
import Items
import JSON

/// What the log keeps of a move of a file.
extension FileMove {
  /// The entity of such an entry; no entity is called so.
  static let entity = ""

  /// The move as the log keeps it.
  ///
  /// - Throws: `bug`.
  var logged: String {
    get throws {
      try EntityStore.text(
        of: .map(
          MapValue([
            ("kind", .string(kind.rawValue)), ("from", .string(from)), ("to", .string(to)),
            ("inode", .int(state.inode)), ("size", .int(state.size)),
            ("modified", .int(state.modified)),
          ])))
    }
  }

  /// The move of an entry; nil when it is damaged.
  init?(logged text: String) {
    // That it is no JSON is the answer.
    guard case .map(let map)? = try? JSONParser().parse(text),
      case .string(let word)? = map["kind"], let kind = Kind(rawValue: word),
      case .string(let from)? = map["from"], case .string(let to)? = map["to"],
      case .int(let inode)? = map["inode"], case .int(let size)? = map["size"],
      case .int(let modified)? = map["modified"]
    else { return nil }
    self.init(
      kind: kind, from: from, to: to,
      state: State(inode: inode, size: size, modified: modified))
  }
}
