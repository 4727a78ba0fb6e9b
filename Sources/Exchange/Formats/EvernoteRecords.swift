import CEL
import ForeignText

/// Reads notes of Evernote (`.enex`), one after the other, with their files.
struct EvernoteRecords: RecordReader {
  private var scanner: MarkupScanner
  private var note: ForeignNote?
  private var file = File()
  private var text = ""
  private var ready: ArraySlice<ImportRecord> = []
  private var isAtEnd = false
  private(set) var leftovers = Leftovers()

  /// A file of a note.
  private struct File {
    var data: [UInt8] = []
    var name = ""
    var mediaType = ""
  }

  /// Maximum size of the text of an element in bytes.
  private static let maxBytes = 256 << 20

  init(_ window: ByteWindow) { scanner = MarkupScanner(window, .xml, limit: Self.maxBytes) }

  mutating func next() -> ImportRecord? {
    while ready.isEmpty, !isAtEnd {
      guard let token = scanner.next() else {
        isAtEnd = true
        if note != nil {
          let reason = "the file ends within a note"
          return ImportRecord(number: scanner.window.line, content: .damage(reason))
        }
        break
      }
      switch token {
      case .text(let piece): if text.utf8.count < Self.maxBytes { text += piece }
      case .start(let tag):
        text = ""
        if tag.name == "note" { note = ForeignNote(number: tag.line) }
        if tag.name == "resource" { file = File() }
      case .end(let name):
        end(name)
        text = ""
      case .cutOff: break
      }
    }
    return ready.popFirst()
  }

  private mutating func end(_ name: String) {
    let plain = text.trimmingBlanks
    switch name {
    case "title": note?.title = plain
    case "content": note?.paragraphs.insert(Self.markdown(text), at: 0)
    case "tag": note?.tags.append(plain)
    case "created", "updated":
      guard let stamp = CalendarStamp(plain), stamp.form == .utc else {
        let reason = "“\(Bookmark.shortened(plain))” is not a date and was left out"
        note?.losses.append(reason)
        return
      }
      let moment = Value.timestamp(stamp.time.timestamp())
      if name == "created" { note?.created = moment } else { note?.updated = moment }
    case "source-url": note?.url = plain
    case "data": file.data = MailText.base64(text.utf8)
    case "mime": file.mediaType = plain
    case "file-name": file.name = plain
    case "resource":
      let number = (note?.paragraphs.count ?? 0)
      let ending = file.mediaType.split(separator: "/").last.map { ".\($0)" } ?? ""
      note?.keep(
        file.data, file.name.isEmpty ? "file-\(number)\(ending)" : file.name, file.mediaType)
      file = File()
    case "note":
      guard var note else { return }
      self.note = nil
      note.key = "evernote:\(note.created.text):\(note.title)"
      note.pageTitle = note.url.isEmpty ? "" : note.title
      ready = note.records()[...]
    // Elements that only hold others, and the sizes of pictures.
    case "note-attributes", "resource-attributes", "en-export", "width", "height", "duration":
      break
    default:
      if !plain.isEmpty { leftovers.note(.element(name), line: scanner.window.line) }
    }
  }

  /// The text of a note, whose boxes to tick are elements of its own.
  private static func markdown(_ content: String) -> String {
    var html = content
    for (element, mark) in [
      ("<en-todo/>", "[ ] "), ("<en-todo></en-todo>", "[ ] "),
      ("<en-todo checked=\"false\"", "[ ] <en-todo"), ("<en-todo checked=\"true\"", "[x] <en-todo"),
    ] { html = html.replacing(element, with: mark) }
    return HTMLText.text(of: html, as: .markdown)
      .replacing("\\[x\\] ", with: "- [x] ").replacing("\\[ \\] ", with: "- [ ] ")
  }
}
