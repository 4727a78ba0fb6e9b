import CEL
import Glibc
import Items
import Store
import StoreFixtures
import StoreRepair
import TestSupport
import Testing

/// Store files, also changed by other processes.
@Suite struct StoreFileTests {
  @Test func itemsPersistInFile() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/a/b/library.db"
    let first = try StoreFixture(at: .file(path), StoreFixture.link).store
    _ = try first.items.create("Link", set: [("url", .string("https://a.org"))])
    let second = try StoreFixture(at: .file(path), StoreFixture.link).store
    #expect(try second.items.find(Query("Link")).map { $0.text("url") } == ["https://a.org"])
    _ = try second.items.create("Link", set: [("url", .string("https://b.org"))])
    #expect(
      try first.items.find(Query("Link")).map { $0.text("url") } == [
        "https://b.org", "https://a.org",
      ])
  }

  @Test func emptyFileBecomesStore() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/empty.db"
    try folder.write("", to: "empty.db")
    let store = try StoreFixture(at: .file(path), StoreFixture.link).store
    _ = try store.items.create("Link", set: [("url", .string("https://a.org"))])
    #expect(
      try StoreFixture(at: .file(path), StoreFixture.link).store.items.find(Query("Link")).count
        == 1)
  }

  @Test func otherFileIsNotTouched() throws {
    let folder = try TemporaryFolder()
    try folder.write(String(repeating: "no database at all, truly\n", count: 100), to: "text.db")
    let error = #expect(throws: StoreError.self) {
      try StoreFixture(at: .file(folder.path + "/text.db"))
    }
    #expect(error?.code == .notAStore)
  }

  // MARK: What happens beneath an open store

  private static func note(_ properties: PropertySchema..., identity: String? = nil) -> EntitySchema
  {
    EntitySchema(
      name: "Note", properties: [PropertySchema(name: "text", type: .string)] + properties,
      identity: identity)
  }

  @Test(arguments: [
    note(PropertySchema(name: "kind", type: .list(.string))),
    note(
      PropertySchema(name: "kind", type: .string),
      PropertySchema(name: "more", type: .string, default: "hi")),
    note(PropertySchema(name: "kind", type: .string), identity: "text"),
    note(PropertySchema(name: "kind", type: .string, searchWeight: 2, isIndexed: true)),
  ])
  func writesFollowSchemaOfOtherProcess(
    _ new: EntitySchema
  ) throws {
    let folder = try TemporaryFolder()
    let location = StoreLocation.file(folder.path + "/library.db")
    let old = Self.note(PropertySchema(name: "kind", type: .string))
    let first = try StoreFixture(at: location, old).store
    let item = try first.items.create("Note", set: [("text", "a"), ("kind", "b")])
    let second = try StoreFixture(at: location, new).store
    let values: [(String, Value)] = [("text", "c"), ("kind", "d")]
    if new.properties.first(where: { $0.name == "kind" })?.type == .string {
      #expect(try first.items.create("Note", set: values).id == 2)
    } else {
      let error = #expect(throws: StoreError.self) { try first.items.create("Note", set: values) }
      #expect(error?.message == "the value for Note.kind must be of type list<string>")
      var refused: [StoreError] = []
      let importer = Importer(into: first) { refused.append($1) }
      try importer.add(NewItem("Note", values), line: 1)
      #expect(try importer.finish() == Importer.Counts(bad: 1))
      #expect(refused.map(\.code) == [.invalidValue])
    }
    try first.items.delete(ItemReference(entity: "Note", id: #require(item.id)))
    let left = try second.items.find(Query("Note"))
    #expect(left.count <= 1 && left.allSatisfy { $0.field("text") == "c" })
    #expect(try second.check() == [])
  }

  @Test func latePreparedTableIsComparedWithFile() throws {
    let folder = try TemporaryFolder()
    let location = StoreLocation.file(folder.path + "/library.db")
    let old = Self.note(PropertySchema(name: "kind", type: .string))
    let first = try StoreFixture(at: location, old, StoreFixture.link).store
    let second = try StoreFixture(at: location, StoreFixture.link).store
    first.shutDown()
    _ = try StoreFixture(
      at: location, Self.note(PropertySchema(name: "kind", type: .list(.string))))
    _ = try second.items.create("Link", set: [("url", "https://a.org")])
    try second.prepare(old)
    #expect(throws: StoreError.self) {
      try second.items.create("Note", set: [("text", "a"), ("kind", "b")])
    }
  }

  @Test func processesWithSameSchemaAlternateWrites() throws {
    let folder = try TemporaryFolder()
    let location = StoreLocation.file(folder.path + "/library.db")
    let stores = try (0..<2).map { _ in try StoreFixture(at: location, Self.note()).store }
    for number in 0..<6 {
      _ = try stores[number % 2].items.create("Note", set: [("text", .string("\(number)"))])
    }
    #expect(try stores[0].items.find(Query("Note")).count == 6)
  }

  @Test(arguments: [true, false])
  func movedFileIsNotWritten(isReplaced: Bool) throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/library.db"
    let store = try StoreFixture(at: .file(path), Self.note()).store
    _ = try store.items.create("Note", set: [("text", "a")])
    let other = try StoreFixture(at: .file(folder.path + "/other.db"), Self.note()).store
    _ = try other.items.create("Note", set: [("text", "other")])
    other.shutDown()
    #expect(rename(path, path + ".old") == 0)
    if isReplaced { #expect(rename(folder.path + "/other.db", path) == 0) }
    let error = #expect(throws: StoreError.self) {
      try store.items.create("Note", set: [("text", "b")])
    }
    #expect(error?.code == .io)
    #expect(error?.message.contains("moved or replaced") == true)
  }
}
