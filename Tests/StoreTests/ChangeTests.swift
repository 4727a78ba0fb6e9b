import CEL
import Items
import Store
import StoreFixtures
import StoreRepair
import Testing

/// The change log, undo and redo.
@Suite struct ChangeTests {
  private func makeStore() throws -> Database {
    let store = try StoreFixture(StoreFixture.link).store
    _ = try store.items.create(
      "Link",
      set: [("url", "https://a.org"), ("title", "A"), ("tags", ["x", "y"])])
    return store
  }

  private let first = ItemReference(entity: "Link", id: 1)

  @Test func changesAreLoggedWithCause() throws {
    let store = try makeStore()
    store.session.cause = "save"
    _ = try store.items.update(first, set: [("title", "B")])
    _ = try store.items.update(first, set: [("title", "B")])
    try store.items.recordUse(of: first, as: .open)
    store.session.cause = "prune"
    try store.items.delete(first)
    let changes = try store.changes.entries()
    #expect(changes.map(\.kind) == [.create, .update, .delete])
    #expect(changes.map(\.cause) == ["", "save", "prune"])
    #expect(changes.allSatisfy { $0.entity == "Link" && $0.id == 1 && $0.last == 1 })
    #expect(try store.changes.entries(after: changes[1].sequence).map(\.kind) == [.delete])
  }

  @Test func undoRevertsOneTransactionAtATime() throws {
    let store = try makeStore()
    let created = try #require(try store.items.get("Link", id: 1))
    try store.transaction {
      _ = try store.items.update(first, set: [("title", "B")], remove: [("tags", "x")])
      _ = try store.items.create("Link", set: [("url", "https://b.org")])
    }
    try store.items.delete(first)
    #expect(try store.changes.undo().map(\.kind) == [.delete])
    let restored = try #require(try store.items.get("Link", id: 1))
    #expect(restored.text("title") == "B")
    #expect(restored.texts("tags") == ["y"])
    #expect(restored.uid == created.uid)
    #expect(restored.createdAt == created.createdAt)
    #expect(try store.changes.undo().map(\.kind) == [.create, .update])
    #expect(try store.items.get("Link", id: 2) == nil)
    #expect(try store.items.get("Link", id: 1)?.text("title") == "A")
    #expect(try store.items.get("Link", id: 1)?.texts("tags") == ["x", "y"])
    #expect(try store.changes.undo().map(\.kind) == [.create])
    #expect(try store.changes.undo() == [])
    #expect(try store.items.find(Query("Link")).isEmpty)
    #expect(try store.check() == [])
  }

  @Test func importIsUndoneAsAWhole() throws {
    let store = try makeStore()
    let importer = Importer(into: store) { _, _ in }
    for number in 0..<30 {
      try importer.add(
        NewItem("Link", [("url", .string("https://i.org/\(number)"))]), line: number)
    }
    try importer.add(
      NewItem("Link", [("url", "https://a.org"), ("tags", ["z"])]), line: 31)
    _ = try importer.finish()
    #expect(try store.items.get("Link", id: 1)?.texts("tags") == ["x", "y", "z"])
    #expect(try store.changes.entries().count == 3)
    #expect(try store.changes.undo().count == 2)
    #expect(try store.items.find(Query("Link")).map(\.id) == [1])
    #expect(try store.items.get("Link", id: 1)?.texts("tags") == ["x", "y"])
    #expect(try store.check() == [])
  }

  @Test func importOfSeveralBatchesIsOneChange() throws {
    let store = try makeStore()
    let importer = Importer(into: store) { _, _ in }
    for batch in 0..<3 {
      for number in 0..<20 {
        try importer.add(
          NewItem("Link", [("url", .string("https://i.org/\(batch)/\(number)"))]), line: number)
      }
      _ = try importer.finish()
    }
    // Writes of others meanwhile are not part of it.
    try store.items.delete(ItemReference(entity: "Link", id: 30))
    _ = try store.items.update(ItemReference(entity: "Link", id: 31), set: [("title", "changed")])
    try store.items.delete(ItemReference(entity: "Link", id: 33))
    for _ in 0..<3 { _ = try store.changes.undo() }
    try store.items.delete(ItemReference(entity: "Link", id: 30))
    let sequence = try #require(try store.changes.entries().last?.sequence)
    #expect(try store.changes.undo().map(\.kind) == [.delete])
    try store.items.delete(ItemReference(entity: "Link", id: 30))
    // The deletion is the latest, then the import as a whole.
    _ = try store.changes.undo()
    #expect(try store.changes.undo().map { [$0.id, $0.last] } == [[2, 61]])
    #expect(try store.items.find(Query("Link")).map(\.id) == [1])
    #expect(try store.check() == [])
    #expect(try store.changes.entries(after: sequence).last?.kind == .deleteMany)
  }

