package import CEL
import CJansson

/// Parses JSON texts, within limits of size and depth.
///
/// The target owns JSON: parsing with Jansson into CEL values and errors with positions, writing
/// values, and JSON Lines.
package struct JSONParser: Sendable {
  /// Maximum nesting depth.
  package var maxDepth: Int
  /// Maximum length of a text in bytes.
  package var maxBytes: Int
  /// Whether the last of duplicate keys wins; if false, they are an error.
  package var acceptsDuplicates: Bool

  package init(
    maxDepth: Int = 128, maxBytes: Int = 256 << 20, acceptsDuplicates: Bool = false
  ) {
    self.maxDepth = maxDepth
    self.maxBytes = maxBytes
    self.acceptsDuplicates = acceptsDuplicates
  }

  /// Parses a JSON text; numbers without fraction or exponent become ints, others doubles.
  package func parse(_ text: String) throws(JSONError) -> Value {
    try parse(Array(text.utf8))
  }

  /// Parses a JSON text in UTF-8.
  package func parse(_ bytes: [UInt8]) throws(JSONError) -> Value {
    // `withUnsafeBytes` has no typed throws, so the closure returns a result.
    try bytes.withUnsafeBytes { bytes in
      Result { () throws(JSONError) in try parse(bytes) }
    }.get()
  }

  /// Parses a JSON text in UTF-8.
  package func parse(_ text: UnsafeRawBufferPointer) throws(JSONError) -> Value {
    guard text.count <= maxBytes else {
      throw JSONError(.limit, "the JSON text is longer than \(maxBytes) bytes")
    }
    // Jansson needs a pointer even for an empty text.
    guard let base = text.baseAddress, text.count > 0 else {
      throw JSONError(.syntax, "the JSON text is empty", at: .init(of: 0, in: text))
    }
    var report = json_error_t()
    let duplicates = acceptsDuplicates ? 0 : JSON_REJECT_DUPLICATES
    let flags = Int(duplicates | JSON_DECODE_ANY | JSON_ALLOW_NUL)
    let root = json_loadb(base.assumingMemoryBound(to: CChar.self), text.count, flags, &report)
    guard let root else { throw JSONError(report, in: text, maxDepth: maxDepth) }
    defer { json_decref(root) }
    guard let value = value(of: root, depth: 0) else {
      throw .tooDeep(in: text, maxDepth: maxDepth)
    }
    return value
  }

  /// Converts a node; nil if it is nested too deeply.
  private func value(of node: UnsafeMutablePointer<json_t>, depth: Int) -> Value? {
    switch node.pointee.type {
    case JSON_TRUE: return .bool(true)
    case JSON_FALSE: return .bool(false)
    case JSON_INTEGER: return .int(Int64(json_integer_value(node)))
    case JSON_REAL: return .double(json_real_value(node))
    case JSON_STRING:
      return .string(text(json_string_value(node), json_string_length(node)))
    case JSON_ARRAY:
      guard depth < maxDepth else { return nil }
      let count = json_array_size(node)
      var items: [Value] = []
      items.reserveCapacity(count)
      for index in 0..<count {
        guard let item = json_array_get(node, index), let item = value(of: item, depth: depth + 1)
        else { return nil }
        items.append(item)
      }
      return .list(items)
    case JSON_OBJECT:
      guard depth < maxDepth else { return nil }
      var fields: [(String, Value)] = []
      fields.reserveCapacity(json_object_size(node))
      var position = json_object_iter(node)
      while let current = position {
        guard let field = json_object_iter_value(current),
          let field = value(of: field, depth: depth + 1)
        else { return nil }
        let key = text(json_object_iter_key(current), json_object_iter_key_len(current))
        fields.append((key, field))
        position = json_object_iter_next(node, current)
      }
      return .map(MapValue(fields))
    default: return .null
    }
  }

  private func text(_ start: UnsafePointer<CChar>?, _ count: Int) -> String {
    let bytes = UnsafeRawBufferPointer(start: start, count: count)
    return String(decoding: bytes, as: UTF8.self)
  }
}
