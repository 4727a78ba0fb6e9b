import ForeignText

/// Detects the format of a file from its beginning and its name.
struct FormatGuess {
  private let head: [UInt8]
  /// The beginning in lower case.
  private let text: String
  private let ending: String
  private let name: String

  /// Number of bytes examined.
  static let headSize = 64 << 10

  /// - Parameters:
  ///   - head: The first bytes of the file, in UTF-8.
  ///   - name: The name of the file.
  init(head: some Sequence<UInt8>, name: String) {
    self.head = Array(head.prefix(Self.headSize))
    text = String(decoding: self.head, as: UTF8.self).lowercased()
    self.name = name
    let last = name.split(separator: "/").last ?? ""
    ending = last.contains(".") ? (last.split(separator: ".").last ?? "").lowercased() : ""
  }

  /// The detected format; JSON Lines by default.
  var format: ImportFormat {
    if isDatabase {
      if text.contains("create table tasks") { return .taskwarrior }
      return text.contains("create table bookmarks") ? .buku : .firefox
    }
    if text.hasPrefix("bplist0") { return ending == "webloc" ? .link : .safari }
    if text.hasPrefix("snss") { return .tabs }
    if firstLine?.hasPrefix("begin:vcalendar") ?? false || ending == "ics" { return .ical }
    if ending == "jsonl" || ending == "ndjson" { return .jsonl }
    guard let first = head.first(where: { !$0.isBlank }) else { return .jsonl }
    switch first {
    case UInt8(ascii: "<") where !text.hasPrefix("<http"):
      return markupFormat
    case UInt8(ascii: "{"): return objectFormat
    case UInt8(ascii: "["):
      if let format = listFormat { return format }
    default: break
    }
    if let format = lineFormat { return format }
    if ending == "org" { return .org }
    if let format = tableFormat { return format }
    if ending == "md" || ending == "markdown" { return .markdown }
    if text.contains("[[http") { return .org }
    if let line = firstLine, line.hasPrefix("http://") || line.hasPrefix("https://") {
      return .urls
    }
    if text.contains("](http") || text.contains("](<http") { return .markdown }
    if ending == "txt" || ending == "urls" { return .urls }
    return .jsonl
  }

  /// Whether a file in JSON may name the folders of its bookmarks after them.
  var refersToLists: Bool {
    ["\"collections\"", "\"lists\"", "\"parentid\""].contains { text.contains($0) }
  }

  /// The kind of a file that another command takes; nil for one that may be imported.
  var foreignKind: ForeignKind? {
    ForeignKind(head, text: text, ending: ending, isDatabase: isDatabase)
  }

  /// Whether the file is a database of SQLite.
  var isDatabase: Bool { head.starts(with: Array("SQLite format 3\0".utf8)) }

  /// Whether the file is empty or blank.
  var isBlank: Bool { head.allSatisfy(\.isBlank) }

  /// Whether the file is binary: it has control characters and does not begin like one of our formats, in which only
  /// single lines may be bad.
  var isBinary: Bool {
    guard let first = head.first(where: { !$0.isBlank }), !"{[<".utf8.contains(first) else {
      return false
    }
    let start = head.prefix(1024)
    if format == .safari || format == .link || format == .tabs { return false }
    let controls = start.count { $0 < 0x09 || (0x0E..<0x20).contains($0) }
    return start.contains(0) || controls > start.count / 20
  }

  /// Whether it looks like YAML and like no import format.
  var isYAML: Bool {
    guard format == .jsonl, ending != "jsonl", ending != "ndjson" else { return false }
    if ending == "yaml" || ending == "yml" { return true }
    guard let line = firstLine, !line.hasPrefix("{") else { return false }
    if line == "---" { return true }
    let key = line.hasPrefix("- ") ? line.dropFirst(2) : line
    guard let colon = key.firstIndex(of: ":"), colon != key.startIndex else { return false }
    let rest = key[key.index(after: colon)...]
    return (rest.isEmpty || rest.first == " ")
      && key[..<colon].allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
  }

  /// The first line that is neither blank nor a comment.
  private var firstLine: Substring? {
    text.split(whereSeparator: \.isNewline).lazy
      .map { $0.drop { $0 == " " || $0 == "\t" } }
      .first { !$0.isEmpty && !$0.hasPrefix("# ") && $0 != "#" }
  }

