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

  /// Words of other tools mean the candidate for the same thing.
  @Test(arguments: [
    ("content", ["path", "text"], "did you mean `text`?"),
    ("src", ["from", "to"], "did you mean `from`?"),
    ("dst", ["from", "to"], "did you mean `to`?"),
    ("order", ["entity", "sort", "where"], "did you mean `sort`?"),
    ("orderBy", ["entity", "sort", "where"], "did you mean `sort`?"),
    ("date", ["title", "createdAt", "updatedAt"], "did you mean `createdAt` or `updatedAt`?"),
    ("titel", ["title", "name"], "did you mean `title`?"),
    ("colour", ["title", "url"], "choose one of `title`, `url`"),
    ("colour", ["url"], "the only one is `url`"),
  ])
  func synonymsAreSuggested(name: String, candidates: [String], help: String) {
    #expect(Suggestion.help(for: name, in: candidates) == help)
  }

  @Test func nothingNearIsNotSuggested() {
    #expect(Suggestion.nearest(to: "colour", in: ["title", "url"]) == nil)
  }
}
