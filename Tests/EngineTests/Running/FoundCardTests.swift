import Items
import Store
import Testing

@testable import Engine

/// Cards of items found by a search.
@Suite struct FoundCardTests {
  private static let setUp = """
    shortcut: test
    steps:
      - create: {entity: Link, set: {url: 'https://birds.example/common', title: The common swift,
                 summary: A bird that sleeps on the wing, tags: [bird, wing]}}
      - add-note: {text: "One line\\nand another one about a bird"}
      - find: {entity: %E, match: '%W'}
      - show: '{{ it }}'

    """

  private func card(_ entity: String, _ words: String) throws -> Presentation.Card {
    let yaml = Self.setUp.replacing("%E", with: entity).replacing("%W", with: words)
    let run = try TestRun(yaml)
    try run.perform()
    guard case .cards(let cards)? = run.front.shown.last?.layout else {
      throw RunError(.notFound, "nothing was shown")
    }
    return try #require(cards.first)
  }

  private func bracketed(_ text: MarkedText?) -> String? {
    text?.runs.map { $0.isMarked ? "[\($0.text)]" : $0.text }.joined()
  }

  @Test(
    arguments: [
      ("Link", "swift", "The common [swift]", nil),
      ("Link", "sleeps", nil, "A bird that [sleeps] on the wing"),
      ("Link", "swift wing", "The common [swift]", "A bird that sleeps on the [wing]"),
      ("Link", "bird wing", nil, "A [bird] that sleeps on the [wing]"),
      ("Link", "tag:wing", nil, nil),
      ("Link", "tags:bird wing*", nil, "A bird that sleeps on the [wing]"),
      ("Note", "line", "One [line]", nil),
      ("Note", "one", "[One] line", "[One] line\nand another [one] about a bird"),
      ("Note", "bird", nil, "One line\nand another one about a [bird]"),
    ] as [(String, String, String?, String?)])
  func cardMarksMatches(_ entity: String, _ words: String, _ title: String?, _ snippet: String?)
    throws
  {
    let card = try card(entity, words)
    #expect(bracketed(card.markedTitle) == title)
    #expect(bracketed(card.snippet) == snippet)
  }

  @Test func cardWithoutSearchHasNoMarks() throws {
    let card = try card("Link", "")
    #expect(card.markedTitle == nil)
    #expect(card.snippet == nil)
  }
}
