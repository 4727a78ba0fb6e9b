import Testing

@testable import Source

@Suite struct SuggestionTests {
  @Test(arguments: [
    ("titel", "title"), ("url", "url"), ("tgas", "tags"), ("createdat", "createdAt"),
  ])
  func nearest(name: String, expected: String) {
    let names = ["title", "url", "tags", "createdAt", "summary"]
    #expect(Suggestion.nearest(to: name, in: names) == expected)
  }

  /// The beginning of one name is that name; of two it is neither.
  @Test func beginningsAreCompleted() {
    let names = ["briefing", "bookmarks", "book-list"]
    #expect(Suggestion.nearest(to: "bri", in: names) == "briefing")
    #expect(Suggestion.nearest(to: "boo", in: names) == nil)
    #expect(Suggestion.nearest(to: "br", in: names) == nil)
  }

  @Test func nothingNearIsNotSuggested() {
    #expect(Suggestion.nearest(to: "colour", in: ["title", "url"]) == nil)
  }
}
