import LanguageServer
import TestSupport
import Testing

@Suite struct TextDocumentTests {
  /// A text kept as lines of UTF-16, edited in the plainest way.
  private struct Model {
    var units: [UInt16]

    private var starts: [Int] {
      var starts = [0]
      var index = 0
      while index < units.count {
        if units[index] == 13, index + 1 < units.count, units[index + 1] == 10 { index += 1 }
        if units[index] == 10 || units[index] == 13 { starts.append(index + 1) }
        index += 1
      }
      return starts
    }

    func offset(_ position: TextPosition) -> Int {
      let starts = starts
      guard position.line < starts.count else { return units.count }
      var end = position.line + 1 < starts.count ? starts[position.line + 1] : units.count
      while end > starts[position.line], [10, 13].contains(units[end - 1]) { end -= 1 }
      let offset = min(starts[position.line] + position.character, end)
      // Half of a character is its beginning.
      return offset > 0 && offset < units.count && UTF16.isTrailSurrogate(units[offset])
        && UTF16.isLeadSurrogate(units[offset - 1]) ? offset - 1 : offset
    }

    mutating func replace(_ start: TextPosition, _ end: TextPosition, _ text: String) {
      let (first, second) = (offset(start), offset(end))
      units.replaceSubrange(min(first, second)..<max(first, second), with: text.utf16)
    }

    var text: String { String(decoding: units, as: UTF16.self) }
  }

  private static let pieces = [
    "a", "é", "日本", "𝒳", "👩‍👩‍👧", "\n", "\r\n", "\r", "\t", "  ", "steps:\n", "- say: '{{ it }}'\n", "",
    "e\u{301}",
  ]

  @Test func randomEditsGiveTheTextOfAModel() {
    var generator = SeededGenerator(seed: 27)
    for _ in 0..<Amount.of("ERRAND_TEXTS", quick: 40, whole: 2_000) {
      var text = ""
      for _ in 0..<generator.next() % 20 { text += generator.pick(Self.pieces) }
      var document = TextDocument(text)
      var wide = document
      var model = Model(units: Array(text.utf16))
      for _ in 0..<50 {
        let start = position(&generator)
        let end = generator.chance(oneIn: 3) ? start : position(&generator)
        let new = generator.pick(Self.pieces) + generator.pick(Self.pieces)
        let bytes = (wide.offset(of: start, .utf16), wide.offset(of: end, .utf16))
        document.replace(from: start, to: end, with: new, .utf16)
        model.replace(start, end, new)
        wide.replace(
          from: wide.position(of: bytes.0, .utf8), to: wide.position(of: bytes.1, .utf8), with: new,
          .utf8)
        #expect(document.text == model.text)
        #expect(wide.text == model.text)
      }
    }
  }

  private func position(_ generator: inout SeededGenerator) -> TextPosition {
    TextPosition(line: Int(generator.next() % 12), character: Int(generator.next() % 16))
  }

  @Test func everyOffsetOfACharacterHasAPositionAndComesBack() {
    let document = TextDocument("añ𝒳\r\n日\n")
    var offset = 0
    for scalar in document.text.unicodeScalars {
      // A position cannot be between CR and LF.
      if scalar == "\n", offset == 8 {
        offset += 1
        continue
      }
      for encoding in [PositionEncoding.utf8, .utf16] {
        let position = document.position(of: offset, encoding)
        #expect(document.offset(of: position, encoding) == offset)
      }
      offset += String(scalar).utf8.count
    }
    #expect(document.position(of: 7, .utf16) == TextPosition(line: 0, character: 4))
    #expect(document.position(of: 7, .utf8) == TextPosition(line: 0, character: 7))
  }
}
