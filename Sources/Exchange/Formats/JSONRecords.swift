import CEL
import ForeignText

/// Reads bookmarks in JSON: lists of objects, as written by Pinboard, Wallabag and Omnivore, and trees of folders, as
/// written by Firefox and Chrome.
struct JSONRecords: RecordReader {
  private var pieces: JSONPieces
  private let folderTags: FolderTags
  private let isPinboard: Bool
  private(set) var leftovers = Leftovers()
  /// The folders and marks that a first pass found, since they may follow what they belong to.
  private var index: JSONIndex
  private var stack: [Frame] = []
  private var isStarted = false
  private var isAtEnd = false
  /// The meanings of the names found so far.
  private var meanings: [String: Meaning] = [:]
  /// Whether any container, bookmark or object in a list that is neither a bookmark nor a folder was found.
  private var hasContainer = false
  private var hasBookmark = false
  private var hasOther = false
  /// The number of objects opened so far.
  private var objectCount = 0

  /// The meaning of a member.
  private enum Meaning {
    case field(BookmarkField)
    case container, type, content, id, parent, pinned, lists
    case passedOver, unknown
  }

  /// An open object or list.
  private struct Frame {
    let isList: Bool
    /// Whether every member may contain bookmarks.
    let holdsAnyName: Bool
    /// Whether its objects are folders that bookmarks refer to.
    var holdsFolders = false
    /// The ordinal of the object in the file.
    var ordinal = 0
    /// Whether a separator precedes the next element.
    var isBegun = false
    /// Whether it contains others, as a folder does.
    var isFolder = false
    /// Whether it is a built-in folder.
    var isOfBrowser = false
    var isSeparator = false
    /// Whether it is a text of a service that keeps bookmarks.
    var isNote = false
    /// Its id, and that of the folder around it.
    var id = ""
    /// Nil where the file does not say.
    var parent: String?
    var bookmark: Bookmark

    init(isList: Bool, holdsAnyName: Bool, line: Int, ordinal: Int = 0) {
      self.isList = isList
      self.holdsAnyName = holdsAnyName
      self.ordinal = ordinal
      bookmark = Bookmark(number: line)
    }
  }

  /// Maximum nesting depth of folders; deeper content is left out.
  private static let maxDepth = 2000
  /// Maximum number of names whose meanings are remembered.
  private static let maxNames = 1000

  init(
    _ window: ByteWindow, _ folderTags: FolderTags, isPinboard: Bool = false,
    index: JSONIndex = JSONIndex()
  ) {
    pieces = JSONPieces(window)
    self.folderTags = folderTags
    self.isPinboard = isPinboard
    self.index = index
  }

  mutating func next() throws -> ImportRecord? {
    do {
      while !isAtEnd {
        if let record = try step() { return record }
      }
    } catch let broken as JSONPieces.Broken {
      isAtEnd = true
      return ImportRecord(
        number: broken.line, content: .damage("reading stopped here: \(broken.reason)"))
    }
    return nil
  }

  /// Reads one member, element or end.
  private mutating func step() throws -> ImportRecord? {
    guard let frame = stack.last else {
      let isEmpty = pieces.peek() == nil
      if isStarted || isEmpty {
        isAtEnd = true
        let isUnderstood = hasBookmark || hasContainer && !hasOther || isEmpty && !isStarted
        return isUnderstood ? nil : .nothingUnderstood(pieces.window.line)
      }
      isStarted = true
      try open(holdsAnyName: false)
      return nil
    }
    let top = stack.count - 1
    let end: Unicode.Scalar = frame.isList ? "]" : "}"
    if pieces.take(end) { return close() }
    if frame.isBegun { try pieces.expect(",") }
    stack[top].isBegun = true
    // A trailing comma is accepted.
    if pieces.take(end) { return close() }
    if frame.isList {
      switch pieces.peek() {
      case UInt8(ascii: "{"), UInt8(ascii: "["): try open(holdsAnyName: frame.holdsAnyName)
      default:
        hasOther = true
        if try pieces.skipValue() { leftovers.note(.text, line: pieces.window.line) }
      }
    } else {
      let name = try pieces.string()
      try pieces.expect(":")
      try member(name, of: top)
    }
    return nil
  }

