import ForeignText

/// Reads links in Org files: in headings, which are otherwise folders, and in lists and text below them.
struct OrgRecords: RecordReader {
  /// A link of a line.
  private struct Link {
    let url: String
    let title: String
  }

  private var window: ByteWindow
  private let folderTags: FolderTags
  private var headings: [(level: Int, text: String, tags: [String])] = []
  private var ready: [ImportRecord] = []
  /// A bookmark that notes may follow.
  private var bookmark: Bookmark?
  /// Whether the bookmark is a heading, so that the text below is its note.
  private var isOnHeading = false
  private var isInDrawer = false
  private(set) var leftovers = Leftovers()

  /// The TODO keywords and the reading states they mean.
  private static let states: KeyValuePairs<String, Bookmark.Reading> = [
    "TODO": .unread, "NEXT": .unread, "WAITING": .unread, "DONE": .read,
  ]

  init(_ window: ByteWindow, _ folderTags: FolderTags) {
    self.window = window
    self.folderTags = folderTags
  }

  mutating func next() -> ImportRecord? {
    while ready.isEmpty {
      let number = window.line
      guard let line = window.nextLine() else {
        finish()
        return ready.isEmpty ? nil : ready.removeFirst()
      }
      guard let line else { return ImportRecord(number: number, content: .bad(.lineTooLong)) }
      take(line, number)
    }
    return ready.removeFirst()
  }

  private mutating func take(_ line: String, _ number: Int) {
    let trimmed = line.trimmingBlanks
    if isInDrawer {
      isInDrawer = trimmed.uppercased() != ":END:"
      return isInDrawer ? property(trimmed, number) : ()
    }
    switch trimmed.uppercased() {
    case ":PROPERTIES:", ":LOGBOOK:": isInDrawer = true
    case _ where line.hasPrefix("#+"):
      // The title of the document and settings of Org, as `#+TITLE: Links`.
      let name = trimmed.dropFirst(2).prefix { $0 != ":" }
      if !PassedOver.org.contains(name.uppercased()) {
        leftovers.note(.property(String(name)), line: number)
      }
    case _ where line.hasPrefix("# "): break
    case _ where line.hasPrefix("*"):
      let level = line.prefix { $0 == "*" }.count
      guard line.dropFirst(level).first == " " else { fallthrough }
      heading(line.dropFirst(level), level, number)
    default: body(line, trimmed, number)
    }
  }

  // MARK: Headings

  private mutating func heading(_ line: Substring, _ level: Int, _ number: Int) {
    finish()
    headings.removeAll { $0.level >= level }
    var text = String(line).trimmingBlanks
    let tags = Self.takeTags(&text)
    var reading: Bookmark.Reading?
    for (word, state) in Self.states where text.hasPrefix(word + " ") {
      reading = state
      text = String(text.dropFirst(word.count)).trimmingBlanks
    }
    if text.hasPrefix("[#"), let end = text.firstIndex(of: "]") {
      leftovers.note(.property("priority"), line: number)
      text = String(text[text.index(after: end)...]).trimmingBlanks
    }
    let (links, rest) = Self.links(in: text)
    if links.isEmpty {
      if let reading {
        leftovers.note(.value(reading.rawValue, of: "state of a heading"), line: number)
      }
      return headings.append((level, text, tags))
    }
    add(links, rest, number)
    bookmark?.tags += tags
    bookmark?.reading = reading
    isOnHeading = true
  }

  /// Removes tags such as `:one:two:` from the end of a heading.
  private static func takeTags(_ text: inout String) -> [String] {
    guard text.hasSuffix(":"), let start = text.lastIndex(where: { $0 == " " || $0 == "\t" }),
      text[text.index(after: start)...].hasPrefix(":")
    else { return [] }
    let tags = text[start...].split(separator: ":").map { String($0).trimmingBlanks }
    text = String(text[..<start]).trimmingBlanks
    return tags.filter { !$0.isEmpty }
  }

