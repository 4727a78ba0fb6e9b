package import CEL

/// Reads Apple property lists in XML or binary form.
package enum PropertyList {
  /// Maximum depth of arrays and dictionaries.
  static let maxDepth = 200

  /// The number of values, and the bytes of texts and data, that a file may have when each reference
  /// counts as a copy.
  package struct Bounds: Sendable {
    var values = 4_000_000
    var bytes = Int.max

    package init() {}

    package init(values: Int, bytes: Int) { (self.values, self.bytes) = (values, bytes) }
  }

  /// A property list with more in it than its bounds.
  package struct TooLarge: Error {}

  /// Returns the root value and whether the file is complete; nil if it is not a property list.
  ///
  /// - Throws: `TooLarge`.
  /// - Complexity: O(bytes + values).
  package static func value(
    of bytes: [UInt8], within bounds: Bounds = Bounds()
  ) throws(TooLarge) -> (value: Value, isWhole: Bool)? {
    if bytes.starts(with: "bplist0".utf8) {
      let read = bytes.withUnsafeBufferPointer { bytes in
        var list = BinaryPropertyList(bytes, bounds)
        return (value: list?.value(), isTooLarge: list?.isTooLarge == true)
      }
      if read.isTooLarge { throw TooLarge() }
      return read.value.map { ($0, true) }
    }
    let head = String(decoding: bytes.prefix(200), as: UTF8.self).lowercased()
    if !head.contains("encoding=") || head.contains("utf-8") {
      let read = bytes.withUnsafeBufferPointer { bytes in
        var list = MarkupPropertyList(bytes, bounds)
        return Result { () throws(MarkupPropertyList.Problem) in try list.value() }
      }
      switch read {
      case .success(let value): return (value, true)
      case .failure(.tooLarge): throw TooLarge()
      case .failure(.unusual): break
      }
    }
    return try value(ofMarkup: DecodedText(bytes).text, within: bounds)
  }

  /// An open array or dictionary.
  struct Container {
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

  /// Reads a property list as any markup, also if it is cut off.
  static func value(
    ofMarkup text: String, within bounds: Bounds = Bounds()
  ) throws(TooLarge) -> (value: Value, isWhole: Bool)? {
    var scanner = MarkupScanner(text, .xml)
    var open: [Container] = []
    var content = ""
    var bounds = bounds
    while let token = scanner.next(wantsAttributes: false) {
      switch token {
      case .text(let piece): content += piece
      case .start(let tag):
        content = ""
        guard tag.name == "dict" || tag.name == "array" else { continue }
        guard open.count < maxDepth else { throw TooLarge() }
        open.append(Container(isMap: tag.name == "dict"))
      case .end("key"):
        if let last = open.indices.last { open[last].key = content }
      case .end(let name):
        let isContainer = name == "dict" || name == "array"
        guard let value = isContainer ? open.popLast()?.value : scalar(name, content) else {
          continue
        }
        guard bounds.count(value) else { throw TooLarge() }
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

  /// The value of an element with text; nil if it has none.
  static func scalar(_ name: String, _ content: String) -> Value? {
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

extension PropertyList.Bounds {
  /// Counts a value; false if it is one too many.
  mutating func count(_ value: Value) -> Bool {
    values -= 1
    switch value {
    case .string(let text): bytes -= text.utf8.count
    case .bytes(let data): bytes -= data.count
    default: break
    }
    return values >= 0 && bytes >= 0
  }
}
