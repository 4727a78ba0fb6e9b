import CEL
import Store
import StoreFixtures
import Testing

@Suite struct SnippetTests {
  @Test func theWordsAreMarkedWhereTheyWeighMost() throws {
    let store = try StoreFixture(StoreFixture.link).store
    _ = try store.create(
      "Link",
      set: [
        ("url", "https://example.org/swift"), ("title", "Café at night"),
        ("summary", "All about swift birds and the cafe"), ("tags", ["swift"]),
      ])
    let item = ItemReference(entity: "Link", id: 1)
    func snippet(_ words: String) throws -> String? {
      try store.snippet(of: item, matching: words, open: "[", close: "]")
    }
    #expect(try snippet("cafe") == "[Café] at night")
    #expect(try snippet("swift") == "All about [swift] birds and the cafe")
    #expect(try snippet("\"swift birds\"") == "All about [swift birds] and the cafe")
    _ = try store.update(item, set: [("title", "日本語の本 🕊🕊 and more")])
    #expect(try snippet("本語") == "日[本語]の本 🕊🕊 and more")
    #expect(try snippet("more 🕊") == "日本語の本 [🕊][🕊] and [more]")
    #expect(try snippet("nothing") == nil)
    #expect(try snippet("!?") == nil)
  }
}
