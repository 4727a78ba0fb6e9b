import Source

/// Writes the nodes of a document in the canonical layout, from libyaml's events and the text
/// between them.
struct LayoutWriter {
  /// The text written.
  var out: String
  let file: SourceFile
  let events: [Event]
  /// The end of the document.
  private let limit: Int
  var index = 0
  /// The end of the last token taken.
  var end: Int
  /// Standalone comments that are not written yet.
  var held: [Comment] = []
  /// Whether a blank line comes before the next token.
  var isBlankNext = false
  /// Whether the line written last ends with a comment.
  var endsWithComment = false

  /// A standalone comment: one that fills its line.
  struct Comment {
    let text: String
    let column: Int
    let isAfterBlank: Bool
    /// Whether it follows the dash of an item.
    let isBehindDash: Bool
  }

  /// Notation that the layout does not support.
  struct Unknown: Error {}

  /// Creates a writer.
  ///
  /// - Parameters:
  ///   - range: The document after its marker.
  ///   - head: The marker.
  init(_ file: SourceFile, _ events: [Event], in range: Range<Int>, head: String) {
    self.file = file
    self.events = events
    end = range.lowerBound
    limit = range.upperBound
    out = head
  }

  mutating func writeDocument(_ root: Event) throws {
    try take(to: root.span.range.lowerBound)
    try writeValue(at: 0, isInline: false)
    guard index == events.count else { throw Unknown() }
    isBlankNext = false
    try take(to: limit)
    flush(at: 0)
  }

  // MARK: Comments and lines

  /// Takes the text before the next token: comments after the last token are written at once, all
  /// others held.
  ///
  /// - Parameter separators: The YAML indicators allowed there.
  /// - Returns: The number of comments held before the first of these marks; nil without a mark.
  @discardableResult
  mutating func take(to start: Int, separators: String.UTF8View = "".utf8) throws -> Int? {
    let bytes = file.bytes
    var position = end
    /// Line breaks since the last token or comment.
    var breaks = 0
    var mark: Int?
    while position < start {
      switch bytes[position] {
      case 0x0A:
        breaks += 1
        position += 1
      case 0x20, 0x09, 0x0D: position += 1
      case UInt8(ascii: "#"):
        guard position == 0 || bytes[position - 1] <= 0x20 else { throw Unknown() }
        var last = position
        while last < start, bytes[last] != 0x0A { last += 1 }
        var text = Substring(file.text(in: position..<last))
        while text.last?.isWhitespace ?? false { text.removeLast() }
        let isBehindDash = mark != nil && separators.elementsEqual("-".utf8)
        if breaks == 0, held.isEmpty, !endsWithComment, !isBehindDash, !out.isEmpty {
          out += " " + text
          endsWithComment = true
        } else {
          held.append(
            Comment(
              text: String(text), column: column(position), isAfterBlank: breaks > 1,
              isBehindDash: isBehindDash && breaks == 0))
        }
        breaks = 0
        position = last
      case let byte where separators.contains(byte) && mark == nil:
        mark = held.count
        breaks = 0
        position += 1
      default: throw Unknown()
      }
    }
    if breaks > 1 { isBlankNext = true }
    end = max(end, start)
    return mark
  }

  private func column(_ offset: Int) -> Int {
    var start = offset
    while start > 0, file.bytes[start - 1] != 0x0A { start -= 1 }
    return offset - start
  }

  mutating func breakLine(_ indent: Int) {
    if !out.isEmpty { out += "\n" + String(repeating: " ", count: indent) }
    endsWithComment = false
  }

  /// Writes held comments, all or those before an index, on separate lines.
  mutating func flush(at indent: Int, upTo count: Int? = nil) {
    for comment in held.prefix(count ?? held.count) {
      if comment.isAfterBlank, !out.isEmpty, !out.hasSuffix(":"), !out.hasSuffix("---") {
        out += "\n"
      }
      breakLine(indent)
      out += comment.text
      endsWithComment = true
    }
    held.removeFirst(count ?? held.count)
  }