  /// Enters an object or a list.
  private mutating func open(holdsAnyName: Bool) throws {
    let line = pieces.window.line
    guard stack.count < Self.maxDepth else {
      if try pieces.skipValue() { leftovers.note(.text, line: line) }
      return
    }
    if pieces.take("[") {
      hasContainer = true
      stack.append(Frame(isList: true, holdsAnyName: holdsAnyName, line: line))
    } else {
      try pieces.expect("{")
      let frame = Frame(
        isList: false, holdsAnyName: holdsAnyName, line: line, ordinal: objectCount)
      objectCount += 1
      stack.append(frame)
    }
  }

  /// Members that contain bookmarks rather than describe one.
  private static let containers: Set<String> = [
    "children", "roots", "bookmarks", "links", "collections", "items", "data", "entries", "results",
    "_embedded", "list", "articles", "documents", "raindrops",
  ]

  /// Returns the meaning of a member's name.
  private mutating func meaning(of name: String) -> Meaning {
    if let known = meanings[name] { return known }
    let meaning: Meaning =
      switch name {
      case "type", "typeCode": .type
      case "content": .content
      case "id": .id
      case "parentId": .parent
      case "pinnedLinks": .pinned
      case "lists": .lists
      case "description" where isPinboard: .field(.title)
      case _ where Self.containers.contains(name): .container
      default:
        if let field = BookmarkField(name) {
          .field(field)
        } else {
          PassedOver.fields.contains(name.lowercased()) ? .passedOver : .unknown
        }
      }
    if meanings.count < Self.maxNames { meanings[name] = meaning }
    return meaning
  }

  private mutating func member(_ name: String, of top: Int) throws {
    let line = pieces.window.line
    let first = pieces.peek()
    let isNested = first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    let meaning = meaning(of: name)
    if isNested, stack[top].holdsAnyName { return try enter(name, top) }
    switch meaning {
    case .container where isNested: return try enter(name, top)
    case .lists:
      // Of a whole file the lists with their names, of a bookmark the ids of its lists.
      if top == 0, isNested {
        try enter(name, top)
        stack[stack.count - 1].holdsFolders = true
      } else if case .list(let ids) = try pieces.value() {
        for case .string(let id) in ids { stack[top].bookmark.folders += index.path(of: id) }
      }
    case .pinned:
      // Whole links or their ids, after the links themselves.
      guard case .list(let links) = try pieces.value() else { return }
      for case .map(let link) in links {
        if let id = Self.id(link["id"]) { index.pinned.insert(id) }
      }
    case .id: stack[top].id = Self.id(try pieces.value()) ?? ""
    case .parent: stack[top].parent = Self.id(try pieces.value()) ?? ""
    case .type:
      let type = try pieces.value()
      stack[top].isSeparator = type == "text/x-moz-place-separator" || type == .int(3)
      if ["text/x-moz-place-container", "folder", .int(2)].contains(type) {
        stack[top].isFolder = true
      }
    case .content where first == UInt8(ascii: "{"):
      if case .map(let map) = try pieces.value() { takeContent(map, line, top) }
    case .field(let field):
      let value = try pieces.value()
      if !take(value, as: field, name, line, top) {
        let text = if case .string(let text) = value { text } else { value.text }
        leftovers.note(field.leftover(text, in: name), line: line)
      }
    case .passedOver:
      if name == "root" { stack[top].isOfBrowser = true }
      try pieces.skipValue()
    case .container, .content, .unknown:
      if try pieces.skipValue() { leftovers.note(.member(name), line: line) }
    }
  }

  private mutating func enter(_ name: String, _ top: Int) throws {
    stack[top].isFolder = true
    try open(holdsAnyName: name == "roots" || name == "list")
  }

  /// Returns an id, a text or a number; nil for another value.
  private static func id(_ value: Value?) -> String? {
    switch value {
    case .string(let text)?: text
    case .int(let number)?: String(number)
    default: nil
    }
  }

  /// Takes the object with which some programs describe what a bookmark leads to.
  private mutating func takeContent(_ content: MapValue, _ line: Int, _ top: Int) {
    for entry in content.entries {
      guard case .string(let name) = entry.key, let text = Self.id(entry.value), !text.isEmpty
      else {
        continue
      }
      switch name {
      case "url": stack[top].bookmark.url = text
      case "text":
        stack[top].isNote = true
        stack[top].bookmark.notes.append(text)
      case "description": stack[top].bookmark.notes.append(text)
      case "type", "imageUrl", "favicon": break
      default: leftovers.note(.member("content.\(name)"), line: line)
      }
    }
  }

