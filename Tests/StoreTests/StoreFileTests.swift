import CEL
import Store
import StoreFixtures
import Testing

@Suite struct StoreFileTests {
  @Test func aStoreKeepsItsItemsInAFile() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/a/b/library.db"
    let first = try StoreFixture(at: .file(path), StoreFixture.link).store
    _ = try first.create("Link", set: [("url", .string("https://a.org"))])
    let second = try StoreFixture(at: .file(path), StoreFixture.link).store
    #expect(try second.find(Query("Link")).map { $0.text("url") } == ["https://a.org"])
    _ = try second.create("Link", set: [("url", .string("https://b.org"))])
    #expect(
      try first.find(Query("Link")).map { $0.text("url") } == ["https://b.org", "https://a.org"])
  }

  @Test func anEmptyFileBecomesAStore() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/empty.db"
    try folder.write("", to: "empty.db")
    let store = try StoreFixture(at: .file(path), StoreFixture.link).store
    _ = try store.create("Link", set: [("url", .string("https://a.org"))])
    #expect(
      try StoreFixture(at: .file(path), StoreFixture.link).store.find(Query("Link")).count == 1)
  }

  @Test func aFileOfAnotherKindIsLeftAlone() throws {
    let folder = try TemporaryFolder()
    try folder.write(String(repeating: "no database at all, truly\n", count: 100), to: "text.db")
    let error = #expect(throws: StoreError.self) {
      try StoreFixture(at: .file(folder.path + "/text.db"))
    }
    #expect(error?.code == .notAStore)
  }
}