  /// Begins the line of an entry.
  mutating func beginLine(_ indent: Int, isFirst: Bool) {
    let hasComments = !held.isEmpty
    flush(at: indent)
    if isBlankNext, !isFirst || hasComments, !out.isEmpty { out += "\n" }
    isBlankNext = false
    breakLine(indent)
  }

  /// Continues after an indicator, or on the next line after a comment.
  private mutating func goOn(_ indent: Int) {
    if held.isEmpty, !endsWithComment {
      out += out.isEmpty ? "" : " "
    } else {
      flush(at: indent)
      breakLine(indent)
    }
    isBlankNext = false
  }

  /// Writes the comments that belong to a block that ends, by their column.
  private mutating func endBlock(_ event: Event, column: Int, indent: Int) throws {
    // Another document or the end of the file may follow.
    try take(to: event.span.range.lowerBound)
    flush(at: indent, upTo: held.firstIndex { $0.column < column } ?? held.count)
  }

  // MARK: Nodes

  /// Writes the next node after the current output.
  ///
  /// - Parameters:
  ///   - indent: The indentation of the node's lines.
  ///   - isInline: Whether a block begins behind a dash.
  private mutating func writeValue(at indent: Int, isInline: Bool) throws {
    let event = events[index]
    if let anchor = event.anchor, event.kind != .alias {
      goOn(indent)
      out += "&" + anchor
      end = event.span.range.lowerBound + anchor.utf8.count + 1
      if event.kind == .scalar {
        var start = end
        while start < event.span.range.upperBound, file.bytes[start] <= 0x20 { start += 1 }
        try take(to: start)
        return try writeScalar(from: start, indent)
      }
    }
    switch event.kind {
    case .alias:
      goOn(indent)
      out += "*" + event.text
      finish(event)
    case .scalar: try writeScalar(from: event.span.range.lowerBound, indent)
    case .mappingStart, .sequenceStart:
      if isFlow(event) {
        try take(to: flowStart(event))
        goOn(indent)
        try writeFlow(max(0, indent - 2))
      } else if event.kind == .mappingStart {
        try writeMapping(at: indent, isInline: isInline && event.anchor == nil)
      } else {
        try writeSequence(at: indent, isInline: isInline && event.anchor == nil)
      }
    default: throw Unknown()
    }
  }

  mutating func finish(_ event: Event) {
    end = max(end, event.span.range.upperBound)
    index += 1
  }

  private mutating func writeMapping(at indent: Int, isInline: Bool) throws {
    index += 1
    let column = self.column(events[index].span.range.lowerBound)
    var isFirst = true
    while events[index].kind != .mappingEnd {
      let key = events[index]
      guard key.kind == .scalar, key.anchor == nil else { throw Unknown() }
      try take(to: key.span.range.lowerBound)
      if isFirst, isInline, held.isEmpty, !endsWithComment {
        out += " "
        isBlankNext = false
      } else {
        beginLine(indent, isFirst: isFirst)
      }
      isFirst = false
      try writeKey(key, isInFlow: false)
      let value = events[index]
      guard
        try take(to: value.span.range.lowerBound, separators: ":".utf8) == 0
          || value.span.range.isEmpty
      else { throw Unknown() }
      try writeValue(at: indent + 2, isInline: false)
    }
    try endBlock(events[index], column: column, indent: indent)
    index += 1
  }

  private mutating func writeKey(_ key: Event, isInFlow: Bool) throws {
    guard let text = line(of: key, isInFlow: isInFlow) else { throw Unknown() }
    out += text + ":"
    finish(key)
  }

