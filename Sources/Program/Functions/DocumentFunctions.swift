import CEL
import ForeignText
import Links

/// Functions on documents: Markdown, XML, calendars, and files as bytes.
enum DocumentFunctions {
  /// An XML element: its children and its text.
  private static var elementType: CELType {
    .record(
      RecordType(
        "an element of XML",
        [
          .init("name", .string), .init("attributes", .map(.string, .string)),
          .init("text", .string), .init("children", .list(.dyn)),
        ]))
  }

  /// A calendar entry; absent fields are null.
  private static var entryType: CELType {
    let text = CELType.nullable(.string)
    return .record(
      RecordType(
        "an entry of a calendar",
        [
          .init("kind", .string), .init("uid", text), .init("title", text),
          .init("start", .nullable(.timestamp)), .init("end", .nullable(.timestamp)),
          .init("allDay", .bool), .init("place", text), .init("description", text),
          .init("url", text), .init("status", text), .init("zone", text), .init("repeats", text),
          .init("rules", .list(.string)), .init("except", .list(.timestamp)),
          .init("also", .list(.timestamp)),
          .init("organizer", text), .init("attendees", .list(.string)),
          .init("tags", .list(.string)),
        ]))
  }

  /// Rows of the function table.
  static let table = [
    FunctionRow("markdownToHtml") {
      Function($0) { (text: String) in MarkdownText.html(of: text) }
    },
    FunctionRow("fileHash") {
      Function($0, .global, [.bytes], returns: .string) { (value: Value) in
        guard case .bytes(let bytes) = value else { return "" }
        return SHA256.hash(bytes).hexadecimal
      }
    },
    FunctionRow("parseXml") {
      Function($0, .global, [.string], returns: elementType) {
        (text: String) throws(EvaluationError) -> Value in
        do throws(XMLTree.Failure) {
          return try XMLTree.value(of: text)
        } catch {
          throw EvaluationError(error.message)
        }
      }
    },
    FunctionRow(in: "parseIcs") { name, context in
      Function(name, .global, [.string], returns: .list(entryType)) {
        (text: String) throws(EvaluationError) -> Value in
        let local: (CivilTime) -> Timestamp = { context.clock.moment(of: $0) }
        guard let entries = CalendarFile.entries(in: text, local: local) else {
          throw EvaluationError("the text is not a calendar: it has no line BEGIN:VCALENDAR")
        }
        return .list(entries)
      }
    },
  ]
}
