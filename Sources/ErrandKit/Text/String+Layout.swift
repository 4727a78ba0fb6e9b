import Source

extension String {
  /// The text cut to a number of columns, with an ellipsis where something is missing.
  package func cut(to width: Int) -> String {
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

  /// The text cut to a number of columns: an address in its middle, since both its ends tell what it
  /// is, any other text at its end.
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

  /// The text filled with spaces to a number of columns.
  package func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - displayWidth))
  }

  /// The lines of the text, broken between words where they are wider than `width`.
  ///
  /// A line's own indentation is kept for its continuation; a word that is too wide is left whole,
  /// since half a URL is of no use to anybody.
  package func wrapped(to width: Int) -> [String] {
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
