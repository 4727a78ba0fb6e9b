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
    if bytes.starts(with: "bplist0".utf8) {
      return bytes.withUnsafeBufferPointer { bytes in
        var list = BinaryPropertyList(bytes)
        return list?.value().map { ($0, true) }
      }
    }
    let head = String(decoding: bytes.prefix(200), as: UTF8.self).lowercased()
    if !head.contains("encoding=") || head.contains("utf-8") {
      let read = bytes.withUnsafeBufferPointer { bytes in
        var list = MarkupPropertyList(bytes)
        return Result { () throws(MarkupPropertyList.Problem) in try list.value() }
      }
      switch read {
      case .success(let value): return (value, true)
      case .failure(.tooLarge): return nil
      case .failure(.unusual): break
      }
    }
    return value(ofMarkup: DecodedText(bytes).text)
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
  static func value(ofMarkup text: String) -> (value: Value, isWhole: Bool)? {
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
