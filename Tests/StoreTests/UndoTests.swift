import CEL
import Items
import Store
import StoreFixtures
import StoreRepair
import Testing

/// The choice of the change to undo or redo, and the log's details of changes.
@Suite struct UndoTests {
  private let store: Database
  private let first = ItemReference(entity: "Link", id: 1)

  init() throws {
    store = try StoreFixture(StoreFixture.link).store
    for (cause, name) in [("save", "a"), ("import", "b"), ("save", "c")] {
      store.session.cause = cause
      _ = try store.items.create(
        "Link", set: [("url", .string("https://\(name).org")), ("title", .string(name))])
    }
    store.session.cause = "edit"
  }

  private func titles() throws -> [String] {
    try store.items.find(Query("Link", sort: [SortKey("id")])).compactMap { $0.text("title") }
  }

  @Test func changeIsUndoneByNumber() throws {
    #expect(try store.changes.undo(.number(2)).map(\.id) == [2])
    #expect(try titles() == ["a", "c"])
    for (number, message) in [
      (2, "change 2 was already undone"), (4, "change 4 is itself an undo"),
    ] {
      let error = #expect(throws: StoreError.self) {
        try store.changes.undo(.number(Int64(number)))
      }
      #expect(error?.code == .conflict)
      #expect(error?.message == message)
    }
    let error = #expect(throws: StoreError.self) { try store.changes.undo(.number(99)) }
    #expect(error?.code == .notFound)
    #expect(try titles() == ["a", "c"])
    #expect(try store.changes.undo().map(\.id) == [3])
  }

  @Test func changeIsUndoneByCause() throws {
    #expect(try store.changes.undo(.cause("import")).map(\.id) == [2])
    #expect(try store.changes.undo(.cause("import")) == [])
    #expect(try store.changes.undo(.cause("save")).map(\.id) == [3])
    #expect(try titles() == ["a"])
  }

  @Test func undoneChangesAreRedoneInOrder() throws {
    #expect(try store.changes.redo() == [])
    _ = try store.items.update(first, set: [("title", "A"), ("tags", ["x"])])
    try store.items.delete(ItemReference(entity: "Link", id: 2))
    for _ in 0..<5 { _ = try store.changes.undo() }
    #expect(try titles() == [])
    for expected in [["a"], ["a", "b"], ["a", "b", "c"], ["A", "b", "c"], ["A", "c"]] {
      #expect(try store.changes.redo().count == 1)
      #expect(try titles() == expected)
      #expect(try store.check() == [])
    }
    #expect(try store.changes.redo() == [])
    #expect(try store.items.find(Query("Link", match: "tags:x")).map(\.id) == [1])
    _ = try store.changes.undo()
    #expect(try titles() == ["A", "b", "c"])
  }

  /// The place may have been taken meanwhile.
  @Test func redoConflictNamesItem() throws {
    _ = try store.items.update(first, set: [("title", "A")])
    _ = try store.changes.undo()
    _ = try store.items.update(first, set: [("title", "other")])
    let error = #expect(throws: StoreError.self) { try store.changes.redo() }
    #expect(error?.code == .conflict)
    #expect(error?.message.hasPrefix("link:1 was changed later by edit (change 6)") == true)
    #expect(try titles() == ["other", "b", "c"])
  }

  @Test func importIsRedoneWithReferences() throws {
    let album = EntitySchema(
      name: "Album",
      properties: [
        PropertySchema(name: "ratio", type: .double, isOptional: true),
        PropertySchema(name: "link", type: .entity("Link"), isOptional: true),
      ])
    try store.prepare(album)
    let importer = Importer(into: store) { _, _ in }
    for number in 0..<50 {
      try importer.add(
        NewItem(
          "Link", [("url", .string("https://i.org/\(number)")), ("tags", ["i", "“q”\n\u{1}"])]),
        line: number)
    }
    _ = try importer.finish()
    let brought = try #require(try store.items.get("Link", id: 20))
    store.session.cause = "note"
    _ = try store.items.create(
      "Album", set: [("ratio", .double(0.1)), ("link", .object(brought))])
    let before = try store.items.find(Query("Link", sort: [SortKey("id")])).map { $0.field("tags") }
    _ = try store.changes.undo(.cause("note"))
    _ = try store.changes.undo(.cause("edit"))
    #expect(try titles() == ["a", "b", "c"])
    #expect(try store.changes.redo().map(\.last) == [53])
    #expect(try store.changes.redo().map(\.entity) == ["Album"])
    #expect(
      try store.items.find(Query("Link", sort: [SortKey("id")])).map { $0.field("tags") } == before)
    let restored = try #require(try store.items.get("Album", id: 1))
    #expect(restored.field("ratio") == .double(0.1))
    #expect(restored.field("link") == .object(brought))
    #expect(try store.check() == [])
  }

  @Test func logIsFilteredByCauseItemTimeAndRun() throws {
    let since = try #require(try store.changes.entries().last?.time)
    _ = try store.items.update(first, set: [("title", "A")])
    func numbers(_ change: (inout ChangeSelection) -> Void) throws -> [Int64] {
      var selection = ChangeSelection()
      change(&selection)
      return try store.changes.entries(selection).map(\.sequence)
    }
    #expect(try numbers { $0.cause = "save" } == [3, 1])
    #expect(try numbers { $0.item = first } == [4, 1])
    #expect(try numbers { $0.since = since } == [4, 3])
    #expect(try numbers { $0.run = "r" } == [])
    #expect(try numbers { $0.after = 1 } == [4, 3, 2])
    #expect(
      try numbers {
        $0.cause = "save"
        $0.item = first
      } == [1])
  }

  @Test func logHasOldAndNewValues() throws {
    _ = try store.items.update(first, set: [("title", "A"), ("tags", ["x"]), ("summary", .null)])
    try store.items.delete(first)
    let changes = try store.changes.entries(after: 3)
    let update = try store.changes.properties(of: changes[0])
    #expect(update.map(\.name) == ["title", "tags"])
    #expect(update.map(\.old) == ["a", .list([])])
    #expect(update.map(\.new) == ["A", ["x"]])
    let deletion = try store.changes.properties(of: changes[1])
    #expect(deletion.first { $0.name == "title" }?.old == "A")
    #expect(deletion.allSatisfy { $0.new == nil })
    let creation = try store.changes.properties(of: try store.changes.entries()[0])
    #expect(creation.allSatisfy { $0.old == .null })
    #expect(creation.first { $0.name == "title" }?.new == "a")
    #expect(creation.first { $0.name == "tags" }?.new == .list([]))
  }
}
