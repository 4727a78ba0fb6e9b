package import CEL

/// Reads Apple property lists in XML or binary form.
package enum PropertyList {
  /// Maximum depth and number of values; a binary list may refer to one value any number of times.
  static let maxDepth = 200
  static let maxValues = 4_000_000

  /// Returns the root value and whether the file is complete; nil if it is not a property list.
  ///
  /// - Complexity: O(bytes + values).
  package static func value(of bytes: [UInt8]) -> (value: Value, isWhole: Bool)? {
    if bytes.starts(with: Array("bplist0".utf8)) {
      var list = BinaryPropertyList(bytes)
      return list?.value().map { ($0, true) }
    }
    return value(ofMarkup: DecodedText(bytes).text)
  }

  /// An open array or dictionary.
  private struct Container {
    let isMap: Bool
    var key: String?
    var map = MapValue()
    var values: [Value] = []

    var value: Value { isMap ? .map(map) : .list(values) }

    mutating func add(_ value: Value) {
      if !isMap {
        values.append(value)
      } else if let key {
        map[key] = value
        self.key = nil
      }
    }
  }

  private static func value(ofMarkup text: String) -> (value: Value, isWhole: Bool)? {
    var scanner = MarkupScanner(text, .xml)
    var open: [Container] = []
    var content = ""
    var count = 0
    while let token = scanner.next(wantsAttributes: false) {
      switch token {
      case .text(let piece): content += piece
      case .start(let tag):
        content = ""
        guard tag.name == "dict" || tag.name == "array" else { continue }
        guard open.count < maxDepth else { return nil }
        open.append(Container(isMap: tag.name == "dict"))
      case .end("key"):
        if let last = open.indices.last { open[last].key = content }
      case .end(let name):
        let isContainer = name == "dict" || name == "array"
        guard let value = isContainer ? open.popLast()?.value : scalar(name, content) else {
          continue
        }
        count += 1
        guard count < maxValues else { return nil }
        guard let last = open.indices.last else { return (value, true) }
        open[last].add(value)
      case .cutOff: break
      }
    }
    // Close the containers of a truncated file.
    while let last = open.popLast() {
      guard let outer = open.indices.last else { return (last.value, false) }
      open[outer].add(last.value)
    }
    return nil
  }

  private static func scalar(_ name: String, _ content: String) -> Value? {
    let text = content.trimmingBlanks
    return switch name {
    case "string": .string(content)
    case "integer": Int64(text).map { .int($0) }
    case "real": Double(text).map { .double($0) }
    case "true": true
    case "false": false
    case "date": Timestamp(rfc3339: text).map { .timestamp($0) }
    case "data": .bytes(MailText.base64(text.utf8))
    default: nil
    }
  }
}

/// A binary property list (the format is described in CoreFoundation's CFBinaryPList.c).
private struct BinaryPropertyList {
  private let bytes: [UInt8]
  private let offsetSize: Int
  private let referenceSize: Int
  private let count: Int
  private let top: Int
  private let table: Int
  /// The number of values that may still be created.
  private var left = PropertyList.maxValues

  init?(_ bytes: [UInt8]) {
    self.bytes = bytes
    let end = bytes.count - 32
    guard end >= 8 else { return nil }
    offsetSize = Int(bytes[end + 6])
    referenceSize = Int(bytes[end + 7])
    guard (1...8).contains(offsetSize), (1...8).contains(referenceSize),
      let count = Self.number(bytes[(end + 8)..<(end + 16)]),
      let top = Self.number(bytes[(end + 16)..<(end + 24)]),
      let table = Self.number(bytes[(end + 24)..<(end + 32)]),
      table < end, count <= (end - table) / offsetSize
    else { return nil }
    (self.count, self.top, self.table) = (count, top, table)
  }

  mutating func value() -> Value? { value(top, depth: 0) }

  /// Reads a big-endian number; nil if it is too large for an offset.
  private static func number(_ bytes: ArraySlice<UInt8>) -> Int? {
    let number = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return number < 1 << 40 ? Int(number) : nil
  }

  /// Returns a range of bytes; nil if it exceeds the file.
  private func slice(_ start: Int, _ length: Int) -> ArraySlice<UInt8>? {
    guard start >= 0, length >= 0, start <= table, length <= table - start else { return nil }
    return bytes[start..<start + length]
  }

  private mutating func value(_ number: Int, depth: Int) -> Value? {
    left -= 1
    guard number < count, depth < PropertyList.maxDepth, left > 0 else { return nil }
    let entry = table + number * offsetSize
    guard let place = Self.number(bytes[entry..<entry + offsetSize]), place < table else {
      return nil
    }
    let (kind, low) = (bytes[place] >> 4, Int(bytes[place] & 15))
    switch kind {
    case 0: return bytes[place] == 9 ? true : bytes[place] == 8 ? false : .null
    case 1:
      guard low <= 3, let digits = slice(place + 1, 1 << low) else { return nil }
      return .int(digits.reduce(Int64(0)) { $0 << 8 | Int64($1) })
    case 2, 3:
      guard low == 2 || low == 3, let digits = slice(place + 1, 1 << low) else { return nil }
      let bits = digits.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      let number = low == 3 ? Double(bitPattern: bits) : Double(Float(bitPattern: UInt32(bits)))
      if kind == 2 { return .double(number) }
      // Seconds since 2001-01-01.
      guard number.magnitude < 1e11 else { return .null }
      return .timestamp(Timestamp(seconds: 978_307_200 + Int64(number)))
    default: break
    }
    guard let (length, start) = length(low, at: place + 1) else { return nil }
    switch kind {
    case 4: return slice(start, length).map { .bytes(Array($0)) }
    case 5: return slice(start, length).map { .string(String(decoding: $0, as: UTF8.self)) }
    case 6:
      return slice(start, length * 2).map {
        .string(
          String(decoding: CharsetDecoder.units(of: $0, isBigEndian: true), as: UTF16.self))
      }
    case 10, 12: return values(start, length, depth).map { .list($0) }
    case 13:
      guard let keys = values(start, length, depth),
        let values = values(start + length * referenceSize, length, depth)
      else { return nil }
      var map = MapValue()
      for (key, value) in zip(keys, values) {
        if case .string(let name) = key { map[name] = value }
      }
      return .map(map)
    default: return .null
    }
  }

  private mutating func values(_ start: Int, _ length: Int, _ depth: Int) -> [Value]? {
    guard length < left, let references = slice(start, length * referenceSize) else { return nil }
    var values: [Value] = []
    for index in 0..<length {
      let reference = references.dropFirst(index * referenceSize).prefix(referenceSize)
      guard let number = Self.number(reference), let value = value(number, depth: depth + 1) else {
        return nil
      }
      values.append(value)
    }
    return values
  }

  /// Reads the length of a value and where its content begins; 15 means that a number follows.
  private func length(_ low: Int, at place: Int) -> (Int, Int)? {
    guard low == 15 else { return (low, place) }
    guard place < table, bytes[place] >> 4 == 1, bytes[place] & 15 <= 3 else { return nil }
    let size = 1 << Int(bytes[place] & 15)
    guard let digits = slice(place + 1, size), let number = Self.number(digits),
      number <= bytes.count
    else { return nil }
    return (number, place + 1 + size)
  }
}
