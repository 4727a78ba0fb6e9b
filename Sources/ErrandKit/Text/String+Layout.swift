import Source

extension String {
  /// The text truncated to a display width, with an ellipsis.
  package func cut(to width: Int) -> String {
    if utf8.count <= width { return self }
    var columns = 0
    var end = startIndex
    var index = startIndex
    while index < endIndex {
      columns += self[index].displayWidth
      if columns > width { return width > 0 ? self[..<end] + "…" : "" }
      index = self.index(after: index)
      // Reserve a column for the ellipsis.
      if columns < width { end = index }
    }
    return self
  }

  /// The text truncated to a display width: a URL in the middle, since both of its ends are
  /// informative, any other text at the end.
  package func shortened(to width: Int) -> String {
    guard utf8.count > width, width >= 16, contains("://"), !contains(" ") else {
      return cut(to: width)
    }
    let letters = Array(self)
    if letters.reduce(0, { $0 + $1.displayWidth }) <= width { return self }
    var head = ""
    var room = (width - 1) * 3 / 5
    for letter in letters {
      room -= letter.displayWidth
      if room < 0 { break }
      head.append(letter)
    }
    var tail: [Character] = []
    room = width - 1 - head.displayWidth
    for letter in letters.reversed() {
      room -= letter.displayWidth
      if room < 0 { break }
      tail.append(letter)
    }
    return head + "…" + String(tail.reversed())
  }

  /// The text padded with spaces to a display width.
  package func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - displayWidth))
  }

  /// The lines of the text, wrapped between words to `width` columns.
  ///
  /// Continuation lines keep the indentation of their line; a word that is too wide stays whole,
  /// since half a URL is useless.
  package func wrapped(to width: Int) -> [String] {
    split(separator: "\n", omittingEmptySubsequences: false).flatMap { line -> [String] in
      if line.utf8.count <= width || line.displayWidth <= width { return [String(line)] }
      let indentation = String(line.prefix { $0 == " " })
      var lines: [String] = []
      var current = indentation
      var columns = indentation.count
      // Spaces before a word are kept, except at a line break.
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
