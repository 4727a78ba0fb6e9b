import CEL
import ForeignText

/// Reads bookmarks in JSON: lists of objects, as written by Pinboard, Wallabag and Omnivore, and trees of folders, as
/// written by Firefox and Chrome.
struct JSONRecords: RecordReader {
  private var pieces: JSONPieces
  private let folderTags: FolderTags
  private let isPinboard: Bool
  /// The names of Chrome's folders by ordinal, from a first pass: in the file, a name follows the folder's content.
  private var folderNames: [Int: String]
  private var collectsNames = false
  private var stack: [Frame] = []
  private var isStarted = false
  private var isAtEnd = false
  /// Whether any container of bookmarks was found.
  private var isUnderstood = false
  /// The number of objects opened so far.
  private var objectCount = 0

  /// An open object or list.
  private struct Frame {
    let isList: Bool
    /// Whether every member may contain bookmarks.
    let holdsAnyName: Bool
    /// The ordinal of the object in the file.
    var ordinal = 0
    /// Whether a separator precedes the next element.
    var isBegun = false
    /// Whether it contains others, as a folder does.
    var isFolder = false
    /// Whether it is a built-in folder.
    var isOfBrowser = false
    var isSeparator = false
    var bookmark: Bookmark

    init(isList: Bool, holdsAnyName: Bool, line: Int, ordinal: Int = 0) {
      self.isList = isList
      self.holdsAnyName = holdsAnyName
      self.ordinal = ordinal
      bookmark = Bookmark(number: line)
    }
  }

  /// Maximum nesting depth of folders; deeper content is skipped.
  private static let maxDepth = 2000

  init(
    _ window: ByteWindow, _ folderTags: FolderTags, isPinboard: Bool = false,
    folderNames: [Int: String] = [:]
  ) {
    pieces = JSONPieces(window)
    self.folderTags = folderTags
    self.isPinboard = isPinboard
    self.folderNames = folderNames
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
        return isEmpty && !isStarted || isUnderstood ? nil : .nothingUnderstood(pieces.window.line)
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
      default: try pieces.skipValue()
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
    guard stack.count < Self.maxDepth else { return try pieces.skipValue() }
    let line = pieces.window.line
    if pieces.take("[") {
      isUnderstood = true
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

  private mutating func member(_ name: String, of top: Int) throws {
    let first = pieces.peek()
    let isNested = first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    if isNested, Self.containers.contains(name) || stack[top].holdsAnyName {
      stack[top].isFolder = true
      isUnderstood = true
      return try open(holdsAnyName: name == "roots" || name == "list")
    }
    switch name {
    case "root":
      stack[top].isOfBrowser = true
      return try pieces.skipValue()
    case "type", "typeCode":
      let type = try pieces.value()
      stack[top].isSeparator = type == "text/x-moz-place-separator" || type == .int(3)
      return
    case "content":
      // For some programs an object with the address, for others the text of the page.
      guard first == UInt8(ascii: "{"), case .map(let map) = try pieces.value() else {
        return try pieces.skipValue()
      }
      if case .string(let url)? = map["url"] { stack[top].bookmark.url = url }
      return
    default: break
    }
    var field = BookmarkField(name)
    if isPinboard, name == "description" { field = .title }
    guard let field else { return try pieces.skipValue() }
    take(try pieces.value(), as: field, top)
  }

  private mutating func take(_ value: Value, as field: BookmarkField, _ top: Int) {
    let separator: TagList.Separator = isPinboard ? .spaces : .any
    switch value {
    case .string(let text): stack[top].bookmark.take(text, as: field, tagSeparator: separator)
    case .int(let number): stack[top].bookmark.take(String(number), as: field)
    case .double(let number): stack[top].bookmark.take(String(Int64(clamping: number)), as: field)
    case .bool(let flag): stack[top].bookmark.take(flag ? "true" : "", as: field)
    case .list, .map:
      switch field {
      case .tags: stack[top].bookmark.takeTags(TagList.tags(value, separator))
      case .note: stack[top].bookmark.notes += Self.notes(value)
      case .folder:
        if case .map(let map) = value, case .string(let name)? = map["name"] ?? map["title"] {
          stack[top].bookmark.folders.append(name)
        }
      default: break
      }
    default: break
    }
  }

  /// Returns the notes of a bookmark: texts, highlights and Firefox's annotations.
  private static func notes(_ value: Value) -> [String] {
    switch value {
    case .string(let text): return [text]
    case .list(let values): return values.flatMap { notes($0) }
    case .map(let map):
      if case .string(let name)? = map["name"] {
        guard name == "bookmarkProperties/description" else { return [] }
      }
      return ["quote", "text", "value", "note", "annotation"].compactMap {
        if case .string(let text)? = map[$0] { text } else { nil }
      }
    default: return []
    }
  }

  /// Closes an object or list; returns its bookmark, if it is one.
  private mutating func close() -> ImportRecord? {
    let frame = stack.removeLast()
    guard !frame.isList else { return nil }
    var bookmark = frame.bookmark
    if frame.isFolder {
      if collectsNames { folderNames[frame.ordinal] = bookmark.title }
      if bookmark.url.isEmpty { return nil }
    }
    if bookmark.url.isEmpty {
      // An object with neither address nor title is not a bookmark.
      let isListed = stack.last?.isList ?? false
      guard isListed, !frame.isSeparator, !bookmark.title.isEmpty else { return nil }
    }
    bookmark.folders = folders + bookmark.folders
    isUnderstood = true
    return bookmark.record(folderTags)
  }

  /// The names of the open folders, except built-in ones.
  private var folders: [String] {
    stack.indices.compactMap { index in
      let frame = stack[index]
      // Chrome's built-in folders are the members of `roots`.
      guard index > 0, frame.isFolder, !frame.isOfBrowser, !stack[index - 1].holdsAnyName else {
        return nil
      }
      return folderNames[frame.ordinal] ?? frame.bookmark.title
    }
  }

  /// Returns the names of all folders by ordinal.
  static func folderNames(_ window: ByteWindow) throws -> [Int: String] {
    var records = JSONRecords(window, .none)
    records.collectsNames = true
    while try records.next() != nil {}
    return records.folderNames
  }
}

extension Int64 {
  /// Rounds towards zero and saturates; NaN is 0.
  fileprivate init(clamping number: Double) {
    self = number >= 9e18 ? .max : number <= -9e18 ? .min : number.isNaN ? 0 : Int64(number)
  }
}
