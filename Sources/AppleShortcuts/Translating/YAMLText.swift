/// A part of a YAML document with its notation.
enum YAMLText {
  /// An entry of a mapping.
  struct Entry {
    let key: String
    let value: YAMLText
  }

  /// A scalar, verbatim.
  case scalar(String)
  /// A text of several lines.
  case lines([Substring])
  /// A mapping, in block style if `inLines`.
  case fields([Entry], inLines: Bool)
  case list([YAMLText])
  /// Lines of a comment, among the elements of a list.
  case comment([String])

  /// A mapping in one line if it is short.
  static func map(_ entries: [(key: String, value: YAMLText)]) -> YAMLText {
    .fields(entries.map { Entry(key: $0.key, value: $0.value) }, inLines: false)
  }

  /// A mapping that is never written in one line.
  static func block(_ entries: [(key: String, value: YAMLText)]) -> YAMLText {
    .fields(entries.map { Entry(key: $0.key, value: $0.value) }, inLines: true)
  }

  /// Whether a character can appear in YAML unescaped.
  static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x20...0x7E, 0xA0...0xD7FF, 0xE000...0xFFFD:
      scalar.value != 0xFEFF && scalar.value != 0x2028 && scalar.value != 0x2029
        && !(0xFDD0...0xFDEF).contains(scalar.value)
    case 0x10000...0x10FFFF: scalar.value & 0xFFFE != 0xFFFE
    default: false
    }
  }

  /// A text as a value, in its simplest notation.
  static func text(_ text: String) -> YAMLText {
    if isPlain(text) { return .scalar(text) }
    if text.unicodeScalars.allSatisfy(isPrintable) {
      let quotes = text.utf8.contains(0x27) ? text.replacing("'", with: "''") : text
      return .scalar("'" + quotes + "'")
    }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    if lines.count > 1,
      lines.allSatisfy({ line in
        line.unicodeScalars.allSatisfy(isPrintable) && line.last != " "
      }), let first = lines.first(where: { !$0.isEmpty }), first.first != " ", !lines[0].isEmpty,
      lines.last?.isEmpty == false
    {
      return .lines(lines)
    }
    return .scalar(quoted(text))
  }

  /// A text between double quotes, with escapes that YAML and CEL share.
  ///
  /// - Parameter hidesBraces: Whether braces are escaped, which a template would interpret.
  static func quoted(_ text: String, hidesBraces: Bool = false) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case _ where !isPrintable(scalar) || hidesBraces && (scalar == "{" || scalar == "}"):
        let hex = String(scalar.value, radix: 16)
        let digits = scalar.value > 0xFFFF ? 8 : 4
        result += digits == 8 ? "\\U" : "\\u"
        result += String(repeating: "0", count: max(0, digits - hex.count)) + hex
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  /// The words that YAML reads as other types.
  private static let words: Set = [
    "true", "false", "null", "yes", "no", "on", "off", "y", "n", "nan", "inf",
  ]

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case " ", ".", "!", "?", "-", "_", "/", "…", "“", "”", "’", "(", ")": true
    default: false
    }
  }

  /// A text whose braces are escaped from templates.
  static func escapingBraces(_ text: String) -> String {
    text.utf8.contains(0x7B) ? text.replacing("{{", with: "{{{{") : text
  }

  /// Whether a text never needs quotes.
  private static func isPlain(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first, first.properties.isAlphabetic,
      let last = text.unicodeScalars.last, last != " ", text.utf8.count <= 200
    else { return false }
    if text.utf8.count < 6, words.contains(text.lowercased()) { return false }
    var before: Unicode.Scalar = " "
    for scalar in text.unicodeScalars {
      let isFine =
        scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
        || isMark(scalar) && !(scalar == " " && before == " ")
      guard isFine, isPrintable(scalar) else { return false }
      before = scalar
    }
    return true
  }

  /// A key of a mapping.
  static func key(_ text: String) -> String {
    if case .scalar(let scalar) = self.text(text) { return scalar }
    return quoted(text)
  }

  /// The value on one line within a width, or an empty value; nil if it needs several lines.
  private func inline(_ width: Int) -> String? {
    var text: String
    switch self {
    case .scalar(let scalar): return scalar.utf8.count <= width ? scalar : nil
    case .lines, .comment, .fields(_, inLines: true): return nil
    case .fields(let entries, inLines: false):
      text = "{"
      for (index, entry) in entries.enumerated() {
        text += (index == 0 ? "" : ", ") + entry.key + ": "
        guard let value = entry.value.inline(width - text.utf8.count - 1) else { return nil }
        text += value
      }
      text += "}"
    case .list(let values):
      text = "["
      for (index, value) in values.enumerated() {
        text += index == 0 ? "" : ", "
        guard let part = value.inline(width - text.utf8.count - 1) else { return nil }
        text += part
      }
      text += "]"
    }
    return text.utf8.count <= Swift.max(width, 2) ? text : nil
  }

  /// Writes entries of a mapping at an indentation, until the text is too large.
  static func write(_ entries: [Entry], _ depth: Int, to text: inout String) {
    for (index, entry) in entries.enumerated() where text.utf8.count <= ShortcutFile.maxSize {
      // The first is on the line of the list's dash.
      if index > 0 || !text.hasSuffix("- ") { text += String(repeating: " ", count: depth) }
      text += entry.key + ":"
      entry.value.write(depth, to: &text)
    }
  }

  /// Writes a value after its key.
  private func write(_ depth: Int, to text: inout String) {
    if case .scalar(let scalar) = self {
      text += scalar.isEmpty ? "\n" : " \(scalar)\n"
      return
    }
    if let inline = inline(90 - depth) {
      text += " \(inline)\n"
      return
    }
    switch self {
    case .scalar, .comment: break
    case .lines(let lines):
      text += " |-\n"
      for line in lines {
        text += line.isEmpty ? "\n" : String(repeating: " ", count: depth + 2) + line + "\n"
      }
    case .fields(let entries, _):
      text += "\n"
      Self.write(entries, depth + 2, to: &text)
    case .list(let values):
      text += "\n"
      Self.write(values, depth + 2, to: &text)
    }
  }

  /// Writes the elements of a list at an indentation, until the text is too large.
  static func write(_ values: [YAMLText], _ depth: Int, to text: inout String) {
    for value in values where text.utf8.count <= ShortcutFile.maxSize {
      if case .comment(let lines) = value {
        for line in lines {
          text += String(repeating: " ", count: depth) + (line.isEmpty ? "#\n" : "# \(line)\n")
        }
        continue
      }
      text += String(repeating: " ", count: depth) + "-"
      switch value {
      case .lines, .list: value.write(depth, to: &text)
      case .scalar(let scalar): text += " " + scalar + "\n"
      case .fields(let entries, _):
        text += " "
        write(entries, depth + 2, to: &text)
      case .comment: break
      }
    }
  }
}