  private mutating func writeSequence(at indent: Int, isInline: Bool) throws {
    let column = self.column(events[index].span.range.lowerBound)
    index += 1
    var isFirst = true
    while events[index].kind != .sequenceEnd {
      let item = events[index]
      // The comments before the dash, and those behind it.
      let before = try take(to: item.span.range.lowerBound, separators: "-".utf8) ?? held.count
      let behind = Array(held[before...])
      held.removeSubrange(before...)
      if isFirst, isInline, held.isEmpty, !endsWithComment {
        out += " "
        isBlankNext = false
      } else {
        beginLine(indent, isFirst: isFirst)
      }
      isFirst = false
      out += "-"
      held = behind
      if let first = held.first, first.isBehindDash {
        out += " " + first.text
        endsWithComment = true
        held.removeFirst()
      }
      try writeValue(at: indent + 2, isInline: true)
    }
    try endBlock(events[index], column: column, indent: indent)
    index += 1
  }

  // MARK: Scalars

  private mutating func writeScalar(from start: Int, _ indent: Int) throws {
    let event = events[index]
    // A missing value.
    if event.span.range.isEmpty || start >= event.span.range.upperBound {
      index += 1
      return
    }
    if event.style == .literal || event.style == .folded {
      goOn(indent)
      try writeBlock(from: start, indent)
      return
    }
    goOn(indent)
    out += line(of: event, isInFlow: false, from: start) ?? folded(event, from: start, indent)
    finish(event)
  }

  /// A scalar on one line, without quotes that it does not need; nil if it is on several lines.
  func line(of event: Event, isInFlow: Bool, from start: Int? = nil) -> String? {
    let range = (start ?? event.span.range.lowerBound)..<event.span.range.upperBound
    let source = file.text(in: range)
    if source.utf8.contains(0x0A) { return nil }
    guard event.style == .singleQuoted || event.style == .doubleQuoted,
      PlainText.isPrintable(event.text)
    else { return source }
    return PlainText.isSafe(event.text, isInFlow: isInFlow)
      ? event.text : PlainText.quoted(event.text)
  }

  /// A multi-line scalar, whose indentation is insignificant.
  func folded(_ event: Event, from start: Int, _ indent: Int) -> String {
    let lines = file.text(in: start..<event.span.range.upperBound)
      .split(separator: "\n", omittingEmptySubsequences: false)
    let blanks: (Character) -> Bool = { $0 == " " || $0 == "\t" || $0 == "\r" }
    let texts = lines.enumerated().map { number, line -> String in
      var text = number == 0 ? line : line.drop(while: blanks)
      if number < lines.count - 1 {
        // A blank behind a backslash is content.
        while let last = text.last, blanks(last), !text.dropLast().hasSuffix("\\") {
          text.removeLast()
        }
      }
      return number == 0 || text.isEmpty
        ? String(text) : String(repeating: " ", count: indent) + text
    }
    return texts.joined(separator: "\n")
  }

  /// Writes a literal or folded block, with its lines moved to the new indentation.
  private mutating func writeBlock(from start: Int, _ indent: Int) throws {
    let event = events[index]
    var lines = file.text(in: start..<event.span.range.upperBound)
      .split(separator: "\n", omittingEmptySubsequences: false)
    var header = lines.removeFirst()
    while header.last?.isWhitespace ?? false { header.removeLast() }
    let marks = header.prefix { $0 != " " && $0 != "#" }
    // An explicit indentation is relative to the parent.
    guard !marks.contains(where: \.isNumber) else { throw Unknown() }
    let isKept = marks.contains("+")
    let isBlank: (Substring) -> Bool = { $0.allSatisfy { $0 == " " || $0 == "\r" } }
    var blankLines = 0
    while let last = lines.last, isBlank(last) {
      lines.removeLast()
      blankLines += 1
    }
    let depth = lines.filter { !isBlank($0) }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
    out += header
    for line in lines {
      out += "\n"
      let text = line.dropFirst(depth)
      if !isBlank(line) {
        out += String(repeating: " ", count: max(indent, 2)) + text
      } else if line.utf8.count > depth {
        // Blanks beyond the indentation are content.
        out += String(repeating: " ", count: max(indent, 2)) + text
      }
    }
    if isKept { out += String(repeating: "\n", count: max(0, blankLines - 1)) }
    finish(event)
    if blankLines > 1, !isKept { isBlankNext = true }
    endsWithComment = false
  }
}
