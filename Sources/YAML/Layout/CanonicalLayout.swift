package import Source

/// The one layout of YAML files: two spaces for each level, lists indented below their key, quotes
/// only where needed, at most one blank line. Comments, order and meaning are kept.
package enum CanonicalLayout {
  /// Returns the text of a file in this layout.
  ///
  /// A document that uses unsupported notation (directives, explicit keys) is returned unchanged.
  /// - Throws: The errors of a file that is not valid.
  /// - Complexity: O(bytes).
  package static func text(of file: SourceFile) throws(Diagnostics) -> String {
    var parts: [String] = []
    var end = file.bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    for slice in DocumentSlice.split(file) {
      _ = try slice.parse()
      parts.append(comments(file.text(in: end..<max(end, slice.range.lowerBound))))
      parts.append(document(slice) ?? file.text(in: slice.range).trimmingEnd)
      end = slice.range.upperBound
    }
    parts.append(comments(file.text(in: end..<file.bytes.count)))
    let text = parts.filter { !$0.isEmpty }.joined(separator: "\n")
    return text.isEmpty ? text : text + "\n"
  }

  /// Text between documents: comments and markers, without repeated blank lines.
  private static func comments(_ text: String) -> String {
    var lines: [String] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let trimmed = String(line.drop { $0 == " " || $0 == "\t" }).trimmingEnd
      if trimmed.isEmpty, lines.last?.isEmpty ?? true { continue }
      lines.append(trimmed)
    }
    return lines.joined(separator: "\n").trimmingEnd
  }

  /// A document in the layout; nil if that cannot be done without a change of its meaning.
  private static func document(_ slice: DocumentSlice) -> String? {
    guard let events = try? events(of: slice), let root = events.first else { return nil }
    let bytes = slice.file.bytes
    var start = slice.range.lowerBound
    var head = ""
    if slice.range.count >= 3, bytes[start..<start + 3].elementsEqual("---".utf8) {
      start += 3
      head = "---"
    }
    var writer = LayoutWriter(
      slice.file, events, in: start..<slice.range.upperBound, head: head)
    guard (try? writer.writeDocument(root)) != nil else { return nil }
    let text = writer.out.trimmingEnd
    let copy = SourceFile(name: slice.file.name, text: text + "\n")
    guard let again = try? self.events(of: DocumentSlice(whole: copy)),
      again.count == events.count, zip(events, again).allSatisfy(isSame)
    else { return nil }
    return text
  }

  /// The events of a document's nodes.
  private static func events(of slice: DocumentSlice) throws(Diagnostic) -> [Event] {
    let parser = EventParser(slice)
    var events: [Event] = []
    while true {
      let event = try parser.next()
      switch event.kind {
      case .documentEnd: return events
      case .other: continue
      default: events.append(event)
      }
    }
  }

  /// Whether two events are equivalent; quotes may be omitted only if they are.
  private static func isSame(_ left: Event, _ right: Event) -> Bool {
    guard left.kind == right.kind, left.text == right.text, left.anchor == right.anchor,
      left.tag == right.tag
    else { return false }
    guard left.kind == .scalar, left.style != right.style else { return true }
    let quoted: [Scalar.Style] = [.singleQuoted, .doubleQuoted]
    return quoted.contains(left.style)
      && (quoted.contains(right.style) || PlainText.isSafe(left.text, isInFlow: false))
  }
}

extension String {
  /// The text without blanks and line breaks at its end.
  fileprivate var trimmingEnd: String {
    var text = Substring(self)
    while let last = text.last, last.isWhitespace { text.removeLast() }
    return String(text)
  }
}
