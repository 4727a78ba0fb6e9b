import CEL
import Items
import Store
import StoreFixtures
import StoreRepair
import TestSupport
import Testing

/// Writes of a process after a schema change by a different process.
@Suite struct FollowingTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path + "/library.db" }

  init() throws { folder = try TemporaryFolder() }

  private static func task(
    _ properties: PropertySchema..., identity: String? = nil
  ) -> EntitySchema {
    EntitySchema(
      name: "Task",
      properties: [PropertySchema(name: "title", type: .string, searchWeight: 2)] + properties,
      identity: identity)
  }

  /// A store with an item, which another process has migrated to another schema.
  private func store(followedBy other: EntitySchema) throws -> Database {
    let store = try StoreFixture(at: .file(path), Self.task()).store
    _ = try store.items.create("Task", set: [("title", "first")])
    _ = try StoreFixture(at: .file(path), other)
    return store
  }

  @Test func writeFollowsNewSchema() throws {
    let changed = Self.task(
      PropertySchema(name: "labels", type: .list(.string), default: ["new"], isIndexed: true),
      PropertySchema(name: "note", type: .string, isOptional: true, searchWeight: 1),
      identity: "title")
    let store = try store(followedBy: changed)
    let item = try store.items.create("Task", set: [("title", "second")])
    #expect(item.id == 2)
    _ = try store.items.update(
      ItemReference(entity: "Task", id: 1), set: [("title", "first again")])
    let importer = Importer(into: store) { _, _ in }
    try importer.add(NewItem("Task", [("title", "third")]), line: 1)
    #expect(try importer.finish().created == 1)
    // The new schema's constraints apply to the old process, too.
    let error = #expect(throws: StoreError.self) {
      try store.items.create("Task", set: [("title", "second")])
    }
    #expect(error?.code == .conflict)
    let reader = try StoreFixture(at: .file(path), changed).store
    #expect(try reader.check() == [])
    #expect(try reader.items.find(Query("Task", match: "labels:new")).count == 3)
    #expect(try reader.items.find(Query("Task", match: "second")).map(\.id) == [2])
  }

  @Test func pausedImportFollowsNewSchema() throws {
    let store = try StoreFixture(at: .file(path), Self.task()).store
    let importer = Importer(into: store) { _, _ in }
    try importer.add(NewItem("Task", [("title", "one")]), line: 1)
    let changed = Self.task(PropertySchema(name: "count", type: .int, default: .int(7)))
    _ = try StoreFixture(at: .file(path), changed)
    try importer.add(NewItem("Task", [("title", "two")]), line: 2)
    #expect(try importer.finish() == Importer.Counts(created: 2))
    let reader = try StoreFixture(at: .file(path), changed).store
    #expect(try reader.items.find(Query("Task")).allSatisfy { $0.field("count") == .int(7) })
    #expect(try reader.check() == [])
  }

  @Test func impossibleWriteIsReported() throws {
    let needs = Self.task(PropertySchema(name: "due", type: .int))
    let path = path
    let store = try StoreFixture(at: .file(path), Self.task()).store
    _ = try StoreFixture(at: .file(path), needs)
    let error = #expect(throws: StoreError.self) {
      try store.items.create("Task", set: [("title", "first")])
    }
    #expect(error?.message == "Task.due needs a value")
    #expect(try store.items.find(Query("Task")).isEmpty)
  }
}