  /// Reads a property of the heading above, such as `:CREATED: [2020-01-01 Wed]`.
  private mutating func property(_ line: String, _ number: Int) {
    let parts = line.dropFirst().split(separator: ":", maxSplits: 1)
    guard line.hasPrefix(":"), parts.count == 2 else {
      if !line.isEmpty, !parts.isEmpty { leftovers.note(.text, line: number) }
      return
    }
    let value = String(parts[1]).trimmingBlanks
    switch parts[0].uppercased() {
    case "CREATED", "ADDED", "DATE":
      if bookmark == nil { leftovers.note(.property(String(parts[0])), line: number) }
      bookmark?.created = Self.date(value)
    case "URL":
      guard bookmark == nil, let last = headings.popLast() else {
        return leftovers.note(.second("URL"), line: number)
      }
      add([Link(url: value, title: last.text)], "", number)
      bookmark?.tags += last.tags
      isOnHeading = true
    case "ID", "CUSTOM_ID": break
    default: leftovers.note(.property(String(parts[0])), line: number)
    }
  }

  /// Returns a date without its brackets.
  private static func date(_ text: String) -> String {
    String(text.drop { "[<".contains($0) }.prefix { !"]>".contains($0) })
  }

  // MARK: Text below headings

  private mutating func body(_ line: String, _ trimmed: String, _ number: Int) {
    let item = trimmed.drop { $0.isNumber }
    let isItem = ["- ", "+ ", ". ", ") "].contains { item.hasPrefix($0) }
    let isNote = bookmark != nil && !isItem && (isOnHeading || line.utf8.first?.isBlank ?? true)
    let (links, rest) = isNote ? ([], "") : Self.links(in: isItem ? String(item.dropFirst()) : line)
    if !links.isEmpty {
      finish()
      return add(links, rest, number)
    }
    guard bookmark != nil, isOnHeading || isNote else {
      if !trimmed.isEmpty { leftovers.note(.text, line: number) }
      return finish()
    }
    if trimmed.hasPrefix("["), trimmed.hasSuffix("]"), bookmark?.created.isEmpty == true,
      BookmarkDate.value(Self.date(trimmed)) != nil
    {
      bookmark?.created = Self.date(trimmed)
      return
    }
    let text = isOnHeading ? line : trimmed
    let notes = bookmark?.notes ?? []
    bookmark?.notes = [notes.isEmpty ? text : notes[0] + "\n" + text]
  }

  /// Adds the links of a line; a single one may be followed by notes.
  private mutating func add(_ links: [Link], _ rest: String, _ number: Int) {
    for link in links {
      var bookmark = Bookmark(number: number)
      bookmark.folders = headings.map(\.text)
      bookmark.tags = headings.flatMap(\.tags)
      bookmark.url = link.url
      bookmark.title = link.title
      guard links.count == 1 else {
        ready.append(bookmark.record(folderTags))
        continue
      }
      if bookmark.title.isEmpty {
        bookmark.title = rest
      } else if rest.contains(where: { $0.isLetter || $0.isNumber }) {
        bookmark.notes = [rest]
      }
      self.bookmark = bookmark
      isOnHeading = false
    }
  }

  private mutating func finish() {
    guard let bookmark else { return }
    self.bookmark = nil
    ready.append(bookmark.record(folderTags))
  }

  /// Returns the links of a text, `[[address][title]]` or a bare address, and the text without them.
  private static func links(in text: String) -> ([Link], rest: String) {
    var links: [Link] = []
    var kept = ""
    var rest = text[...]
    while let open = rest.firstRange(of: "[["),
      let close = rest[open.upperBound...].firstRange(of: "]]")
    {
      let inner = rest[open.upperBound..<close.lowerBound]
      let middle = inner.firstRange(of: "][")
      links.append(
        Link(
          url: String(inner[..<(middle?.lowerBound ?? inner.endIndex)]),
          title: middle.map { String(inner[$0.upperBound...]) } ?? ""))
      kept += rest[..<open.lowerBound]
      rest = rest[close.upperBound...]
    }
    if links.isEmpty, let range = InlineLinks.address(in: text) {
      links.append(Link(url: String(text[range]), title: ""))
      kept = String(text[..<range.lowerBound])
      rest = text[range.upperBound...]
    }
    let around = (kept + rest).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let marks: Set<Character> = [" ", "-", "–", "—", ":", "·", "<", ">"]
    var edge = around[...]
    while let first = edge.first, marks.contains(first) { edge = edge.dropFirst() }
    while let last = edge.last, marks.contains(last) { edge = edge.dropLast() }
    return (links, String(edge))
  }
}
