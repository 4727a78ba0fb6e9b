/// Text that is written word by word into lines and blocks, each line after what indents it.
struct TextFlow {
  private var text = ""
  /// What stands before each line, by names that end it.
  private var indents: [(name: String, text: String)] = []
  /// How many line ends come before the next text.
  private var gap = 0
  /// Whether a space comes before the next text of the line.
  private var needsSpace = false
  /// Whether the first block goes on in the line.
  private var isBeginning = false
  /// Marks that wait for the first word they stand before.
  private var opened = ""

  /// All of it, without spaces and line ends around.
  var finished: String {
    var bytes = text.utf8[...]
    while let last = bytes.last, last == 0x20 || last == 0x0A { bytes = bytes.dropLast() }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Begins a line, or with a gap of 2 a block after an empty line; 0 goes on in the line.
  mutating func beginBlock(gap: Int) {
    guard gap > 0, !isBeginning else { return }
    self.gap = max(self.gap, gap)
    needsSpace = false
  }

  /// Ends the line, as often as it is asked.
  mutating func breakLine() {
    gap = min(gap + 1, 2)
    needsSpace = false
  }

  /// Writes words, between which all white space is one space.
  mutating func writeWords(_ words: String) {
    var word = ""
    for scalar in words.unicodeScalars {
      // The white space of HTML; a no-break space is a character like others.
      guard scalar == " " || (0x09...0x0D).contains(scalar.value) else {
        word.unicodeScalars.append(scalar)
        continue
      }
      flush(&word)
      needsSpace = true
    }
    flush(&word)
  }

  private mutating func flush(_ word: inout String) {
    guard !word.isEmpty else { return }
    begin()
    text += word
    word = ""
  }

  /// Writes text with its lines and spaces as they are.
  mutating func writeLines(_ lines: String) {
    let lines = lines.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (index, line) in lines.enumerated() {
      if index > 0 { gap += 1 }
      guard !line.isEmpty else { continue }
      begin()
      text += line
    }
  }

  /// Writes something that is no word right here.
  ///
  /// - Parameter isBeginning: Whether the first block after it goes on in its line, as after the
  ///   mark of an item.
  mutating func writeMark(_ mark: String, isBeginning: Bool = false) {
    needsSpace = false
    begin()
    text += mark
    self.isBeginning = isBeginning
  }

  /// Writes a mark right before the next word.
  mutating func open(_ mark: String) {
    opened += mark
  }

  /// Writes a mark right after the last word; where no word came after the one that opened, both go.
  mutating func close(_ mark: String, opening: String) {
    if opened.hasSuffix(opening) { opened.removeLast(opening.count) } else { text += mark }
  }

  private mutating func begin() {
    if !text.isEmpty {
      for _ in 0..<gap {
        while text.utf8.last == 0x20 { text.removeLast() }
        text += "\n" + indents.map(\.text).joined()
      }
    } else {
      text += indents.map(\.text).joined()
    }
    if needsSpace, gap == 0, let last = text.utf8.last, last != 0x20, last != 0x0A { text += " " }
    needsSpace = false
    isBeginning = false
    gap = 0
    text += opened
    opened = ""
  }

  /// Puts a text before each line that follows.
  mutating func indent(_ text: String, named name: String? = nil, limit: Int) {
    if indents.count < limit { indents.append((name ?? text, text)) }
  }

  /// Ends the innermost indent if it has this name.
  mutating func outdent(_ name: String) {
    if indents.last?.name == name { indents.removeLast() }
  }
}
