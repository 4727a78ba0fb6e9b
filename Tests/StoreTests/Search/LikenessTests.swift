import CEL
import Items
import Store
import StoreFixtures
import Testing

/// Items like another, and the tags that they suggest.
@Suite struct LikenessTests {
  private func makeStore(
    _ links: [(url: String, title: String, tags: [String])]
  ) throws -> Database {
    let store = try Database(at: .memory, context: StoreFixture.context())
    try store.prepare(StoreFixture.link)
    for link in links {
      _ = try store.items.create(
        "Link",
        set: [
          ("url", .string(link.url)), ("title", .string(link.title)),
          ("tags", .list(link.tags.map { .string($0) })),
        ])
    }
    return store
  }

  private static let links: [(url: String, title: String, tags: [String])] = [
    ("https://bread.example/starter", "Keeping a sourdough starter", ["baking"]),
    ("https://rye.example/loaf", "Sourdough rye loaf with a starter", ["baking", "rye"]),
    ("https://bread.example/oven", "Choosing an oven", ["kitchen"]),
    ("https://tax.example/", "Taxes for freelancers", ["money"]),
    ("https://bank.example/", "Banks", ["money"]),
    ("https://fund.example/", "Funds", ["money"]),
  ]

  private func related(
    to id: Int64, _ links: [(url: String, title: String, tags: [String])] = Self.links,
    limit: Int = 10
  ) throws -> [Int64] {
    let store = try makeStore(links)
    var query = Query("Link", limit: limit)
    query.like = try store.items.get("Link", id: id)
    return try store.items.find(query).compactMap(\.id)
  }

  @Test func itemsThatShareRareWordsOrSiteAreRelated() throws {
    #expect(try related(to: 1) == [2, 3])
    #expect(try related(to: 1, limit: 1) == [2])
    #expect(try related(to: 4) == [])
  }

  @Test func textWithoutSpacesIsComparedByPairs() throws {
    let links: [(url: String, title: String, tags: [String])] = [
      ("https://a.example/", "天然酵母パンの作り方", []), ("https://b.example/", "酵母の育て方", []),
      ("https://c.example/", "確定申告", []),
    ]
    #expect(try related(to: 1, links) == [2])
  }

  @Test func tagsOfLikeItemsAreSuggested() throws {
    let store = try makeStore(Self.links)
    func tags(_ address: String?, _ texts: String...) throws -> [String] {
      try store.likeness.tags(
        for: .init(texts: texts, address: address), of: "Link", limit: 5
      ).map(\.tag)
    }
    #expect(try tags("https://new.example/", "Sourdough, a beginning").first == "baking")
    #expect(Set(try tags("https://bread.example/flour", "Flour")) == ["baking", "kitchen"])
    #expect(try tags("https://new.example/", "Astronomy") == [])
    #expect(try tags(nil) == [])
  }

  @Test func hugeAndOddTextsAreBounded() throws {
    let store = try makeStore(Self.links)
    let huge = String(repeating: "sourdough \u{0} \"OR* 😀 ", count: 20_000)
    let found = try store.likeness.nearest(
      to: .init(texts: [huge, ""], address: "not an address ://"), of: "Link", limit: 3)
    #expect(Set(found.map(\.id)) == [1, 2])
    #expect(found.allSatisfy { $0.score > 0 && $0.score <= 1 })
  }

  @Test func emptyLibraryHasNothingAlike() throws {
    let store = try makeStore([])
    #expect(
      try store.likeness.nearest(to: .init(texts: ["bread"]), of: "Link", limit: 3).isEmpty)
  }
}
