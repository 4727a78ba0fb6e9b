extension String {
  /// Returns the text without anything that could control a terminal: control characters become
  /// visible symbols, and bidirectional marks are removed.
  ///
  /// Line breaks and tabs are kept if `keepsLines`, and become spaces otherwise.
  /// - Complexity: O(length).
  package func harmless(keepsLines: Bool = false) -> String {
    let isHarmless = utf8.allSatisfy { byte in
      (0x20..<0x7F).contains(byte) || keepsLines && (byte == 0x0A || byte == 0x09)
    }
    if isHarmless { return self }
    var result = String.UnicodeScalarView()
    var previous: Unicode.Scalar = " "
    for scalar in unicodeScalars {
      defer { previous = scalar }
      switch scalar.value {
      // CR LF is a single line break.
      case 0x0A where previous == "\r": continue
      case 0x0A, 0x0D: result.append(keepsLines ? "\n" : " ")
      case 0x09: result.append(keepsLines ? "\t" : " ")
      case 0x00..<0x20: result.append(Unicode.Scalar(0x2400 + scalar.value) ?? "?")
      case 0x7F: result.append("\u{2421}")
      case 0x80..<0xA0: result.append("\u{FFFD}")
      case 0x2028, 0x2029: result.append(keepsLines ? "\n" : " ")
      // Bidirectional marks, embeddings, overrides and isolates (Unicode Standard Annex #9 §2).
      case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: break
      default: result.append(scalar)
      }
    }
    return String(result)
  }
}