  /// The format of markup, by its root element.
  private var markupFormat: ImportFormat {
    var scanner = MarkupScanner(text, .xml)
    while let token = scanner.next(wantsText: false, wantsAttributes: false) {
      guard case .start(let tag) = token else { continue }
      switch tag.name {
      case "opml": return .opml
      case "xbel": return .xbel
      case "plist":
        let isLink = text.contains("<key>url</key>") && !text.contains("<key>children</key>")
        return isLink ? .link : .safari
      case "en-export": return .evernote
      case "posts": return .posts
      case "rss", "rdf:rdf", "feed", "atom:feed": return .feed
      default: return text.contains("<opml") ? .opml : .netscape
      }
    }
    return .netscape
  }

  /// The format of lines of text that only one program writes.
  private var lineFormat: ImportFormat? {
    let lines = text.split(whereSeparator: \.isNewline).prefix(200)
    guard let first = lines.first else { return nil }
    switch first {
    case "[internetshortcut]", "[desktop entry]": return .link
    case "---" where ending == "md" || ending == "markdown": return .note
    default: break
    }
    if first.hasPrefix("["), first.hasSuffix("]"), first.contains(":\"") { return .taskwarrior }
    if MarkdownNote.hasNotionName(name) { return .note }
    if lines.count > 1,
      lines.dropFirst(2).contains(where: { $0.hasPrefix(HighlightRecords.separator) }),
      lines.dropFirst().first?.hasPrefix("-") ?? false
    {
      return .kindle
    }
    let file = name.split(separator: "/").last.map { $0.lowercased() } ?? ""
    if file == "todo.txt" || file == "done.txt" { return .todotxt }
    guard ending == "txt" || ending.isEmpty else { return nil }
    let written = String(decoding: head, as: UTF8.self).split(whereSeparator: \.isNewline)
      .prefix(20)
    return written.count(where: TodoTextRecords.isTask) * 2 > written.count ? .todotxt : nil
  }

  /// The format of an object or a list of objects by the names of its members.
  private var memberFormat: ImportFormat? {
    func has(_ names: String...) -> Bool { names.allSatisfy { text.contains("\"\($0)\"") } }
    if text.contains("tasks#tasklists") { return .googletasks }
    if has("usereditedtimestampusec") { return .keep }
    if has("sessionrestore") || has("windows", "tabs") || text.contains("\"nxs.json") {
      return .tabs
    }
    if has("uuid", "description", "entry", "status") { return .taskwarrior }
    return nil
  }

  private var objectFormat: ImportFormat {
    if let format = memberFormat { return format }
    if text.contains("\"roots\""),
      text.contains("\"bookmark_bar\"") || text.contains("\"checksum\"")
    {
      return .chrome
    }
    if text.contains("text/x-moz-place") || text.contains("\"placesroot\"") { return .json }
    let line = text.split(whereSeparator: \.isNewline).first ?? ""
    let start = line.prefix(2000).filter { $0 != " " }
    let names = [
      "bookmarks", "collections", "links", "items", "data", "children", "_embedded", "results",
    ]
    for name in names
    where start.contains("\"\(name)\":[") || start.contains("\"\(name)\":{") { return .json }
    if start.contains("\"list\":{") { return .json }
    // A line of JSON Lines is never a part of an object.
    return line.reversed().first { !$0.isWhitespace } == "}" || line.contains("\":")
      ? .jsonl : .json
  }

  /// The format of a list of objects; nil for anything else that begins with a bracket.
  private var listFormat: ImportFormat? {
    guard let open = head.firstIndex(where: { !$0.isBlank }),
      let next = head[(open + 1)...].first(where: { !$0.isBlank })
    else { return nil }
    guard next == UInt8(ascii: "{") || next == UInt8(ascii: "]") else { return nil }
    if let format = memberFormat { return format }
    let isPinboard = text.contains("\"href\"") && text.contains("\"extended\"")
    return isPinboard ? .pinboard : .json
  }

  /// The format of a table by the names in its header; nil if the first line is none.
  private var tableFormat: ImportFormat? {
    guard let line = text.split(whereSeparator: \.isNewline).first, !line.contains("://") else {
      return nil
    }
    for separator in [",", ";", "\t"] as [Character] {
      let names = line.split(separator: separator, omittingEmptySubsequences: false).map {
        String($0.filter { $0 != "\"" })
      }
      if names.first == "entity", names.count > 1 { return .csv }
      if ["type", "content", "priority"].allSatisfy(names.contains) { return .todoist }
      if names.contains("highlight"), names.contains("book title") { return .highlights }
      let fields = names.map { BookmarkField($0) }
      let holdsAddress = fields.contains(.url) || fields.contains(.originalURL)
      if holdsAddress, names.count > 1 || ending == "csv" || ending == "tsv" { return .csv }
    }
    return ending == "csv" || ending == "tsv" ? .csv : nil
  }
}
