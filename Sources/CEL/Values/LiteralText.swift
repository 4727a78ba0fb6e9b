/// Formats values as literals of an expression.
enum LiteralText {
  /// The letters of the escapes for U+0007 to U+000D.
  static var controls: String { "abtnvfr" }

  /// Returns a double literal that does not parse as an int.
  static func number(_ value: Double) -> String {
    if !value.isFinite { return "double(\"\(value.shortestText)\")" }
    let text = value.shortestText
    return text.utf8.contains { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "e") }
      ? text : "\(text).0"
  }

  /// Returns a string literal in double quotes, with escapes for invisible characters.
  static func quoted(_ value: String) -> String {
    let unseen: [Unicode.GeneralCategory] = [
      .control, .format, .lineSeparator, .paragraphSeparator,
    ]
    var text = "\""
    for scalar in value.unicodeScalars {
      if let escape = escape(scalar.value) {
        text += escape
      } else if scalar.value == 0xFEFF || unseen.contains(scalar.properties.generalCategory) {
        text +=
          scalar.value > 0xFFFF
          ? "\\U\(hex(scalar.value, 8))" : "\\u\(hex(scalar.value, 4))"
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }

  /// Returns a bytes literal in double quotes, with escapes for all but printable ASCII.
  static func quoted(_ value: [UInt8]) -> String {
    var text = "b\""
    for byte in value {
      if let escape = escape(UInt32(byte)) {
        text += escape
      } else if (0x20..<0x7F).contains(byte) {
        text.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        text += "\\x\(hex(UInt32(byte), 2))"
      }
    }
    return text + "\""
  }

  private static func escape(_ value: UInt32) -> String? {
    switch value {
    case 0x0A: "\\n"
    case 0x0D: "\\r"
    case 0x09: "\\t"
    case 0x22: "\\\""
    case 0x5C: "\\\\"
    default: nil
    }
  }

  private static func hex(_ value: UInt32, _ digits: Int) -> String {
    let text = String(value, radix: 16)
    return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
  }
}
