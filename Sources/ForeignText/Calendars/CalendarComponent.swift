/// A component of a calendar (RFC 5545 §3.6) with its properties and components in their order.
///
/// Unknown properties and components stay in the tree, and are written as they were read.
package struct CalendarComponent: Hashable, Sendable {
  /// A property or a component.
  package enum Entry: Hashable, Sendable {
    case property(CalendarProperty)
    case component(CalendarComponent)
  }

  /// The name in upper case, such as `VEVENT`.
  package let name: String
  package var entries: [Entry]

  package init(_ name: String, _ entries: [Entry] = []) {
    (self.name, self.entries) = (name, entries)
  }

  /// The properties in order.
  package var properties: [CalendarProperty] {
    entries.compactMap { if case .property(let property) = $0 { property } else { nil } }
  }

  /// The components in order.
  package var components: [CalendarComponent] {
    entries.compactMap { if case .component(let component) = $0 { component } else { nil } }
  }

  /// The first property of a name.
  package subscript(_ name: String) -> CalendarProperty? {
    for case .property(let property) in entries where property.name == name { return property }
    return nil
  }

  /// Replaces all properties of a name, where the first of them is.
  package mutating func set(_ name: String, _ properties: [CalendarProperty]) {
    let isOne = { (entry: Entry) in
      if case .property(let property) = entry { property.name == name } else { false }
    }
    let first = entries.firstIndex(where: isOne)
    // New properties come before the components.
    let place =
      first ?? entries.firstIndex { if case .component = $0 { true } else { false } }
      ?? entries.count
    entries.removeAll(where: isOne)
    entries.insert(contentsOf: properties.map(Entry.property), at: place)
  }

  // MARK: - Reading

  /// The greatest depth of components in components.
  private static let maxDepth = 20

  /// Returns the outermost components of a file; text outside of them is dropped.
  ///
  /// - Complexity: O(bytes).
  package static func all(in bytes: [UInt8]) -> [CalendarComponent] {
    var roots: [CalendarComponent] = []
    var open: [CalendarComponent] = []
    func close(_ open: inout [CalendarComponent]) {
      guard let last = open.popLast() else { return }
      if open.isEmpty {
        roots.append(last)
      } else {
        open[open.count - 1].entries.append(.component(last))
      }
    }
    for line in lines(bytes) {
      let property = CalendarProperty(line: line.text, source: line.source)
      let name = property.value.trimmingBlanks.uppercased()
      switch property.name {
      case "BEGIN" where open.count < maxDepth: open.append(CalendarComponent(name))
      case "END":
        // An end that is missing is where the component around it ends.
        guard let start = open.lastIndex(where: { $0.name == name }) else { continue }
        while open.count > start { close(&open) }
      default:
        if !open.isEmpty { open[open.count - 1].entries.append(.property(property)) }
      }
    }
    while !open.isEmpty { close(&open) }
    return roots
  }

  /// Returns the lines with their folds undone (§3.1), and as they were read.
  ///
  /// A fold may be within a character, so that bytes are joined before they are decoded.
  private static func lines(_ bytes: [UInt8]) -> [(text: String, source: String?)] {
    let isUnicode = String(validating: bytes, as: UTF8.self) != nil
    var bytes = bytes
    // An encoding with other bytes for line breaks, or one of the Latin kind.
    if !isUnicode, Charset.mark(bytes) != nil || DecodedText.unmarked(bytes) != nil {
      bytes = Array(DecodedText(bytes).text.utf8)
    }
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
    var lines: [(text: [UInt8], source: [UInt8])] = []
    let breaks: Set<UInt8> = [0x0A, 0x0D]
    for line in bytes.split(whereSeparator: breaks.contains) {
      if let first = line.first, first == 0x20 || first == 0x09, let last = lines.indices.last {
        lines[last].text += line.dropFirst()
        lines[last].source += [0x0D, 0x0A] + line
      } else {
        lines.append((Array(line), Array(line)))
      }
    }
    return lines.map { text, source in
      guard let valid = String(validating: text, as: UTF8.self) else {
        return (DecodedText(text).text, nil)
      }
      return (valid, String(validating: source, as: UTF8.self))
    }
  }

  // MARK: - Writing

  /// The component as text.
  package var text: String {
    var text = ""
    write(into: &text)
    return text
  }

  private func write(into text: inout String) {
    text += "BEGIN:\(name)\r\n"
    for entry in entries {
      switch entry {
      case .property(let property): text += property.lines
      case .component(let component): component.write(into: &text)
      }
    }
    text += "END:\(name)\r\n"
  }
}
