import CEL
import Store
import StoreFixtures
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Stores made by earlier releases still open, and go on.
@Suite struct GoldenTests {
  @Test(arguments: [1])
  func aStoreOfAnEarlierFormatOpens(format: Int) throws {
    let golden = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "GoldenStores/format-\(format).db")
    let folder = try TemporaryFolder()
    let path = folder.path + "/library.db"
    try Data(contentsOf: golden).write(to: URL(filePath: path))
    let store = try StoreFixture(at: .file(path), StoreFixture.link).store
    let items = try store.find(Query("Link", match: "golden"))
    #expect(items.count == 5)
    let first = try #require(try store.get("Link", id: 1))
    #expect(first.text("url") == "https://example.org/golden/0")
    #expect(first.text("title") == "Page 0 of golden")
    #expect(first.texts("tags") == ["golden", "number0"])
    _ = try store.create("Link", set: [("url", "https://example.org/later")])
    #expect(try store.changes().count == 6)
    #expect(try store.check() == [])
    #expect(try folder.names().filter { $0.hasSuffix(".backup") } == [])
  }
}
