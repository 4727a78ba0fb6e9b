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

  @Test func nothingNearIsNotSuggested() {
    #expect(Suggestion.nearest(to: "colour", in: ["title", "url"]) == nil)
  }
}
