/// Texts that need no quotes.
package enum PlainText {
  /// Words that are not text without quotes, in YAML 1.1 or 1.2.
  private static let reserved: Set = [
    "null", "true", "false", "yes", "no", "on", "off", "y", "n",
  ]

  /// Whether a text needs no quotes, is not mistaken for a number or a date, and stays right if a
  /// person changes it: templates keep their quotes.
  static func isSafe(_ text: String, isInFlow: Bool) -> Bool {
    let bytes = Array(text.utf8)
    guard let first = bytes.first, let last = bytes.last, isPrintable(text),
      first.isLetter || first >= 0x80 || "_/($<".utf8.contains(first),
      last != 0x20, last != UInt8(ascii: ":"), !reserved.contains(text.lowercased()),
      !text.contains("{{")
    else { return false }
    for (index, byte) in bytes.enumerated() {
      switch byte {
      case UInt8(ascii: ":"): if isInFlow || bytes[index + 1] == 0x20 { return false }
      case UInt8(ascii: "#"): if bytes[index - 1] == 0x20 { return false }
      case UInt8(ascii: ","), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "{"),
        UInt8(ascii: "}"), UInt8(ascii: "'"), UInt8(ascii: "\""):
        if isInFlow { return false }
      default: break
      }
    }
    return true
  }

  /// A text as a scalar on one line, in quotes if it needs them.
  package static func scalar(_ text: String, isInFlow: Bool) -> String {
    if isSafe(text, isInFlow: isInFlow) { return text }
    if isPrintable(text) { return quoted(text) }
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": escaped += "\\\(scalar)"
      case "\n": escaped += "\\n"
      case "\t": escaped += "\\t"
      case _ where isPrintable(String(scalar)): escaped.unicodeScalars.append(scalar)
      default:
        let digits = String(scalar.value, radix: 16)
        escaped += "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
      }
    }
    return "\"\(escaped)\""
  }

  /// Whether all characters can stand in any kind of quotes, on one line.
  package static func isPrintable(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { scalar in
      switch scalar.value {
      case ..<0x20, 0x7F...0xA0, 0x2028, 0x2029, 0xFEFF, 0xFFFE, 0xFFFF: false
      default: true
      }
    }
  }

  /// The text in quotes: single ones, or double ones if that spares doubling an apostrophe.
  static func quoted(_ text: String) -> String {
    if !text.contains("'") { return "'\(text)'" }
    if !text.contains("\""), !text.contains("\\") { return "\"\(text)\"" }
    return "'\(text.replacing("'", with: "''"))'"
  }
}

extension UInt8 {
  fileprivate var isLetter: Bool { (0x61...0x7A).contains(self | 0x20) }
}
