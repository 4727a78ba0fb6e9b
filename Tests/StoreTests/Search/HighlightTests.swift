import CEL
import Items
import Store
import StoreFixtures
import TestSupport
import Testing

/// Highlights of search matches in items.
@Suite struct HighlightTests {
  private let store: Database
  private let item = ItemReference(entity: "Link", id: 1)

  init() throws {
    store = try StoreFixture(StoreFixture.link).store
    _ = try store.items.create(
      "Link",
      set: [
        ("url", "https://example.org/swift"), ("title", "Café at night"),
        ("summary", "All about swift birds and the cafe"),
        ("tags", ["swift", "a \"b\"\nswift", "birds"]),
      ])
  }

  /// The properties with matches in brackets, and `!` after those that match completely.
  private func highlights(_ words: String) throws -> [String] {
    try store.search.highlights(in: item, matching: words).map { highlight in
      "\(highlight.property): \(bracketed(highlight.text))\(highlight.isWhole ? "!" : "")"
    }
  }

  @Test func matchesAreMarkedInOrderOfWeight() throws {
    #expect(
      try highlights("cafe") == [
        "title: [Café] at night!", "summary: All about swift birds and the [cafe]!",
      ])
    #expect(
      try highlights("night birds") == [
        "title: Café at [night]", "tags: swift, a \"b\" swift, [birds]",
        "summary: All about swift [birds] and the cafe",
      ])
    #expect(
      try highlights("\"swift birds\" or nothing") == [
        "tags: swift, a \"b\" [swift, birds]!", "summary: All about [swift birds] and the cafe!",
      ])
    #expect(try highlights("title:cafe -dogs") == ["title: [Café] at night!"])
    #expect(
      try highlights("ca* b*") == [
        "title: [Café] at night", "tags: swift, a \"[b]\" swift, [birds]",
        "summary: All about swift [birds] and the [cafe]!",
      ])
    #expect(try highlights("ca* -dog*") == highlights("cafe"))
    #expect(try highlights("title:ca* or x*") == ["title: [Café] at night!"])
    #expect(try highlights("birds tag:swift summary:caf*").count == 2)
  }

  @Test func textWithoutSpacesIsMarked() throws {
    _ = try store.items.update(item, set: [("title", "日本語の本 🕊🕊 and more")])
    #expect(try highlights("本語") == ["title: 日[本語]の本 🕊🕊 and more!"])
    #expect(try highlights("more 🕊") == ["title: 日本語の本 [🕊][🕊] and [more]!"])
  }

  @Test(arguments: ["nothing", "!?", "", "tag:swift", "before:2030", "\u{0}", "\"", "-swift"])
  func searchWithoutMatchesMarksNothing(_ words: String) throws {
    #expect(try highlights(words) == [])
  }
}

/// Parts and excerpts of marked text.
@Suite struct MarkedTextTests {
  /// Text whose parts in brackets are marked.
  private func marked(_ text: String) -> MarkedText {
    MarkedText(
      text.split(separator: "[", omittingEmptySubsequences: false).enumerated().flatMap {
        index, piece -> [MarkedText.Run] in
        let parts = piece.split(separator: "]", omittingEmptySubsequences: false)
        if index == 0 { return [.init(String(piece), isMarked: false)] }
        return [
          .init(String(parts[0]), isMarked: true), .init(String(parts[1]), isMarked: false),
        ]
      })
  }

  @Test func partKeepsItsMarks() {
    let text = marked("one [two] three [four] five")
    #expect(text.part("three four").map(bracketed) == "three [four]")
    #expect(text.part("wo thr").map(bracketed) == "[wo] thr")
    #expect(text.part("e") == MarkedText("e"))
    #expect(text.part("six") == nil)
    #expect(text.part("") == nil)
    #expect(text.markCount == 2)
  }

  @Test(arguments: [
    ("a short [text]", 40, "a short [text]"),
    ("lines\nand\ttabs [x]", 40, "lines and tabs [x]"),
    ("[first] word of a text that goes on", 20, "[first] word of a…"),
    ("a text that goes on and on up to the [last]", 20, "…on up to the [last]"),
    (
      "one [x] two three four five six seven [x] [x] nine ten eleven twelve", 24,
      "…seven [x] [x] nine ten…"
    ),
    ("nothing is marked in this text", 14, "nothing is…"),
    ("[averylongwordwithoutanyspaces]", 10, "[averylong]…"), ("", 5, ""),
  ])
  func excerptSurroundsMarks(_ text: String, _ length: Int, _ expected: String) {
    let excerpt = marked(text).excerpt(length: length)
    #expect(bracketed(excerpt) == expected)
    #expect(excerpt.text.count <= length)
  }

  @Test func excerptIsLimited() {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<2_000 {
      var text = ""
      for _ in 0..<Int.random(in: 0...40, using: &random) {
        let word = String(
          repeating: random.pick(["a", "é", "🇩🇪", "日"]), count: random.pick([1, 3, 9]))
        text += random.chance(oneIn: 4) ? "[\(word)]" : word
        if random.chance(oneIn: 2) { text += " " }
      }
      let whole = marked(text)
      let length = Int.random(in: 1...60, using: &random)
      let excerpt = whole.excerpt(length: length)
      #expect(excerpt.text.count <= length || length <= 2, "\(text) \(length)")
      #expect(excerpt.hasMarks || !whole.hasMarks || length < 10, "\(text) \(length)")
    }
  }
}

/// The text with its marks as brackets.
private func bracketed(_ text: MarkedText) -> String {
  text.runs.map { $0.isMarked ? "[\($0.text)]" : $0.text }.joined()
}
