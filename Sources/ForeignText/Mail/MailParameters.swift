/// The parameters of a field such as `text/plain; charset="utf-8"` (RFC 2045 §5.1, RFC 2231).
struct MailParameters {
  /// The values by their names in lower case; those of continuations still have their stars.
  private var values: [String: String] = [:]

  /// - Complexity: O(bytes).
  init(_ field: String) {
    let bytes = Array(field.utf8)
    var position = bytes.firstIndex(of: UInt8(ascii: ";")) ?? bytes.count
    while position < bytes.count {
      position += 1
      let start = position
      while position < bytes.count, bytes[position] != 0x3D, bytes[position] != 0x3B {
        position += 1
      }
      guard position < bytes.count, bytes[position] == 0x3D else { continue }
      let name = String(decoding: bytes[start..<position], as: UTF8.self).trimmingBlanks
      position += 1
      while position < bytes.count, bytes[position].isBlank { position += 1 }
      var value: [UInt8] = []
      if position < bytes.count, bytes[position] == 0x22 {
        position += 1
        while position < bytes.count, bytes[position] != 0x22 {
          if bytes[position] == 0x5C, position + 1 < bytes.count { position += 1 }
          value.append(bytes[position])
          position += 1
        }
        while position < bytes.count, bytes[position] != 0x3B { position += 1 }
      } else {
        while position < bytes.count, bytes[position] != 0x3B {
          value.append(bytes[position])
          position += 1
        }
      }
      let key = name.lowercased()
      if values[key] == nil { values[key] = String(decoding: value, as: UTF8.self).trimmingBlanks }
    }
  }

  /// The value of a parameter, with its continuations joined and decoded; nil if it is missing.
  subscript(_ name: String) -> String? {
    if let text = values[name] {
      // A comment may follow a value without quotes.
      return text.firstRange(of: " (").map { String(text[..<$0.lowerBound]) } ?? text
    }
    if let text = values[name + "*"] { return Self.decoded(Self.pieces(text)) }
    // A piece that is lost does not take the others with it.
    let numbers = values.keys.compactMap { key in
      key.hasPrefix(name + "*") ? Int(key.dropFirst(name.utf8.count + 1).prefix { $0 != "*" }) : nil
    }
    if numbers.isEmpty { return nil }
    var charset = ""
    var bytes: [UInt8] = []
    for number in Set(numbers).sorted() {
      if let text = values["\(name)*\(number)"] {
        bytes += Array(text.utf8)
      } else if let text = values["\(name)*\(number)*"] {
        let piece = number == 0 ? Self.pieces(text) : (charset, Self.bytes(text))
        charset = piece.0
        bytes += piece.1
      }
    }
    return Self.decoded((charset, bytes))
  }

  /// The encoding and the bytes of a value such as `utf-8''%E2%82%AC.txt`.
  private static func pieces(_ text: String) -> (String, [UInt8]) {
    let parts = text.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
    return parts.count == 3 ? (String(parts[0]), bytes(String(parts[2]))) : ("", bytes(text))
  }

  private static func bytes(_ text: String) -> [UInt8] { MailText.unescaped(text.utf8, "%") }

  private static func decoded(_ value: (charset: String, bytes: [UInt8])) -> String {
    MailText.text(value.bytes, charset: value.charset)
  }
}