  /// Each merged item has a separate entry, and the log keeps fewer entries than that.
  @Test func importLargerThanLogIsUndone() throws {
    let part = EntitySchema(
      name: "Part",
      properties: [
        PropertySchema(name: "name", type: .string), PropertySchema(name: "size", type: .int),
      ], identity: "name")
    let store = try StoreFixture(part).store
    let count = ChangeLog.keptChanges + 600
    for size in [1, 2] as [Value] {
      let importer = Importer(into: store, prefersGiven: true) { _, _ in }
      for number in 0..<count {
        try importer.add(
          NewItem("Part", [("name", .string("\(number)")), ("size", size)]), line: number)
      }
      _ = try importer.finish()
    }
    #expect(try store.changes.entries(limit: 2 * count).count >= count)
    #expect(try store.changes.undo().count == count)
    #expect(try store.items.find(Query("Part")).allSatisfy { $0.field("size") == 1 })
    // The data to redo it is kept, too, as are the undone changes; nothing else.
    for size in [2, 1, 2, 1] as [Value] {
      #expect(try (size == 2 ? store.changes.redo() : store.changes.undo()).count == count)
      #expect(try store.items.find(Query("Part")).allSatisfy { $0.field("size") == size })
    }
    #expect(try store.changes.entries(limit: 9 * count).count == 2 * count)
  }

  @Test func changesBeforeLongOneArePruned() throws {
    let store = try makeStore()
    let fill = """
      INSERT INTO errand_changes (batch, time, kind, entity, id, last, cause) \
      WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 10200) \
      SELECT i, 0, 0, 'Link', 1, 1, '' FROM n
      """ as SQL
    try store.connection.run(fill)
    for number in 0..<256 {
      _ = try store.items.update(first, set: [("title", .string("\(number)"))])
    }
    #expect(try store.changes.entries(limit: 20_000).count < ChangeLog.keptChanges + 256)
  }

  @Test func logListsItemsDeletedWithImport() throws {
    let store = try makeStore()
    let importer = Importer(into: store) { _, _ in }
    for number in 0..<30 {
      try importer.add(
        NewItem("Link", [("url", .string("https://i.org/\(number)")), ("tags", ["x", "i"])]),
        line: number)
    }
    _ = try importer.finish()
    // Deleted by a process without a log, so that the import is still the latest change.
    for id in [5, 6, 12] {
      try store.items.delete(ItemReference(entity: "Link", id: Int64(id)))
    }
    try store.connection.run("UPDATE errand_changes SET undone = 1 WHERE kind = 2")
    let sequence = try #require(try store.changes.entries().last?.sequence)
    var told: [Int] = []
    _ = try store.changes.undo { done, total in
      told.append(done)
      #expect(total == 30)
    }
    #expect(told.last == 30)
    let changes = try store.changes.entries(after: sequence)
    #expect(changes.map { [$0.id, $0.last] } == [[2, 4], [7, 11], [13, 31]])
    #expect(changes.allSatisfy { $0.kind == .deleteMany && $0.cause == "undo" })
    #expect(try store.items.find(Query("Link", match: "tags:x")).map(\.id) == [1])
    #expect(try store.check() == [])
    // The last items are deleted in another way.
    #expect(try store.changes.undo().map(\.id) == [1])
    #expect(try store.items.find(Query("Link")).isEmpty)
    #expect(try store.changes.entries().last?.kind == .delete)
    #expect(try store.check() == [])
    let next = try store.items.create(
      "Link", set: [("url", "https://next.org"), ("title", "next")])
    #expect(next.id == 32)
    #expect(try store.items.find(Query("Link", match: "next")).map(\.id) == [32])
  }

  @Test func undoOfImportClearsReferences() throws {
    let album = EntitySchema(
      name: "Album",
      properties: [
        PropertySchema(name: "artist", type: .entity("Zartist")),
        PropertySchema(
          name: "guests", type: .list(.entity("Zartist")), default: [], searchWeight: 1,
          isIndexed: true),
        PropertySchema(name: "rival", type: .entity("Zartist"), isOptional: true),
      ])
    let artist = EntitySchema(
      name: "Zartist", properties: [PropertySchema(name: "name", type: .string, searchWeight: 1)],
      identity: "name")
    let store = try StoreFixture(artist, album).store
    let own = try store.items.create("Zartist", set: [("name", "own")])
    let kept = try store.items.create("Album", set: [("artist", .object(own))])
    let importer = Importer(into: store) { _, _ in }
    for number in 0..<3 {
      try importer.add(NewItem("Zartist", [("name", .string("a\(number)"))]), line: number)
    }
    _ = try importer.finish()
    let brought = try #require(try store.items.get("Zartist", identity: "a1"))
    // An imported item that requires another imported one does not prevent the undo.
    try importer.add(NewItem("Album", [("artist", .object(brought))]), line: 4)
    _ = try importer.finish()
    try store.transaction {
      _ = try store.items.update(
        try #require(kept.reference),
        set: [
          ("guests", [.object(own), .object(brought)]), ("rival", .object(brought)),
        ])
    }
    #expect(try store.check() == [])
    try store.connection.run(
      "UPDATE errand_changes SET undone = 1 WHERE sequence = (SELECT max(sequence) FROM errand_changes)"
    )
    #expect(try store.changes.undo().count == 2)
    let left = try #require(try store.items.get("Album", id: 1))
    #expect(left.field("guests") == [.object(own)])
    #expect(left.field("rival") == .null)
    #expect(left.field("artist") == .object(own))
    #expect(try store.items.find(Query("Album")).count == 1)
    #expect(try store.items.find(Query("Zartist")).count == 1)
    #expect(try store.check() == [])
  }

