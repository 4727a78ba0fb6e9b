package import CEL
import JSON

/// Splits a byte stream into messages (LSP 3.17, “Base protocol”).
package struct MessageReader: Sendable {
  /// A message or an error.
  package enum Part: Sendable {
    case message(Value)
    /// An invalid header, or content that is not JSON.
    case malformed(String)
  }

  /// Maximum content length.
  static let longestContent = 64 << 20
  /// Maximum header length.
  private static let longestHead = 8 << 10
  private static let separator = Array("\r\n\r\n".utf8)

  private var bytes: [UInt8] = []
  private var position = 0

  package init() {}

  /// Adds received bytes.
  package mutating func append(_ new: some Sequence<UInt8>) {
    if position > 0 {
      bytes.removeSubrange(..<position)
      position = 0
    }
    bytes += new
  }

  /// The next message; nil if incomplete.
  ///
  /// A header without a length is skipped.
  package mutating func next() -> Part? {
    while true {
      guard let end = headEnd else {
        // Too long for a header.
        if bytes.count - position > Self.longestHead { position = bytes.count - 3 }
        return nil
      }
      guard let length = Self.length(in: bytes[position..<end]) else {
        position = end + Self.separator.count
        return .malformed("a message must have a header Content-Length")
      }
      let start = end + Self.separator.count
      guard bytes.count - start >= length else { return nil }
      position = start + length
      do {
        return .message(
          try JSONParser(acceptsDuplicates: true).parse(Array(bytes[start..<start + length])))
      } catch {
        return .malformed("\(error)")
      }
    }
  }

  /// The offset of the header's end.
  private var headEnd: Int? {
    let last = min(bytes.count, position + Self.longestHead) - Self.separator.count
    guard last >= position else { return nil }
    return (position...last).first {
      bytes[$0] == 0x0D && bytes[$0..<$0 + 4].elementsEqual(Self.separator)
    }
  }

  private static func length(in head: ArraySlice<UInt8>) -> Int? {
    for line in head.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
      let parts = String(decoding: line, as: UTF8.self).split(separator: ":", maxSplits: 1)
      // Garbage may precede the header.
      guard parts.count == 2, parts[0].lowercased().hasSuffix("content-length") else { continue }
      guard let length = Int(parts[1].filter { $0 != " " }), (0...longestContent).contains(length)
      else { return nil }
      return length
    }
    return nil
  }

  /// A message with its header.
  package static func bytes(of message: Value) -> [UInt8] {
    var content: [UInt8] = []
    do throws(JSONError) {
      try JSONWriter(escapesInvisible: false).write(message, to: &content)
    } catch {
      return []
    }
    return Array("Content-Length: \(content.count)\r\n\r\n".utf8) + content
  }
}
