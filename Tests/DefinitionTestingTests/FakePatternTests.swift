import Testing

@testable import DefinitionTesting

@Suite struct FakePatternTests {
  @Test(arguments: [
    ("git", "git", true), ("git", "git fetch", false), ("git *", "git fetch", true),
    ("git *", "git", false), ("*", "", true), ("*", "anything at all", true),
    ("GET https://a.example/items*", "GET https://a.example/items?page=2", true),
    ("GET https://a.example/items*", "POST https://a.example/items", false),
    ("ssh * web *", "ssh -o x -- web find .", true), ("ssh * web *", "ssh -o x -- nas web", false),
    ("a*a", "a", false), ("a*a", "aa", true), ("a*b*c", "abc", true), ("a*b*c", "acb", false),
    ("[x]?", "[x]?", true), ("", "", true), ("", "a", false),
  ])
  func onlyStarIsSpecial(pattern: String, text: String, fits: Bool) {
    #expect(FakePattern(pattern).matches(text) == fits)
  }
}