  @Test func requiredReferencePreventsUndoOfImport() throws {
    let album = EntitySchema(
      name: "Album", properties: [PropertySchema(name: "artist", type: .entity("Artist"))])
    let artist = EntitySchema(
      name: "Artist", properties: [PropertySchema(name: "name", type: .string)],
      identity: "name")
    let store = try StoreFixture(artist, album).store
    let importer = Importer(into: store) { _, _ in }
    for number in 0..<3 {
      try importer.add(NewItem("Artist", [("name", .string("a\(number)"))]), line: number)
    }
    _ = try importer.finish()
    let brought = try #require(try store.items.get("Artist", identity: "a1"))
    _ = try store.items.create("Album", set: [("artist", .object(brought))])
    try store.connection.run("UPDATE errand_changes SET undone = 1 WHERE entity = 'Album'")
    let count = try store.changes.entries().count
    let error = #expect(throws: StoreError.self) { try store.changes.undo() }
    #expect(error?.code == .conflict)
    #expect(error?.message.contains("album:1 needs artist:2") == true)
    #expect(try store.items.find(Query("Artist")).count == 3)
    #expect(try store.changes.entries().count == count)
  }

  @Test func partlyPrunedChangeIsNotUndone() throws {
    let store = try makeStore()
    try store.transaction {
      for number in 0..<20 {
        _ = try store.items.update(first, set: [("title", .string("\(number)"))])
      }
    }
    // An earlier release could prune part of a change.
    try store.connection.run(
      "DELETE FROM errand_changes WHERE sequence < (SELECT max(sequence) FROM errand_changes) - 9")
    let error = #expect(throws: StoreError.self) { try store.changes.undo() }
    #expect(error?.code == .conflict)
    #expect(try store.items.get("Link", id: 1)?.text("title") == "19")
  }

  @Test func undoRestoresReferences() throws {
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
    let item = try store.items.create("Project", set: [("name", "p")])
    _ = try store.items.create(
      "Task",
      set: [("project", .object(item)), ("others", [.object(item)]), ("ratio", .double(.infinity))])
    try store.items.delete(try #require(item.reference))
    _ = try store.changes.undo()
    let restored = try #require(try store.items.get("Task", id: 1))
    #expect(restored.field("project") == .object(item))
    #expect(restored.field("others") == [.object(item)])
    _ = try store.items.update(ItemReference(entity: "Task", id: 1), set: [("ratio", 1)])
    _ = try store.changes.undo()
    #expect(try store.items.get("Task", id: 1)?.field("ratio") == .double(.infinity))
  }

  /// Usage scores survive an undo of the deletion.
  @Test func restoredItemKeepsUsageScore() throws {
    let store = try makeStore()
    _ = try store.items.create("Link", set: [("url", "https://b.org"), ("title", "A")])
    try store.items.recordUse(of: first, as: .share)
    func use() throws -> [SQLValue] {
      var columns: [SQLValue] = []
      try store.connection.rows("SELECT _frecency, _used FROM Link ORDER BY id") { row in
        columns += [row.value(0), row.value(1)]
        return true
      }
      return columns
    }
    let before = try use()
    #expect(before[0] != .null && before[1] != .null && before[2...] == [.null, .null])
    for id in [1, 2] as [Int64] {
      try store.items.delete(ItemReference(entity: "Link", id: id))
      _ = try store.changes.undo()
      #expect(try use() == before)
    }
    #expect(try store.check() == [])
  }

  @Test func failedUndoChangesNothing() throws {
    let store = try makeStore()
    try store.items.delete(first)
    _ = try store.items.create("Link", set: [("url", "https://c.org")])
    _ = try store.changes.undo()
    try store.connection.run(
      """
      INSERT INTO "Link" (uid, createdAt, updatedAt, _identity, url, tags, status) \
      VALUES (x'00', 1, 1, 'https://a.org', 'https://a.org', '[]', 'queued')
      """)
    let error = #expect(throws: StoreError.self) { try store.changes.undo() }
    #expect(error?.code == .conflict)
    #expect(try store.items.get("Link", id: 1) == nil)
  }

  @Test func logIsBounded() throws {
    let store = try makeStore()
    for number in 0..<600 {
      _ = try store.items.update(first, set: [("title", .string("\(number)"))])
    }
    try store.changes.prune(keeping: 10)
    #expect(try store.changes.entries().count == 10)
    #expect(ChangeLog.keptChanges == 10_000)
  }
}
