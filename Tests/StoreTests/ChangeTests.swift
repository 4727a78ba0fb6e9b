import CEL
import Store
import StoreFixtures
import Testing

@Suite struct ChangeTests {
  private func makeStore() throws -> EntityStore {
    let store = try StoreFixture(StoreFixture.link).store
    _ = try store.create(
      "Link",
      set: [("url", "https://a.org"), ("title", "A"), ("tags", ["x", "y"])])
    return store
  }

  private let first = ItemReference(entity: "Link", id: 1)

  @Test func eachChangeIsRecordedWithItsCause() throws {
    let store = try makeStore()
    store.cause = "save"
    _ = try store.update(first, set: [("title", "B")])
    _ = try store.update(first, set: [("title", "B")])
    try store.recordUse(of: first, as: .open)
    store.cause = "prune"
    try store.delete(first)
    let changes = try store.changes()
    #expect(changes.map(\.kind) == [.create, .update, .delete])
    #expect(changes.map(\.cause) == ["", "save", "prune"])
    #expect(changes.allSatisfy { $0.entity == "Link" && $0.id == 1 && $0.last == 1 })
    #expect(try store.changes(after: changes[1].sequence).map(\.kind) == [.delete])
  }

  @Test func undoTakesBackOneTransactionAtATime() throws {
    let store = try makeStore()
    let created = try #require(try store.get("Link", id: 1))
    try store.transaction {
      _ = try store.update(first, set: [("title", "B")], remove: [("tags", "x")])
      _ = try store.create("Link", set: [("url", "https://b.org")])
    }
    try store.delete(first)
    #expect(try store.undo().map(\.kind) == [.delete])
    let restored = try #require(try store.get("Link", id: 1))
    #expect(restored.text("title") == "B")
    #expect(restored.texts("tags") == ["y"])
    #expect(restored.uid == created.uid)
    #expect(restored.createdAt == created.createdAt)
    #expect(try store.undo().map(\.kind) == [.create, .update])
    #expect(try store.get("Link", id: 2) == nil)
    #expect(try store.get("Link", id: 1)?.text("title") == "A")
    #expect(try store.get("Link", id: 1)?.texts("tags") == ["x", "y"])
    #expect(try store.undo().map(\.kind) == [.create])
    #expect(try store.undo() == [])
    #expect(try store.find(Query("Link")).isEmpty)
    #expect(try store.check() == [])
  }

  @Test func anImportIsTakenBackAsAWhole() throws {
    let store = try makeStore()
    let importer = Importer(into: store) { _, _ in }
    for number in 0..<30 {
      try importer.add(
        Draft("Link", [("url", .string("https://i.org/\(number)"))]), line: number)
    }
    try importer.add(
      Draft("Link", [("url", "https://a.org"), ("tags", ["z"])]), line: 31)
    _ = try importer.finish()
    #expect(try store.get("Link", id: 1)?.texts("tags") == ["x", "y", "z"])
    #expect(try store.changes().count == 3)
    #expect(try store.undo().count == 2)
    #expect(try store.find(Query("Link")).map(\.id) == [1])
    #expect(try store.get("Link", id: 1)?.texts("tags") == ["x", "y"])
    #expect(try store.check() == [])
  }

  @Test func undoGivesBackWhatReferredToAnItem() throws {
    let project = EntitySchema(
      name: "Project", properties: [PropertySchema(name: "name", type: .string)])
    let task = EntitySchema(
      name: "Task",
      properties: [
        PropertySchema(name: "project", type: .entity("Project"), isOptional: true),
        PropertySchema(name: "others", type: .list(.entity("Project")), default: []),
        PropertySchema(name: "ratio", type: .double, isOptional: true),
      ])
    let store = try StoreFixture(project, task).store
    let item = try store.create("Project", set: [("name", "p")])
    _ = try store.create(
      "Task",
      set: [("project", .object(item)), ("others", [.object(item)]), ("ratio", .double(.infinity))])
    try store.delete(try #require(item.reference))
    _ = try store.undo()
    let restored = try #require(try store.get("Task", id: 1))
    #expect(restored.field("project") == .object(item))
    #expect(restored.field("others") == [.object(item)])
    _ = try store.update(ItemReference(entity: "Task", id: 1), set: [("ratio", 1)])
    _ = try store.undo()
    #expect(try store.get("Task", id: 1)?.field("ratio") == .double(.infinity))
  }

  @Test func undoThatCannotBeDoneChangesNothing() throws {
    let store = try makeStore()
    try store.delete(first)
    _ = try store.create("Link", set: [("url", "https://c.org")])
    _ = try store.undo()
    try store.connection.run(
      """
      INSERT INTO "Link" (uid, createdAt, updatedAt, _identity, url, tags, status) \
      VALUES (x'00', 1, 1, 'https://a.org', 'https://a.org', '[]', 'queued')
      """)
    let error = #expect(throws: StoreError.self) { try store.undo() }
    #expect(error?.code == .conflict)
    #expect(try store.get("Link", id: 1) == nil)
  }

  @Test func theLogIsBounded() throws {
    let store = try makeStore()
    for number in 0..<600 {
      _ = try store.update(first, set: [("title", .string("\(number)"))])
    }
    try store.pruneChanges(keeping: 10)
    #expect(try store.changes().count == 10)
    #expect(EntityStore.keptChanges == 10_000)
  }
}
