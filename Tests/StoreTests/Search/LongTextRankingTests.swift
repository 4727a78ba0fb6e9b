import CEL
import Items
import Store
import StoreFixtures
import Testing

/// Items with texts that are too long to be read in full for each search.
@Suite struct LongTextRankingTests {
  private let store: Database

  /// 300 pages of 900 words: all mention a lamp, and every twentieth has it as its title.
  init() throws {
    store = try StoreFixture(
      EntitySchema(
        name: "Page",
        properties: [
          PropertySchema(name: "title", type: .string, searchWeight: 10),
          PropertySchema(name: "text", type: .string, isOptional: true, searchWeight: 0.5),
        ])
    ).store
    let importer = Importer(into: store) { _, error in Issue.record("\(error)") }
    for number in 1...300 {
      let words = (0..<899).map { "w\(($0 * 31 + number * 17) % 2_000)" } + ["lamp"]
      let title = number % 20 == 0 ? "The lamp of page \(number)" : "The story of page \(number)"
      try importer.add(
        NewItem(
          "Page",
          [("title", .string(title)), ("text", .string(words.joined(separator: " ")))]),
        line: number)
    }
    _ = try importer.finish()
  }

  @Test func titlesRankBeforeTexts() throws {
    let found = try store.items.find(Query("Page", match: "lamp", limit: 20)).compactMap(\.id)
    #expect(Set(found.prefix(15)) == Set((1...15).map { Int64($0 * 20) }))
    #expect(found.count == 20)
  }

  @Test func allItemsAreFoundOnce() throws {
    var query = Query("Page", match: "lamp", limit: 50)
    var found: [Int64] = []
    while true {
      let page = try store.items.find(query).compactMap(\.id)
      if page.isEmpty { break }
      found += page
      query.after = page.last.map { ItemReference(entity: "Page", id: $0) }
    }
    #expect(found.count == 300)
    #expect(Set(found).count == 300)
  }

  @Test func severalWordsAreRanked() throws {
    let found = try store.items.find(Query("Page", match: "lamp page", limit: 20)).compactMap(\.id)
    #expect(Set(found.prefix(15)) == Set((1...15).map { Int64($0 * 20) }))
  }
}
