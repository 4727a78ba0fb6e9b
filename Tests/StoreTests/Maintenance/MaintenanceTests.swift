import CEL
import Store
import StoreFixtures
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite struct MaintenanceTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path + "/library.db"
  }

  private func makeStore(links: Int) throws -> EntityStore {
    let store = try StoreFixture(at: .file(path), StoreFixture.link).store
    let importer = Importer(into: store) { _, _ in }
    for number in 0..<links {
      try importer.add(
        Draft(
          "Link",
          [
            ("url", .string("https://example.org/\(number)")),
            ("title", .string("Page \(number) with \"quotes\" and \\ 日本")),
            ("tags", .list([.string("even\(number % 2)"), .string("a \"b\"\n\u{1}")])),
          ]), line: number)
    }
    _ = try importer.finish()
    return store
  }

  @Test func aSoundStoreHasNoProblems() throws {
    let store = try makeStore(links: 300)
    let reference = ItemReference(entity: "Link", id: 7)
    _ = try store.update(reference, set: [("title", .null)], add: [("tags", .string("new"))])
    _ = try store.create(
      "Link", set: [("url", .string("https://example.org/9")), ("tags", .list([.string("m")]))],
      onConflict: .merge)
    try store.delete(ItemReference(entity: "Link", id: 12))
    #expect(try store.check() == [])
    #expect(try store.repair() == [])
    try store.vacuum()
    #expect(try store.check() == [])
    #expect(try store.find(Query("Link", match: "page")).count == 298)
  }

  @Test func damagedIndexesAreMadeAnew() throws {
    let store = try makeStore(links: 50)
    try store.connection.run("DELETE FROM \"Link_list_tags\" WHERE id < 10")
    try store.connection.run("UPDATE \"Link\" SET title = 'other' WHERE id = 20")
    let problems = try store.check()
    #expect(Set(problems.map(\.kind)) == [.textIndex, .listIndex])
    #expect(problems.allSatisfy { $0.entity == "Link" })
    #expect(try store.repair() == [])
    #expect(try store.find(Query("Link", match: "other")).map(\.id) == [20])
  }

  @Test func aBackupIsAWholeStore() throws {
    let store = try makeStore(links: 40)
    let copy = folder.path + "/copy.db"
    try store.backup(to: copy)
    _ = try store.create("Link", set: [("url", .string("https://later.org"))])
    let backup = try StoreFixture(at: .file(copy), StoreFixture.link).store
    #expect(try backup.find(Query("Link")).count == 40)
    #expect(try backup.check() == [])
    _ = try backup.create("Link", set: [("url", .string("https://other.org"))])
    let error = #expect(throws: StoreError.self) { try store.backup(to: copy) }
    #expect(error?.code == .conflict)
    #expect(try folder.names().filter { $0.hasSuffix(".new") } == [])
  }

  @Test func whatCanBeReadOfADamagedStoreIsSaved() throws {
    do {
      let store = try makeStore(links: 2000)
      try store.vacuum()
      try store.backup(to: folder.path + "/damaged.db")
    }
    let damaged = folder.path + "/damaged.db"
    var bytes = [UInt8](try Data(contentsOf: URL(filePath: damaged)))
    // A page of the items' table, found by a text that is on it.
    let needle = Array("https://example.org/1000".utf8)
    let start = try #require(bytes.firstRange(of: needle)?.lowerBound)
    let page = start / 4096 * 4096
    for index in page..<page + 4096 { bytes[index] = 0xA5 }
    try Data(bytes).write(to: URL(filePath: damaged))
    let store = try StoreFixture(at: .file(damaged), StoreFixture.link).store
    #expect(try store.check().contains { $0.kind == .file })
    let rescued = folder.path + "/rescued.db"
    let result = try store.rescue(to: rescued)
    #expect(result.first.map { $0.saved > 1900 && $0.saved < 2000 } == true, "\(result)")
    #expect(result.first?.lost == 2000 - (result.first?.saved ?? 0))
    let whole = try StoreFixture(at: .file(rescued), StoreFixture.link).store
    #expect(try whole.check() == [])
    #expect(try whole.get("Link", id: 1900)?.text("url") == "https://example.org/1899")
  }
}
