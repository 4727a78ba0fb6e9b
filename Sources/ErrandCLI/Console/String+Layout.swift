import Source

extension String {
  /// The text with nothing in it that would steer a terminal: control characters are shown as
  /// pictures, and marks that turn the direction of writing are left out.
  ///
  /// Line breaks and tabs stay when `keepsLines`, else they become spaces.
  func harmless(keepsLines: Bool = false) -> String {
    let isHarmless = utf8.allSatisfy { (0x20..<0x7F).contains($0) }
    if isHarmless { return self }
    var result = String.UnicodeScalarView()
    var previous: Unicode.Scalar = " "
    for scalar in unicodeScalars {
      defer { previous = scalar }
      switch scalar.value {
      // The line break of other systems is one all the same.
      case 0x0A where previous == "\r": continue
      case 0x0A, 0x0D: result.append(keepsLines ? "\n" : " ")
      case 0x09: result.append(keepsLines ? "\t" : " ")
      case 0x00..<0x20: result.append(Unicode.Scalar(0x2400 + scalar.value) ?? "?")
      case 0x7F: result.append("\u{2421}")
      case 0x80..<0xA0: result.append("\u{FFFD}")
      case 0x2028, 0x2029: result.append(keepsLines ? "\n" : " ")
      case 0x202A...0x202E, 0x2066...0x2069: break
      default: result.append(scalar)
      }
    }
    return String(result)
  }

  /// The text cut to a number of columns, with an ellipsis where something is missing.
  func cut(to width: Int) -> String {
    if utf8.count <= width { return self }
    var columns = 0
    var end = startIndex
    var index = startIndex
    while index < endIndex {
      columns += self[index].displayWidth
      if columns > width { return width > 0 ? self[..<end] + "…" : "" }
      index = self.index(after: index)
      // The ellipsis needs a column of its own.
      if columns < width { end = index }
    }
    return self
  }

  /// The text filled with spaces to a number of columns.
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - displayWidth))
  }

  /// The lines of the text, broken between words where they are wider than `width`.
  ///
  /// A line's own indentation is kept for its continuation; a word that is too wide is left whole,
  /// since half a URL is of no use to anybody.
  func wrapped(to width: Int) -> [String] {
    split(separator: "\n", omittingEmptySubsequences: false).flatMap { line -> [String] in
      if line.utf8.count <= width || line.displayWidth <= width { return [String(line)] }
      let indentation = String(line.prefix { $0 == " " })
      var lines: [String] = []
      var current = indentation
      var columns = indentation.count
      // The spaces before a word stay as they are, unless a line ends there.
      var gap = 0
      for word in line.dropFirst(indentation.count).split(
        separator: " ", omittingEmptySubsequences: false)
      {
        if word.isEmpty {
          gap += 1
          continue
        }
        let isFirst = columns == indentation.count
        let wordWidth = word.displayWidth
        if !isFirst, columns + gap + wordWidth > width {
          lines.append(current)
          current = indentation
          columns = indentation.count
        } else if !isFirst {
          current += String(repeating: " ", count: gap)
          columns += gap
        }
        current += word
        columns += wordWidth
        gap = 1
      }
      return lines + [current]
    }
  }
}
