import ErrandKit

/// A list of the sidebar: items of an entity, perhaps with a condition.
struct ItemList {
  /// The title.
  let title: String
  /// The icon's name.
  let icon: String
  /// The path of its page.
  let path: String
  let entity: String
  /// A condition over `self`; nil for all.
  let condition: String?
  /// The sentence shown if it is empty.
  let empty: String
  /// The properties to sort by.
  var order: [String] { entity == "Task" ? ["done", "due", "-createdAt"] : [ListView.newest] }

  init(
    _ title: String, _ icon: String, path: String, _ entity: String = "Link",
    where condition: String? = nil, empty: String
  ) {
    self.title = title
    self.icon = icon
    self.path = path
    self.entity = entity
    self.condition = condition
    self.empty = empty
  }

  static let toRead = ItemList(
    "To read", "read", path: "/", where: "self.reading == 'unread'",
    empty: "Nothing is left to read.")

  /// The lists of links.
  static let library = [
    toRead,
    ItemList(
      "Favourites", "star", path: "/list/favourites", where: "self.favourite",
      empty: "No link is a favourite."),
    ItemList("All links", "link", path: "/list/links", empty: "No link is saved yet."),
    ItemList(
      "Archive", "archive", path: "/list/archive", where: "self.reading == 'archived'",
      empty: "Nothing is archived."),
  ]

  /// The links that others shared.
  static let shared = ItemList(
    "Shared with you", "people", path: "/list/shared", "Shared", where: "self.state == 'new'",
    empty: "Nobody has shared anything yet.")

  /// The lists of links by the state of their page.
  static let pages = [
    ItemList(
      "In progress", "clock", path: "/list/processing",
      where: "self.status == 'queued' || self.status == 'processing'",
      empty: "No page is being fetched."),
    ItemList(
      "Ready", "task", path: "/list/ready", where: "self.status == 'ready'",
      empty: "No page is ready yet."),
    ItemList(
      "Failed", "alert", path: "/list/failed",
      where:
        "self.pageState == 'gone' || self.pageState == 'refused' || self.pageState == 'unreachable'",
      empty: "Every page was reached."),
  ]

  /// The lists of the other entities.
  static func entities(in errand: Errand) -> [ItemList] {
    errand.definitions.filter {
      $0.kind == "entity" && !["Link", "File", "Counter", "Shared"].contains($0.name)
    }
    .filter { ["built in", "your own"].contains($0.origin) }
    .map { entity in
      let icon = ["Task": "task", "Note": "note"][entity.name] ?? "table"
      return ItemList(
        plural(entity.name), icon, path: "/list/\(entity.name)", entity.name,
        empty: "There is no \(entity.name.lowercased()) yet.")
    }
  }

  private static func plural(_ name: String) -> String {
    name.hasSuffix("s") || name.hasSuffix("x") ? name + "es" : name + "s"
  }

  /// The links with a tag, or with one below it.
  static func tag(_ tag: String) -> ItemList {
    let text = tag.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
    return ItemList(
      "#" + tag, "number", path: "/tag/" + tag.pathEncoded,
      where: "'\(text)' in self.tags || self.tags.exists(t, t.startsWith('\(text)/'))",
      empty: "No link has this tag.")
  }

  /// The list with the last part of a path; nil if there is none.
  init?(path name: String, in errand: Errand) {
    let lists = [Self.shared] + Self.library + Self.pages + Self.entities(in: errand)
    guard let list = lists.first(where: { $0.path == "/list/" + name }) else { return nil }
    self = list
  }

}

extension String {
  /// The text as a segment of a path or a value of a query, percent-encoded.
  var pathEncoded: String {
    utf8.map { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"),
        UInt8(ascii: "."), UInt8(ascii: "~"):
        String(UnicodeScalar(byte))
      default:
        "%" + String(byte >> 4, radix: 16).uppercased() + String(byte & 15, radix: 16).uppercased()
      }
    }.joined()
  }

}

extension StringProtocol {
  /// The text with percent-encoded bytes and `+` decoded.
  var pathDecoded: String {
    var bytes: [UInt8] = []
    var rest = utf8[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"),
        let number = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      {
        bytes.append(number)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
