import CEL
import ForeignText
import JSON

/// Reads Safari's bookmarks in its own file, a property list of folders.
struct SafariRecords: RecordReader {
  /// A folder or a bookmark with its parent folders.
  private struct Node {
    let value: Value
    let folders: [String]
    var isToRead = false
  }

  /// A stack of unread nodes.
  private var waiting: [Node] = []
  private var number = 0
  private var damage: String?

  private let folderTags: FolderTags
  private(set) var leftovers = Leftovers()

  /// Safari's name for the folder of the Reading List.
  static let readingList = "com.apple.ReadingList"

  init(_ bytes: [UInt8], _ folderTags: FolderTags) {
    self.folderTags = folderTags
    guard let (value, isWhole) = try? PropertyList.value(of: bytes) else {
      damage = "invalid property list"
      return
    }
    if !isWhole { damage = "the file ends early" }
    waiting = [Node(value: value, folders: [])]
  }

  mutating func next() -> ImportRecord? {
    while let node = waiting.popLast() {
      guard case .map(let map) = node.value else { continue }
      if case .list(let children)? = map["Children"] {
        open(children, of: map, in: node)
      } else if let url = Self.text(map["URLString"]) {
        return bookmark(url, map, node).record(folderTags)
      } else {
        note(map, except: ["Title"])
      }
    }
    defer { damage = nil }
    return damage.map { ImportRecord(number: number, content: .damage($0)) }
  }

  /// Notes the members of a node that have a value, except those that were used.
  private mutating func note(_ map: MapValue, except used: Set<String>) {
    for entry in map.entries {
      guard case .string(let name) = entry.key, !used.contains(name),
        !PassedOver.safari.contains(name)
      else { continue }
      leftovers.note(.member(name), line: number)
    }
  }

  private mutating func open(_ children: [Value], of map: MapValue, in node: Node) {
    note(map, except: ["Title", "Children"])
    var folders = node.folders
    let title = Self.text(map["Title"]) ?? ""
    let isToRead = title == Self.readingList
    // Built-in folders are not imported as tags.
    if !isToRead, title != "BookmarksBar", title != "BookmarksMenu" { folders.append(title) }
    for child in children.reversed() {
      waiting.append(Node(value: child, folders: folders, isToRead: isToRead || node.isToRead))
    }
  }

  private mutating func bookmark(_ url: String, _ map: MapValue, _ node: Node) -> Bookmark {
    number += 1
    var bookmark = Bookmark(number: number)
    bookmark.url = url
    bookmark.folders = node.folders
    note(map, except: ["Title", "URLString", "URIDictionary", "ReadingList"])
    if case .map(let names)? = map["URIDictionary"] {
      bookmark.title = Self.text(names["title"]) ?? ""
      note(names, except: ["title", ""])
    }
    if bookmark.title.isEmpty { bookmark.title = Self.text(map["Title"]) ?? "" }
    if node.isToRead { bookmark.reading = .unread }
    if case .map(let list)? = map["ReadingList"] {
      bookmark.notes = [Self.text(list["PreviewText"]) ?? ""]
      note(list, except: ["PreviewText", "DateAdded"])
      if case .timestamp(let moment)? = list["DateAdded"] { bookmark.created = moment.jsonText }
    }
    return bookmark
  }

  private static func text(_ value: Value?) -> String? {
    if case .string(let text)? = value { text } else { nil }
  }
}
