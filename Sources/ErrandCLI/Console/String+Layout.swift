import Source

extension String {
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
