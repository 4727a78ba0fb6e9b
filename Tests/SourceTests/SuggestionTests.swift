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

  /// A prefix of one name suggests that name; a prefix of two suggests neither.
  @Test func prefixesAreCompleted() {
    let names = ["briefing", "bookmarks", "book-list"]
    #expect(Suggestion.nearest(to: "bri", in: names) == "briefing")
    #expect(Suggestion.nearest(to: "boo", in: names) == nil)
    #expect(Suggestion.nearest(to: "br", in: names) == nil)
  }

  /// A synonym from another tool suggests the candidate.
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

  @Test func distantNamesAreNotSuggested() {
    #expect(Suggestion.nearest(to: "colour", in: ["title", "url"]) == nil)
  }

  /// The quick filter never changes the result.
  @Test(arguments: ["sav", "sevae", "SAVE", "savé", "résumé", "ab", "x-1", "search_all", "serach"])
  func quickFilterKeepsNearNames(_ name: String) {
    let names = [
      "save", "Save", "resume", "résumé", "search-all", "search", "sahve", "saveall", "x-2", "abc",
      "ab-cd-ef-gh-ij", String(repeating: "a", count: 400), "sàvé",
    ]
    for other in names {
      let isNear = Suggestion.nearest(to: name, in: [other]) != nil
      if isNear { #expect(Suggestion.possible(for: name, in: [other]) == [other], "\(other)") }
    }
    #expect(Suggestion.nearest(to: "svae", in: names) == "save")
    #expect(Suggestion.nearest(to: "serach", in: ["search"]) == "search")
    #expect(Suggestion.nearest(to: "RESUME", in: ["resume"]) == "resume")
    #expect(Suggestion.nearest(to: "résumé", in: ["resume"]) == "resume")
    #expect(Suggestion.nearest(to: "xa", in: [["aaaa"], ["ya"], []].joined()) == "ya")
  }

  /// Of many names, the first in alphabetical order are listed.
  @Test func firstNamesAreListed() {
    let names = (0..<40).map { "n\($0 * 7 % 40 + 10)" }
    #expect(
      Suggestion.help(for: "zzzzzz", in: names)
        == "choose one of " + (10..<34).map { "`n\($0)`" }.joined(separator: ", ") + ", …")
  }
}
