import ForeignText

/// Cleans text for display: on one line, without invisible characters.
enum CleanText {
  /// The maximum number of bytes parsed of HTML for one line.
  private static let maxMarkup = 64 << 10

  /// A text on one line; nil if nothing remains.
  ///
  /// Pages often escape text in attributes and JSON twice, so character references are decoded once
  /// more.
  static func line(_ text: String?, limit: Int = 1_000) -> String? {
    guard let text, !text.isEmpty else { return nil }
    let clean = collapsed(Entities.decoded(text))
    guard !clean.isEmpty else { return nil }
    return clean.count > limit ? String(clean.prefix(limit - 1)) + "…" : clean
  }

  /// The text of possible HTML, as in descriptions of feeds and JSON-LD.
  static func lineOfMarkup(_ text: String?, limit: Int = 1_000) -> String? {
    guard let text else { return nil }
    guard text.contains("<"), text.contains(">") else { return line(text, limit: limit) }
    // Many properties may reference one long text, which is parsed once for each.
    let markup = String(Substring(text.utf8.prefix(maxMarkup)))
    let tree = HTMLTree(markup)
    return line(tree.nodes.isEmpty ? markup : tree.text(of: 0), limit: limit)
  }

  /// A text with runs of white space collapsed, and without invisible characters.
  static func collapsed(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    var isAfterSpace = true
    for scalar in text.unicodeScalars {
      if isSpace(scalar) {
        if !isAfterSpace { result.append(" ") }
        isAfterSpace = true
      } else if !isInvisible(scalar) {
        result.append(scalar)
        isAfterSpace = false
      }
    }
    if result.last == " " { result.removeLast() }
    return String(result)
  }

  /// Whether a character is white space; faster than the Unicode tables.
  static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x20, 0x09...0x0D, 0x85, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F,
      0x3000:
      true
    default: false
    }
  }

  /// Whether a character is invisible and does not join others: controls, soft hyphens, bidi marks.
  static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0...0x1F, 0x7F...0x9F, 0xAD, 0x200B, 0x200E, 0x200F, 0x202A...0x202E, 0x2060,
      0x2066...0x2069, 0xFEFF, 0xFFFD:
      true
    default: false
    }
  }
}
