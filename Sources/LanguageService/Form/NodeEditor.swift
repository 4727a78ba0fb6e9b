import Source
import YAML

/// A change of a text that a form cannot make.
package struct FormProblem: Error {
  package let message: String

  init(_ message: String) { self.message = message }

  /// The problem of a text that is not readable.
  package static let unreadable = FormProblem(
    "the steps are shown here once the text can be read")
  static let layout = FormProblem("this part is laid out in a way that only the text can change")
}

/// Computes changes of a text at the nodes of its tree; all other bytes stay.
struct NodeEditor {
  /// The replacement of a range of bytes.
  typealias Change = (range: Range<Int>, text: String)

  let bytes: [UInt8]

  /// The bytes with a change.
  func applied(_ change: Change) -> [UInt8] {
    Array(bytes[..<change.range.lowerBound]) + Array(change.text.utf8)
      + Array(bytes[change.range.upperBound...])
  }

  // MARK: Mappings

  /// Gives a key of a mapping a value.
  ///
  /// - Parameter previous: The key after which a missing one is added; nil for the last one.
  func set(
    _ key: String, to value: Written, in node: Node, after previous: String? = nil
  ) throws(FormProblem) -> Change {
    guard let entries = node.mapping?.entries else { throw .layout }
    let isFlow = isFlow(node)
    guard let last = entries.last else { return (node.span.range, "{\(key): \(value.flow)}") }
    let indent = isFlow ? nil : column(of: entries[0].key.span.range.lowerBound)
    if let entry = node.mapping?.entry(key) {
      let colon = try colon(after: entry)
      let range = entry.value.span.range
      let end = max(trimmedEnd(of: range), colon + 1)
      let isBeside = !range.isEmpty && lineEnd(from: colon) >= range.lowerBound
      let start = isBeside ? range.lowerBound : colon + 1
      guard isBeside || !bytes[start..<max(range.lowerBound, start)].contains(UInt8(ascii: "#"))
      else { throw .layout }
      let text = value.text(indent: indent, newline)
      if text.utf8.first == newline.utf8.first { return (colon + 1..<end, text) }
      return (start..<end, isBeside ? text : " " + text)
    }
    let text = "\(PlainText.scalar(key, isInFlow: isFlow)):" + value.afterColon(indent, newline)
    let entry = previous.flatMap { node.mapping?.entry($0) } ?? last
    let end = try max(trimmedEnd(of: entry.value.span.range), colon(after: entry) + 1)
    guard let indent else { return (end..<end, ", " + text) }
    let line = lineEnd(from: end)
    return (line..<line, newline + String(repeating: " ", count: indent) + text)
  }

  /// Removes a key of a mapping.
  func remove(_ key: String, from node: Node) throws(FormProblem) -> Change {
    guard let entries = node.mapping?.entries,
      let index = entries.firstIndex(where: { $0.key.text == key })
    else { throw .layout }
    if entries.count == 1 {
      guard isFlow(node) else { throw .layout }
      return (node.span.range, "{}")
    }
    let start = entries[index].key.span.range.lowerBound
    let end = try max(
      trimmedEnd(of: entries[index].value.span.range), colon(after: entries[index]) + 1)
    if !isFlow(node), isBlank(lineStart(of: start)..<start) {
      // A line with its own end; the file may end without one.
      let line = lineStart(of: start)
      let next = min(lineEnd(from: end) + newline.utf8.count, bytes.count)
      return (line..<next, "")
    }
    if index + 1 < entries.count {
      let next = entries[index + 1].key.span.range.lowerBound
      guard !bytes[end..<next].contains(UInt8(ascii: "#")) else { throw .layout }
      return (start..<next, "")
    }
    let before = try max(
      trimmedEnd(of: entries[index - 1].value.span.range), colon(after: entries[index - 1]) + 1)
    return (before..<end, "")
  }

  // MARK: Lists

  /// Adds an item at the end of the list below a key.
  func append(
    _ item: Written, to key: String, in node: Node, after previous: String? = nil
  ) throws(FormProblem) -> Change {
    guard let value = node.mapping?[key], value.scalar?.isNull != true else {
      return try set(key, to: .items([item]), in: node, after: previous)
    }
    guard let items = value.sequence else {
      // A single step without a list.
      let isOneLine = isFlow(value) || value.scalar.map { $0.style == .plain } ?? false
      guard isOneLine else { throw .layout }
      return (value.span.range, "[\(value.span.text), \(item.flow)]")
    }
    if items.isEmpty { return try set(key, to: .items([item]), in: node) }
    if isFlow(value) {
      let end = trimmedEnd(of: items[items.count - 1].span.range)
      return (end..<end, ", " + item.flow)
    }
    let lines = try lines(of: items.count - 1, in: items)
    let dash = try dash(of: items[items.count - 1])
    let indent = column(of: dash)
    return (
      lines.upperBound..<lines.upperBound,
      newline + String(repeating: " ", count: indent) + "- " + item.block(indent + 2, newline)
    )
  }

