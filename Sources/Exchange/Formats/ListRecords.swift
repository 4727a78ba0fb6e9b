import ForeignText

/// Reads lists of addresses, and Markdown links under headings.
struct ListRecords: RecordReader {
  private var window: ByteWindow
  private let folderTags: FolderTags
  private let isMarkdown: Bool
  private var headings: [(level: Int, text: String)] = []
  private var ready: [ImportRecord] = []
  /// A bookmark that may be continued by indented lines.
  private var bookmark: Bookmark?
  private var fence: String?
  private var hasTitle = false
  private(set) var leftovers = Leftovers()

  init(_ window: ByteWindow, _ folderTags: FolderTags, isMarkdown: Bool) {
    self.window = window
    self.folderTags = folderTags
    self.isMarkdown = isMarkdown
  }

  mutating func next() -> ImportRecord? {
    while ready.isEmpty {
      let number = window.line
      guard let line = window.nextLine() else {
        finish()
        return ready.isEmpty ? nil : ready.removeFirst()
      }
      guard let line else {
        ready.append(ImportRecord(number: number, content: .bad(.lineTooLong)))
        continue
      }
      if isMarkdown { takeMarkdown(line, number) } else { takePlain(line, number) }
    }
    return ready.removeFirst()
  }

  // MARK: Addresses

  /// Reads a line with an address and an optional title before or after it.
  private mutating func takePlain(_ line: String, _ number: Int) {
    let line = line.trimmingBlanks
    if line.isEmpty || line.hasPrefix("#") { return }
    var bookmark = Bookmark(number: number)
    guard let range = InlineLinks.address(in: line) else {
      let text = Bookmark.shortened(line)
      // An address with another scheme is skipped by `record`.
      bookmark.url = line
      let isAddress = line.contains(":") && !line.contains(" ")
      ready.append(
        isAddress
          ? bookmark.record(folderTags)
          : ImportRecord(number: number, content: .bad("no address in “\(text)”")))
      return
    }
    bookmark.url = String(line[range])
    let before = line[..<range.lowerBound]
    let after = line[range.upperBound...]
    bookmark.title = String(
      (before.contains { $0.isLetter } ? before : after).drop {
        $0 == "|" || $0 == "," || $0 == "\t"
      })
    bookmark.title = Self.withoutMarks(bookmark.title)
    ready.append(bookmark.record(folderTags))
  }

  /// Strips the punctuation between a title and its address.
  private static func withoutMarks(_ text: String) -> String {
    let marks: Set<Character> = [
      " ", "\t", "-", "–", "—", ":", "|", ",", ";", "*", "<", ">", "(", ")", "•",
    ]
    var text = text[...]
    while let first = text.first, marks.contains(first) { text = text.dropFirst() }
    while let last = text.last, marks.contains(last) { text = text.dropLast() }
    return String(text)
  }

  // MARK: Markdown

  private mutating func takeMarkdown(_ line: String, _ number: Int) {
    let trimmed = line.trimmingBlanks
    if let fence {
      if trimmed.hasPrefix(fence) {
        self.fence = nil
      } else if !trimmed.isEmpty {
        leftovers.note(.text, line: number)
      }
      return
    }
    for mark in ["```", "~~~"] where trimmed.hasPrefix(mark) {
      finish()
      fence = mark
      return
    }
    if line.hasPrefix("#"), let level = headingLevel(line) {
      finish()
      headings.removeAll { $0.level >= level }
      let text = Self.withoutMarks(
        line.drop { $0 == "#" }.reversed().drop { $0 == "#" || $0 == " " }.reversed().map(
          String.init
        )
        .joined())
      // The first heading is the title of the document.
      defer { hasTitle = true }
      if level > 1 || hasTitle { headings.append((level, text)) }
      return
    }
    if bookmark?.notes.isEmpty == true, let comment = InlineLinks.comment(of: trimmed) {
      bookmark?.rest = comment
      return
    }
    let links = InlineLinks.links(in: line)
    if links.isEmpty {
      // Indented text after a bookmark is its note.
      if let first = line.utf8.first, first.isBlank, !trimmed.isEmpty, bookmark != nil {
        appendNote(line)
      } else if trimmed.isEmpty {
        if bookmark?.notes.isEmpty == false { appendNote("") }
      } else {
        leftovers.note(.text, line: number)
        finish()
      }
      return
    }
    finish()
    for link in links {
      var bookmark = Bookmark(number: number)
      bookmark.folders = headings.map(\.text)
      bookmark.url = link.address
      bookmark.title = link.title
      if links.count == 1 {
        bookmark.tags = link.tags
        bookmark.created = link.date
        bookmark.rest = link.rest
        bookmark.notes = link.remark.isEmpty ? [] : [link.remark]
        self.bookmark = bookmark
      } else {
        ready.append(bookmark.record(folderTags))
      }
    }
  }

  private mutating func appendNote(_ line: String) {
    guard var bookmark else { return }
    // Remove the indentation of the list.
    var text = line[...]
    for _ in 0..<2 where text.first == " " { text = text.dropFirst() }
    bookmark.notes = [bookmark.notes.isEmpty ? String(text) : bookmark.notes[0] + "\n" + text]
    self.bookmark = bookmark
  }

  private func headingLevel(_ line: String) -> Int? {
    let level = line.prefix { $0 == "#" }.count
    guard level <= 6, line.dropFirst(level).first == " " else { return nil }
    return level
  }

  private mutating func finish() {
    guard let bookmark else { return }
    self.bookmark = nil
    ready.append(bookmark.record(folderTags))
  }
}
