import CEL
import ForeignText

/// Reads highlights in books: Readwise's table and Kindle's `My Clippings.txt`. Each becomes a note with its source.
enum HighlightRecords {
  /// Reads Readwise's table.
  static func readwise(_ window: ByteWindow) -> [ImportRecord] {
    let table = ForeignTable(window)
    let records = table.rows.flatMap { line, row -> [ImportRecord] in
      var fields = row
      var note = ForeignNote(number: line)
      note.paragraphs = [fields.text("highlight"), fields.text("note")]
      let kind = fields.text("location type")
      let place = [kind, fields.text("location")].filter { !$0.isEmpty }.joined(separator: " ")
      note.paragraphs.append(
        source([fields.text("book title"), fields.text("book author"), place]))
      note.tags = TagList.tags(fields.text("tags"), .commas)
      note.tags += TagList.tags(fields.text("document tags"), .commas)
      note.url = fields.text("url", "source url")
      note.created = fields.date("highlighted at")
      note.losses = fields.losses()
      return note.records()
    }
    return records + table.problems
  }

  /// The paragraph that names a book, its author and a place in it.
  private static func source(_ parts: [String]) -> String {
    let parts = parts.map(\.oneLine).filter { !$0.isEmpty }
    return parts.isEmpty ? "" : "— " + parts.joined(separator: ", ")
  }

  // MARK: Kindle

  /// The line between two clippings.
  static let separator = "=========="

  /// Words for kinds of clippings in the languages of Kindle: English, German, French, Spanish, Italian, Portuguese,
  /// Dutch, Russian, Japanese, Chinese.
  private static let kinds: [(kind: Kind, words: [String])] = [
    (
      .bookmark,
      [
        "bookmark", "lesezeichen", "signet", "marcador", "segnalibro", "bladwijzer", "закладк",
        "ブックマーク", "书签", "書籤",
      ]
    ),
    (
      .note,
      [
        " note ", "notiz", " nota ", "notitie", "заметк", "メモ", "笔记", "筆記",
      ]
    ),
    (
      .highlight,
      [
        "highlight", "markierung", "surlign", "subrayado", "evidenzi", "destaque", "markering",
        "выдел", "ハイライト", "标注", "標註",
      ]
    ),
  ]

  private enum Kind {
    case highlight, note, bookmark
  }

  /// Reads Kindle's clippings.
  static func kindle(_ window: ByteWindow) -> [ImportRecord] {
    var window = window
    var records: [ImportRecord] = []
    var lines: [String] = []
    var first = window.line
    while true {
      let number = window.line
      guard let line = window.nextLine() else { break }
      guard let line else {
        records.append(ImportRecord(number: number, content: .bad(.lineTooLong)))
        continue
      }
      if line.hasPrefix(separator) {
        records += clipping(lines, first)
        lines = []
        first = window.line
      } else {
        lines.append(line)
      }
    }
    if lines.contains(where: { !$0.trimmingBlanks.isEmpty }) { records += clipping(lines, first) }
    return records
  }

  private static func clipping(_ lines: [String], _ number: Int) -> [ImportRecord] {
    func text(_ line: String) -> String { line.replacing("\u{FEFF}", with: "").trimmingBlanks }
    let book = lines.first.map(text) ?? ""
    guard lines.count > 1, text(lines[1]).hasPrefix("-") else {
      let reason = "neither a highlight nor a note: “\(Bookmark.shortened(book))”"
      return [ImportRecord(number: number, content: .bad(reason))]
    }
    let parts = text(lines[1]).dropFirst().split(separator: "|").map { text(String($0)) }
    let label =
      " " + (parts.first ?? "").lowercased() + " " + (parts.dropFirst().first ?? "").lowercased()
      + " "
    let kind = kinds.first { $0.words.contains { label.contains($0) } }?.kind
    let content = lines.dropFirst(2).joined(separator: "\n").asParagraph
    if kind == .bookmark || content.isEmpty {
      let reason = "a bookmark without a text in “\(Bookmark.shortened(book))”"
      return [ImportRecord(number: number, content: .skipped(reason))]
    }
    var note = ForeignNote(number: number)
    // The last part is the date, the others say where the text is.
    let date = parts.count > 1 ? created(parts[parts.count - 1]) : nil
    note.created = date ?? .null
    let places = date == nil ? parts : Array(parts.dropLast())
    note.paragraphs = [content, source([book] + places)]
    return note.records()
  }

  /// The date in a text such as `Added on Tuesday, January 2, 2024 10:00:00 AM`.
  private static func created(_ text: String) -> Value? {
    if let date = ForeignDate(text, isDayFirst: true), date.hasTime {
      return .string(date.time.localText)
    }
    return nil
  }
}