  /// Removes an item of a list, with the comments above it.
  func remove(_ index: Int, from node: Node) throws(FormProblem) -> Change {
    guard let items = node.sequence, items.indices.contains(index) else { throw .layout }
    if isFlow(node) {
      let range = items[index].span.range
      if items.count == 1 { return (node.span.range, "[]") }
      return index + 1 < items.count
        ? (range.lowerBound..<items[index + 1].span.range.lowerBound, "")
        : (trimmedEnd(of: items[index - 1].span.range)..<trimmedEnd(of: range), "")
    }
    let lines = try lines(of: index, in: items)
    return (lines.lowerBound..<min(lines.upperBound + newline.utf8.count, bytes.count), "")
  }

  /// Exchanges an item of a list with the next one; what is between them stays.
  func swap(_ index: Int, in node: Node) throws(FormProblem) -> Change {
    guard let items = node.sequence, items.indices.contains(index), index + 1 < items.count else {
      throw .layout
    }
    let (first, second) =
      isFlow(node)
      ? (
        items[index].span.range.lowerBound..<trimmedEnd(of: items[index].span.range),
        items[index + 1].span.range.lowerBound..<trimmedEnd(of: items[index + 1].span.range)
      ) : (try lines(of: index, in: items), try lines(of: index + 1, in: items))
    guard first.upperBound <= second.lowerBound else { throw .layout }
    return (
      first.lowerBound..<second.upperBound,
      text(second) + text(first.upperBound..<second.lowerBound) + text(first)
    )
  }

  /// The lines of an item in block style: the comments above it at its indentation, its own, and the
  /// comments below it that are indented more; without the last line break.
  private func lines(of index: Int, in items: [Node]) throws(FormProblem) -> Range<Int> {
    let dash = try dash(of: items[index])
    let indent = column(of: dash)
    var start = lineStart(of: dash)
    guard isBlank(start..<dash) else { throw .layout }
    while start > 0, let comment = comment(at: lineStart(of: start - 1)), comment == indent {
      start = lineStart(of: start - 1)
    }
    var end = lineEnd(from: max(trimmedEnd(of: items[index].span.range), dash + 1))
    while end + newline.utf8.count < bytes.count,
      let comment = comment(at: end + newline.utf8.count), comment > indent
    { end = lineEnd(from: end + newline.utf8.count) }
    return start..<end
  }

  private func dash(of item: Node) throws(FormProblem) -> Int {
    var index = item.span.range.lowerBound - 1
    while index >= 0, bytes[index] <= 0x20 { index -= 1 }
    guard index >= 0, bytes[index] == UInt8(ascii: "-") else { throw .layout }
    return index
  }

  /// The indentation of a line that is only a comment; nil for other lines.
  private func comment(at start: Int) -> Int? {
    var index = start
    while index < bytes.count, bytes[index] == 0x20 { index += 1 }
    return index < bytes.count && bytes[index] == UInt8(ascii: "#") ? index - start : nil
  }

  // MARK: Places

  /// Whether a list or a mapping is written with brackets.
  func isFlow(_ node: Node) -> Bool {
    node.scalar == nil && bytes[node.span.range].first.map { [0x5B, 0x7B].contains($0) } == true
  }

  /// Whether a step of one word is written within the brackets of a list.
  func isInBrackets(_ step: Node) -> Bool {
    var index = step.span.range.lowerBound - 1
    while index >= 0, bytes[index] <= 0x20 { index -= 1 }
    return index < 0 || bytes[index] != UInt8(ascii: "-")
  }

  /// The line break of the file.
  private var newline: String {
    let end = bytes.firstIndex(of: 0x0A) ?? 0
    return end > 0 && bytes[end - 1] == 0x0D ? "\r\n" : "\n"
  }

  private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  private func lineStart(of index: Int) -> Int {
    bytes[..<index].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
  }

  private func lineEnd(from index: Int) -> Int {
    let end = bytes[index...].firstIndex(of: 0x0A) ?? bytes.count
    return end > index && bytes[end - 1] == 0x0D ? end - 1 : end
  }

  func column(of index: Int) -> Int { index - lineStart(of: index) }

  private func isBlank(_ range: Range<Int>) -> Bool { bytes[range].allSatisfy { $0 == 0x20 } }

  /// The end of a range without the line breaks and blanks at its end, which block texts have.
  private func trimmedEnd(of range: Range<Int>) -> Int {
    var end = range.upperBound
    while end > range.lowerBound, bytes[end - 1] <= 0x20 { end -= 1 }
    return end
  }

  private func colon(after entry: Mapping.Entry) throws(FormProblem) -> Int {
    var index = entry.key.span.range.upperBound
    while index < bytes.count, bytes[index] == 0x20 { index += 1 }
    guard index < bytes.count, bytes[index] == UInt8(ascii: ":") else { throw .layout }
    return index
  }
}
