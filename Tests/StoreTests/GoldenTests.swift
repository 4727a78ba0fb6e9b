import CEL
import FoundationEssentials
import Items
import Store
import StoreFixtures
import StoreRepair
import TestSupport
import Testing

/// Stores made by earlier releases still open and work.
@Suite struct GoldenTests {
  @Test(arguments: [1, 2])
  func storeOfEarlierFormatOpens(format: Int) throws {
    let golden = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "GoldenStores/format-\(format).db")
    let folder = try TemporaryFolder()
    let path = folder.path + "/library.db"
    try Data(contentsOf: golden).write(to: URL(filePath: path))
    let store = try StoreFixture(at: .file(path), StoreFixture.link).store
    let items = try store.items.find(Query("Link", match: "golden"))
    #expect(items.count == 5)
    let first = try #require(try store.items.get("Link", id: 1))
    #expect(first.text("url") == "https://example.org/golden/0")
    #expect(first.text("title") == "Page 0 of golden")
    #expect(first.texts("tags") == ["golden", "number0"])
    _ = try store.items.create("Link", set: [("url", "https://example.org/later")])
    #expect(try store.changes.entries().count == 6)
    #expect(try store.check() == [])
    #expect(try folder.names().filter { $0.hasSuffix(".backup") } == [])
    #expect(try store.metadata("format") == "2")
    _ = try store.items.update(ItemReference(entity: "Link", id: 2), set: [("title", "日本語の本")])
    #expect(try store.items.find(Query("Link", match: "本語")).map(\.id) == [2])
  }

  /// Text without spaces is searched for in the items where an index of the first format lacks it.
  @Test func readOnlyStoreOfFirstFormatIsSearchable() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/library.db"
    do {
      let store = try StoreFixture(at: .file(path), StoreFixture.link).store
      _ = try store.items.create("Link", set: [("url", "https://a.example"), ("title", "日本語の本")])
      let key = "entity:Link"
      let definition = try #require(try store.metadata(key))
      try store.setMetadata(key, to: definition.replacing(" words 3", with: ""))
      try store.setMetadata("format", to: "1")
    }
    try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: path)
    try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder.path)
    defer {
      try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
    }
    let reader = try StoreProcess(["--unprivileged", "find", path, "本語"])
    #expect(reader.readLines() == ["1 https://a.example"])
    #expect(reader.wait() == 0)
  }
}
