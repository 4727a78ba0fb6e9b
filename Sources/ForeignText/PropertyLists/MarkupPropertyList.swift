import CEL

/// A property list in XML as programs write them: UTF-8, with elements, comments and the entities of XML.
///
/// Rarer forms, such as another encoding, CDATA or a file that is cut off, are left to the scanner of
/// any markup, which is several times slower.
struct MarkupPropertyList {
  /// The reasons why a file is not read.
  enum Problem: Error {
    /// It uses a rare form, which only the general scanner reads.
    case unusual
    /// It has too many values, or is nested too deeply.
    case tooLarge
  }

  private let bytes: UnsafeBufferPointer<UInt8>
  private var place = 0
  private var bounds: PropertyList.Bounds

  init(_ bytes: UnsafeBufferPointer<UInt8>, _ bounds: PropertyList.Bounds) {
    self.bytes = bytes
    self.bounds = bounds
  }

  /// The elements of property lists.
  private enum Element {
    case plist, dict, array, key
    case scalar(String)
  }

  /// A tag: its element, and whether it closes one, or has no content.
  private struct Tag {
    let element: Element
    var isEnd = false
    var isEmpty = false
  }

  /// Returns the root value.
  mutating func value() throws(Problem) -> Value {
    var open: [PropertyList.Container] = []
    while true {
      let tag = try nextTag()
      var value: Value
      switch tag.element {
      case .plist: continue
      case .key:
        guard !tag.isEnd, !open.isEmpty else { throw .unusual }
        open[open.count - 1].key = tag.isEmpty ? "" : try content(until: "key")
        continue
      case .dict, .array:
        let isMap = if case .dict = tag.element { true } else { false }
        if tag.isEnd {
          guard let last = open.popLast(), last.isMap == isMap else { throw .unusual }
          value = last.value
        } else if tag.isEmpty {
          value = PropertyList.Container(isMap: isMap).value
        } else {
          guard open.count < PropertyList.maxDepth else { throw .tooLarge }
          open.append(PropertyList.Container(isMap: isMap))
          continue
        }
      case .scalar(let name):
        guard !tag.isEnd else { throw .unusual }
        guard
          let scalar = PropertyList.scalar(name, tag.isEmpty ? "" : try content(until: name))
        else { continue }
        value = scalar
      }
      guard bounds.count(value) else { throw .tooLarge }
      guard !open.isEmpty else { return value }
      open[open.count - 1].add(value)
    }
  }

  // MARK: Tags

  /// Reads the next tag of an element, past blanks, comments and declarations.
  private mutating func nextTag() throws(Problem) -> Tag {
    while true {
      while place < bytes.count, bytes[place] != UInt8(ascii: "<") { place += 1 }
      guard place + 2 < bytes.count else { throw .unusual }
      switch bytes[place + 1] {
      case UInt8(ascii: "?"): try skip(past: "?>")
      case UInt8(ascii: "!"):
        let start = place
        if has("<!--", at: place) {
          try skip(past: "-->")
        } else {
          try skip(past: ">")
          // An internal subset may define entities.
          guard !bytes[start..<place].contains(UInt8(ascii: "[")) else { throw .unusual }
        }
      default: return try tag()
      }
    }
  }

  private mutating func tag() throws(Problem) -> Tag {
    let isEnd = bytes[place + 1] == UInt8(ascii: "/")
    let start = place + (isEnd ? 2 : 1)
    var end = start
    while end < bytes.count, bytes[end] >= UInt8(ascii: "a"), bytes[end] <= UInt8(ascii: "z") {
      end += 1
    }
    let name = start..<end
    try skip(past: ">")
    let isEmpty = bytes[place - 2] == UInt8(ascii: "/")
    guard let element = element(name) else { throw .unusual }
    return Tag(element: element, isEnd: isEnd, isEmpty: isEmpty)
  }

  private func element(_ name: Range<Int>) -> Element? {
    switch name.count {
    case 3 where has("key", at: name.lowerBound): .key
    case 4 where has("dict", at: name.lowerBound): .dict
    case 4 where has("true", at: name.lowerBound): .scalar("true")
    case 4 where has("real", at: name.lowerBound): .scalar("real")
    case 4 where has("date", at: name.lowerBound): .scalar("date")
    case 4 where has("data", at: name.lowerBound): .scalar("data")
    case 5 where has("array", at: name.lowerBound): .array
    case 5 where has("false", at: name.lowerBound): .scalar("false")
    case 5 where has("plist", at: name.lowerBound): .plist
    case 6 where has("string", at: name.lowerBound): .scalar("string")
    case 7 where has("integer", at: name.lowerBound): .scalar("integer")
    default: nil
    }
  }

  private func has(_ text: StaticString, at start: Int) -> Bool {
    let count = text.utf8CodeUnitCount
    guard start + count <= bytes.count else { return false }
    for index in 0..<count where bytes[start + index] != text.utf8Start[index] { return false }
    return true
  }

  private mutating func skip(past end: StaticString) throws(Problem) {
    let count = end.utf8CodeUnitCount
    while place + count <= bytes.count {
      if bytes[place] == end.utf8Start[0], has(end, at: place) {
        place += count
        return
      }
      place += 1
    }
    throw .unusual
  }

  // MARK: Content

  /// Reads the content of an element, to behind its end.
  private mutating func content(until name: String) throws(Problem) -> String {
    let start = place
    var isPlain = true
    while place < bytes.count, bytes[place] != UInt8(ascii: "<") {
      // A carriage return is a line feed in XML.
      if bytes[place] == UInt8(ascii: "\r") || bytes[place] == 0 { throw .unusual }
      if bytes[place] == UInt8(ascii: "&") { isPlain = false }
      place += 1
    }
    let end = place
    guard place + name.utf8.count + 2 < bytes.count, bytes[place + 1] == UInt8(ascii: "/"),
      bytes[(place + 2)...].starts(with: name.utf8),
      bytes[place + 2 + name.utf8.count] == UInt8(ascii: ">")
    else { throw .unusual }
    place += name.utf8.count + 3
    if isPlain {
      guard let text = String(validating: bytes[start..<end], as: UTF8.self) else {
        throw .unusual
      }
      return text
    }
    return try unescaped(start..<end)
  }

  /// A text with its entities replaced.
  private func unescaped(_ range: Range<Int>) throws(Problem) -> String {
    var output: [UInt8] = []
    output.reserveCapacity(range.count)
    var index = range.lowerBound
    while index < range.upperBound {
      guard bytes[index] == UInt8(ascii: "&") else {
        output.append(bytes[index])
        index += 1
        continue
      }
      let entities: [(StaticString, UInt8)] = [
        ("&amp;", UInt8(ascii: "&")), ("&lt;", UInt8(ascii: "<")), ("&gt;", UInt8(ascii: ">")),
        ("&quot;", UInt8(ascii: "\"")), ("&apos;", UInt8(ascii: "'")),
      ]
      guard let entity = entities.first(where: { has($0.0, at: index) }) else { throw .unusual }
      output.append(entity.1)
      index += entity.0.utf8CodeUnitCount
    }
    guard let text = String(validating: output, as: UTF8.self) else { throw .unusual }
    return text
  }
}
