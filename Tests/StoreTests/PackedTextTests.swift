import CEL
import Items
import Store
import StoreFixtures
import StoreRepair
import TestSupport
import Testing

/// Compression of long texts, visible only in the space they take.
@Suite struct PackedTextTests {
  private let folder: TemporaryFolder
  private let path: String
  private let first = ItemReference(entity: "Page", id: 1)
  private let long = String(repeating: "Ninety steps lead up to the lämp. ", count: 200)

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path + "/library.db"
  }

  private func schema(weight: Double?) -> EntitySchema {
    EntitySchema(
      name: "Page",
      properties: [
        PropertySchema(name: "title", type: .string, searchWeight: 10),
        PropertySchema(name: "text", type: .string, isOptional: true, searchWeight: weight),
      ])
  }

  private func open(weight: Double? = 0.5) throws -> Database {
    try StoreFixture(at: .file(path), schema(weight: weight)).store
  }

  /// The type and the size of an item's text column.
  private func column(_ file: String) throws -> (type: SQLValue?, size: SQLValue?) {
    let raw = try Connection(file: file, flags: 2, path: file)
    return (
      try raw.first("SELECT typeof(text) FROM Page"), try raw.first("SELECT length(text) FROM Page")
    )
  }

  @Test func compressedTextIsFound() throws {
    do {
      let store = try open()
      _ = try store.items.create(
        "Page", set: [("title", "Tower"), ("text", .string(long + "needle"))])
      #expect(try store.items.get("Page", id: 1)?.field("text") == .string(long + "needle"))
      #expect(try store.items.find(Query("Page", match: "needle")).map(\.id) == [1])
      #expect(try store.items.find(Query("Page", match: "text:lamp")).map(\.id) == [1])
      _ = try store.items.update(first, set: [("text", .string(long + "pin"))])
      #expect(try store.items.find(Query("Page", match: "needle")).isEmpty)
      #expect(try store.items.find(Query("Page", match: "pin")).map(\.id) == [1])
      #expect(try store.check() == [])
    }
    let (type, size) = try column(path)
    #expect(type == .text("blob"))
    guard case .int(let bytes)? = size else {
      Issue.record("there is no size")
      return
    }
    #expect(bytes < Int64(long.utf8.count / 10))
  }

  @Test func shortTextsAreNotCompressed() throws {
    do { _ = try open().items.create("Page", set: [("title", "Tower"), ("text", "Short.")]) }
    #expect(try column(path).type == .text("text"))
  }

  @Test func undoRestoresCompressedText() throws {
    let store = try open()
    _ = try store.items.create("Page", set: [("title", "Tower"), ("text", .string(long))])
    _ = try store.items.update(first, set: [("text", .null)])
    _ = try store.changes.undo()
    #expect(try store.items.get("Page", id: 1)?.field("text") == .string(long))
    try store.items.delete(first)
    _ = try store.changes.undo()
    #expect(try store.items.get("Page", id: 1)?.field("text") == .string(long))
    #expect(try store.items.find(Query("Page", match: "ninety")).map(\.id) == [1])
    #expect(try store.check() == [])
  }

  /// The log keeps the old text for undo, which is just as long.
  @Test func textIsCompressedInLog() throws {
    do {
      let store = try open()
      _ = try store.items.create("Page", set: [("title", "Tower"), ("text", .string(long))])
      _ = try store.items.update(first, set: [("text", .string(long + long))])
      try store.items.delete(first)
      for _ in 0..<2 { _ = try store.changes.undo() }
      #expect(try store.items.get("Page", id: 1)?.field("text") == .string(long))
      _ = try store.changes.redo()
      #expect(try store.items.get("Page", id: 1)?.field("text") == .string(long + long))
    }
    let raw = try Connection(file: path, flags: 2, path: path)
    let size = try raw.first(
      "SELECT sum(length(coalesce(before, '')) + length(coalesce(after, ''))) FROM errand_changes")
    guard case .int(let bytes)? = size else {
      Issue.record("there is no log")
      return
    }
    #expect(bytes < Int64(long.utf8.count))
  }

  /// A changed schema may need plain text, and compressed text again.
  @Test(arguments: [nil, 1, 5] as [Double?])
  func compressionFollowsSchema(weight: Double?) throws {
    do { _ = try open().items.create("Page", set: [("title", "Tower"), ("text", .string(long))]) }
    do {
      let store = try open(weight: weight)
      #expect(try store.items.get("Page", id: 1)?.field("text") == .string(long))
      #expect(try store.items.find(Query("Page", match: "ninety")).count == (weight == nil ? 0 : 1))
      #expect(try store.check() == [])
    }
    #expect(try column(path).type == .text("text"))
    let store = try open()
    #expect(try store.items.get("Page", id: 1)?.field("text") == .string(long))
    #expect(try store.items.find(Query("Page", match: "ninety")).map(\.id) == [1])
    #expect(try store.check() == [])
  }

  @Test func compressedTextIsRecovered() throws {
    do { _ = try open().items.create("Page", set: [("title", "Tower"), ("text", .string(long))]) }
    let rescued = folder.path + "/rescued.db"
    let results = try Database.rescue(
      [schema(weight: 0.5)], from: path, to: rescued, context: StoreFixture.context())
    let isWhole = results.allSatisfy { $0.isWhole }
    #expect(isWhole)
    let store = try StoreFixture(at: .file(rescued), schema(weight: 0.5)).store
    #expect(try store.items.get("Page", id: 1)?.field("text") == .string(long))
    #expect(try store.items.find(Query("Page", match: "ninety")).map(\.id) == [1])
  }

  @Test func compressedTextIsSortable() throws {
    let store = try open()
    for (title, beginning) in [("b", "b"), ("a", "a"), ("c", "c")] {
      _ = try store.items.create(
        "Page", set: [("title", .string(title)), ("text", .string(beginning + long))])
    }
    _ = try store.items.create("Page", set: [("title", "d"), ("text", "bb")])
    let titles = try store.items.find(Query("Page", sort: [SortKey("text")])).map {
      $0.field("title")
    }
    #expect(titles == ["a", "b", "d", "c"] as [Value?])
  }
}