  /// Sets a field; returns whether all of the value was used.
  private mutating func take(
    _ value: Value, as field: BookmarkField, _ name: String, _ line: Int, _ top: Int
  ) -> Bool {
    let separator: TagList.Separator = isPinboard ? .spaces : .any
    func set(_ text: String) -> Bool {
      stack[top].bookmark.take(text, as: field, tagSeparator: separator)
    }
    switch value {
    case .string(let text): return set(text)
    case .int(let number): return set(String(number))
    case .double(let number): return set(String(Int64(clamping: number)))
    case .bool(let flag): return set(flag ? "true" : "")
    case .list(let values) where values.isEmpty: return true
    case .list, .map:
      switch field {
      case .tags: stack[top].bookmark.takeTags(TagList.tags(value, separator))
      case .note: stack[top].bookmark.notes += notes(value, name, line)
      case .folder:
        guard case .map(let map) = value, case .string(let name)? = map["name"] ?? map["title"]
        else { return false }
        stack[top].bookmark.folders.append(name)
      default: return false
      }
      return true
    default: return true
    }
  }

  /// Returns the notes of a bookmark: texts, highlights and Firefox's annotations.
  private mutating func notes(_ value: Value, _ name: String, _ line: Int) -> [String] {
    switch value {
    case .string(let text): return [text]
    case .list(let values): return values.flatMap { notes($0, name, line) }
    case .map(let map):
      if case .string(let anno)? = map["name"], anno != "bookmarkProperties/description" {
        leftovers.note(.member("\(name): \(anno)"), line: line)
        return []
      }
      var notes: [String] = []
      for part in ["quote", "text", "value", "note", "annotation"] {
        if case .string(let text)? = map[part] { notes.append(text) }
      }
      for case .string(let part) in map.entries.map(\.key)
      where !PassedOver.annotation.contains(part) && !PassedOver.fields.contains(part) {
        leftovers.note(.member("\(name).\(part)"), line: line)
      }
      return notes
    default: return []
    }
  }

  /// Closes an object or list; returns its bookmark, if it is one.
  private mutating func close() -> ImportRecord? {
    let frame = stack.removeLast()
    guard !frame.isList else { return nil }
    var bookmark = frame.bookmark
    let isListed = stack.last?.isList ?? false
    let isFolder = frame.isFolder || stack.last?.holdsFolders ?? false
    if isFolder {
      index.add(
        bookmark.title, ordinal: frame.ordinal, id: frame.id, parent: frame.parent)
      if bookmark.url.isEmpty {
        if !bookmark.notes.allSatisfy(\.isEmpty) {
          leftovers.note(.folderNote(bookmark.title), line: bookmark.number)
        }
        return nil
      }
    }
    if bookmark.url.isEmpty, frame.isNote {
      bookmark.url = "?"
    } else if bookmark.url.isEmpty {
      if frame.isSeparator || !isListed { return nil }
      hasOther = true
      if bookmark.title.isEmpty {
        leftovers.note(.object, line: bookmark.number)
        return nil
      }
    } else {
      hasBookmark = true
    }
    if frame.isNote { hasBookmark = true }
    if index.pinned.contains(frame.id), !frame.id.isEmpty { bookmark.isFavourite = true }
    bookmark.folders = folders + bookmark.folders
    return bookmark.record(folderTags)
  }

  /// The names of the open folders, except built-in ones.
  private var folders: [String] {
    var result: [String] = []
    for place in stack.indices.dropFirst() {
      let frame = stack[place]
      // Chrome's built-in folders are the members of `roots`.
      guard frame.isFolder, !frame.isOfBrowser, !stack[place - 1].holdsAnyName else { continue }
      if index.parents[frame.id] != nil {
        result += index.path(of: frame.id)
      } else {
        result.append(index.names[frame.ordinal] ?? frame.bookmark.title)
      }
    }
    return result
  }

  /// Returns the folders and marks that follow what they belong to.
  static func index(_ window: ByteWindow) throws -> JSONIndex {
    var records = JSONRecords(window, .none)
    while try records.next() != nil {}
    return records.index
  }
}

extension Int64 {
  /// Rounds towards zero and saturates; NaN is 0.
  fileprivate init(clamping number: Double) {
    self = number >= 9e18 ? .max : number <= -9e18 ? .min : number.isNaN ? 0 : Int64(number)
  }
}
