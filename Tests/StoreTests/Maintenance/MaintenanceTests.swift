import CEL
import FoundationEssentials
import Items
import Store
import StoreFixtures
import StoreRepair
import TestSupport
import Testing

/// Checks, repairs, recovery and backups.
@Suite struct MaintenanceTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path + "/library.db"
  }

  /// A store of 1,000 links, made once; each test damages a copy.
  private static let template = Result {
    let folder = try TemporaryFolder()
    let path = folder.path + "/library.db"
    do { _ = try makeStore(at: path, links: 1000) }
    return try Data(contentsOf: URL(filePath: path))
  }

  private func makeStore(links: Int) throws -> Database {
    try Self.makeStore(at: path, links: links)
  }

  private static func makeStore(at path: String, links: Int) throws -> Database {
    let store = try StoreFixture(at: .file(path), StoreFixture.link).store
    let importer = Importer(into: store) { _, _ in }
    for number in 0..<links {
      try importer.add(
        NewItem(
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

  @Test func soundStoreHasNoProblems() throws {
    let store = try makeStore(links: 300)
    let reference = ItemReference(entity: "Link", id: 7)
    _ = try store.items.update(reference, set: [("title", .null)], add: [("tags", .string("new"))])
    _ = try store.items.create(
      "Link", set: [("url", .string("https://example.org/9")), ("tags", .list([.string("m")]))],
      onConflict: .merge)
    try store.items.delete(ItemReference(entity: "Link", id: 12))
    #expect(try store.check() == [])
    #expect(try store.repair().left == [])
    try store.vacuum()
    #expect(try store.check() == [])
    #expect(try store.items.find(Query("Link", match: "page")).count == 298)
  }

  @Test func damagedIndexesAreRebuilt() throws {
    let store = try makeStore(links: 50)
    try store.connection.run("DELETE FROM \"Link_list_tags\" WHERE id < 10")
    try store.connection.run("UPDATE \"Link\" SET title = 'other' WHERE id = 20")
    let problems = try store.check()
    #expect(Set(problems.map(\.kind)) == [.textIndex, .listIndex])
    #expect(problems.allSatisfy { $0.entity == "Link" })
    #expect(try store.repair().left == [])
    #expect(try store.items.find(Query("Link", match: "other")).map(\.id) == [20])
  }

  /// FTS5 itself detects only some of these.
  @Test(arguments: [
    "DELETE FROM Link_search_idx",
    "DELETE FROM Link_search_idx WHERE pgno = (SELECT max(pgno) FROM Link_search_idx)",
    "UPDATE Link_search_idx SET pgno = pgno + 2 WHERE pgno > 6",
    "DELETE FROM Link_search_data",
    "DELETE FROM Link_search_data WHERE id = 10",
    "DELETE FROM Link_search_data WHERE id = (SELECT max(id) FROM Link_search_data)",
    "UPDATE Link_search_data SET block = zeroblob(length(block)) WHERE id > 100",
    "DELETE FROM Link_search_docsize", "DELETE FROM Link_search_docsize WHERE id = 5",
    "DELETE FROM Link_search_config", "UPDATE Link_search_config SET v = 3 WHERE k = 'version'",
    "DROP TABLE Link_search_idx", "DROP TABLE Link_search_config",
  ])
  func damagedTextIndexIsRebuilt(statement: String) throws {
    try Self.template.get().write(to: URL(filePath: path))
    do {
      let raw = try Connection(file: path, flags: 2, path: path, isDefensive: false)
      try raw.run("\(raw: statement)")
    }
    let store = try StoreFixture(at: .file(path), StoreFixture.link).store
    let problems = try store.check()
    #expect(problems.map(\.kind) == [.textIndex])
    let repair = try store.repair()
    #expect(repair.left == [])
    #expect(repair.losses == [])
    let backup = try #require(repair.backup)
    #expect(backup.hasPrefix(path) && backup.hasSuffix(".backup"))
    #expect(try store.items.find(Query("Link", match: "page 17")).map(\.id) == [18])
    #expect(try store.items.find(Query("Link", match: "page")).count == 1000)
    _ = try store.items.create("Link", set: [("url", "https://later.org"), ("title", "later")])
    #expect(try store.items.find(Query("Link", match: "later")).count == 1)
    #expect(try store.check() == [])
  }

  @Test func checkReportsProgress() throws {
    let store = try makeStore(links: 500)
    var steps: [String] = []
    _ = try store.check { steps.append($0) }
    #expect(steps.first == "the file")
    #expect(steps.contains("the text index of Link"))
  }

  @Test func repairKeepsOtherConnectionsWorking() throws {
    let store = try makeStore(links: 200)
    let other = try StoreFixture(at: .file(path), StoreFixture.link).store
    #expect(try other.items.find(Query("Link", match: "page 17")).map(\.id) == [18])
    do {
      let raw = try Connection(file: path, flags: 2, path: path, isDefensive: false)
      try raw.run("DELETE FROM Link_search_config")
    }
    #expect(try store.repair().left == [])
    #expect(try other.items.find(Query("Link", match: "page 17")).map(\.id) == [18])
    _ = try other.items.create("Link", set: [("url", "https://later.org"), ("title", "later")])
    #expect(try store.items.find(Query("Link", match: "later")).count == 1)
    #expect(try store.check() == [])
  }

  /// Frequent small writes must not keep a repair from finishing.
  @Test func repairFinishesDespiteOtherWriters() throws {
    do { _ = try makeStore(links: 200) }
    do {
      let raw = try Connection(file: path, flags: 2, path: path, isDefensive: false)
      try raw.run("DELETE FROM Link_search_config")
    }
    let store = try StoreFixture(at: .file(path), StoreFixture.link).store
    let other = try StoreFixture(at: .file(path)).store
    try other.prepare(
      EntitySchema(name: "Memo", properties: [PropertySchema(name: "text", type: .string)]))
    var saved = 0
    let repair = try store.repair { step in
      // Another process saves whenever it can, which it cannot while the file is locked.
      guard step.hasPrefix("copying Link"), saved < 2 else { return }
      saved += 1
      do {
        _ = try other.items.create("Memo", set: [("text", .string("later \(saved)"))])
      } catch {
        Issue.record(error)
      }
    }
    #expect(repair.left == [])
    #expect(saved == 2)
    #expect(try store.items.find(Query("Link", match: "page")).count == 200)
    #expect(try other.items.find(Query("Memo")).count == 2)
    #expect(try folder.names().filter { $0.hasSuffix(".backup") }.count == 1)
    #expect(try folder.names().filter { $0.hasSuffix(".new") } == [])
  }

  @Test func backupFollowsSymbolicLink() throws {
    do { _ = try makeStore(links: 3) }
    let link = folder.path + "/elsewhere"
    try FileManager.default.createDirectory(atPath: link, withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(
      atPath: link + "/s.db", withDestinationPath: path)
    let store = try StoreFixture(at: .file(link + "/s.db"), StoreFixture.link).store
    try store.connection.run("DELETE FROM Link_list_tags")
    let backup = try #require(try store.repair().backup)
    #expect(backup.hasPrefix(path + "."))
    #expect(try FileManager.default.contentsOfDirectory(atPath: link) == ["s.db"])
  }

  @Test func leftoversOfDeadProcessesAreRemoved() throws {
    let store = try makeStore(links: 3)
    // No process has such an id.
    for name in [".2000000000.7.new", ".2000000000.7.new-wal", ".2000000000.new"] {
      try Data([1]).write(to: URL(filePath: path + name))
    }
    try Data([1]).write(to: URL(filePath: path + ".1.7.new"))
    try store.connection.run("DELETE FROM Link_list_tags")
    _ = try store.repair()
    #expect(try folder.names().filter { $0.contains(".new") } == ["library.db.1.7.new"])
  }

  /// Missing tables and indexes are recreated, and invalid values are replaced.
  @Test(arguments: [
    "DROP INDEX Link_by_date", "DROP INDEX Link_by_use", "DROP INDEX Link_by_status_",
    "DROP TABLE Link_list_tags", "DROP VIEW Link_text", "DROP TABLE Link_search",
    "DROP TABLE errand_changes", "UPDATE errand_changes SET before = 'x' WHERE kind = 1",
    "UPDATE errand_changes SET before = NULL WHERE kind = 1",
    "UPDATE errand_changes SET id = -1 WHERE kind = 1",
    "UPDATE errand_changes SET time = 'then'", "UPDATE errand_changes SET kind = 9",
    "UPDATE errand_changes SET entity = 'Nothing'",
    "UPDATE Link SET _identity = NULL WHERE id = 3",
    "UPDATE Link SET _identity = 'wrong' || id WHERE id > 30",
    "UPDATE Link SET uid = x'00' WHERE id = 4",
    "UPDATE Link SET createdAt = 'then' WHERE id = 5",
    "UPDATE Link SET updatedAt = x'00' WHERE id < 6",
    "UPDATE sqlite_sequence SET seq = 9223372036854775807 WHERE name = 'Link'",
    "UPDATE sqlite_sequence SET seq = 'x' WHERE name = 'Link'",
    "DELETE FROM sqlite_sequence WHERE name = 'Link'",
    "DROP VIEW Link_text; DROP INDEX Link_by_date; DELETE FROM Link_search_config",
  ])
  func missingAndInvalidDataIsRepaired(statements: String) throws {
    do {
      let store = try makeStore(links: 60)
      _ = try store.items.update(
        ItemReference(entity: "Link", id: 2), set: [("title", "Page changed")])
    }
    do {
      let raw = try Connection(file: path, flags: 2, path: path, isDefensive: false)
      for statement in statements.split(separator: ";") {
        try raw.run("\(raw: String(statement))")
      }
    }
    let store = try StoreFixture(at: .file(path), StoreFixture.link).store
    let problems = try store.check()
    #expect(!problems.isEmpty)
    #expect(!problems.contains { $0.kind == .file }, "\(problems)")
    #expect(!problems.contains { $0.message.contains("code") }, "\(problems)")
    let repair = try store.repair()
    #expect(repair.left == [])
    #expect(try store.check() == [])
    #expect(try store.items.find(Query("Link", match: "page")).count == 60)
    #expect(try store.items.find(Query("Link", match: "tags:even1")).count == 30)
    for id in [1, 3, 4, 40] as [Int64] {
      #expect(try store.items.get("Link", identity: "https://example.org/\(id - 1)")?.id == id)
    }
    #expect(try store.items.create("Link", set: [("url", "https://later.org")]).id == 61)
    _ = try store.changes.undo()
    let after = try store.check()
    #expect(after == [], "\(after)")
  }

  /// A missing system table never prevents access to the items.
  @Test(
    arguments: SystemTables.all.flatMap { records in records.tables.map { (records, $0.name) } }
      .filter { $0.1 != "errand_meta" })
  func missingSystemTableIsRecreated(records: SystemTables, name: String) throws {
    do {
      let store = try makeStore(links: 20)
      for records in SystemTables.all { try records.make(in: store) }
      #expect(try store.check() == [])
    }
    do {
      let raw = try Connection(file: path, flags: 2, path: path, isDefensive: false)
      try raw.run("DROP TABLE \(name: name)")
    }
    let store = try StoreFixture(at: .file(path), StoreFixture.link).store
    #expect(try store.check().map(\.kind).contains(.init(records)))
    let repair = try store.repair()
    #expect(repair.left == [])
    #expect(repair.losses == [records.loss(0)])
    #expect(try store.items.find(Query("Link", match: "page")).count == 20)
    let rescued = try Database.rescue(
      [StoreFixture.link], from: path, to: folder.path + "/rescued.db",
      context: StoreFixture.context())
    #expect(rescued.map(\.isWhole) == [true])
  }

  @Test func tableWithoutSchemaIsReported() throws {
    do { _ = try makeStore(links: 20) }
    do {
      let raw = try Connection(file: path, flags: 2, path: path, isDefensive: false)
      try raw.run("DELETE FROM errand_meta WHERE key LIKE '%:Link'")
    }
    let store = try StoreFixture(at: .file(path)).store
    let problems = try store.check()
    #expect(problems.map(\.kind) == [.file])
    #expect(
      problems.first?.message == "the store has no schema for its table Link", "\(problems)")
    let error = #expect(throws: StoreError.self) { try store.prepare(StoreFixture.link) }
    #expect(error?.remedy == .rescue)
    let rescued = folder.path + "/rescued.db"
    let results = try Database.rescue(
      [StoreFixture.link], from: path, to: rescued, context: StoreFixture.context())
    #expect(results.map(\.saved) == [20])
    #expect(results.map(\.isWhole) == [true])
    let unknown = try Database.rescue(
      [], from: path, to: folder.path + "/other.db", context: StoreFixture.context())
    #expect(unknown.map(\.isUnknown) == [true])
  }

  @Test func exhaustedIdsAreNotAFullDisk() throws {
    let store = try makeStore(links: 2)
    try store.connection.run(
      "UPDATE sqlite_sequence SET seq = 9223372036854775807 WHERE name = 'Link'")
    let error = #expect(throws: StoreError.self) {
      try store.items.create("Link", set: [("url", "https://later.org")])
    }
    #expect(error?.code == .corrupt)
    #expect(error?.remedy == .repair)
    #expect(try store.repair().left == [])
    #expect(try store.items.create("Link", set: [("url", "https://later.org")]).id == 3)
  }

  @Test(arguments: [0, 100])
  func storeWithGarbledFirstPageIsRecognized(offset: Int) throws {
    do { _ = try makeStore(links: 300) }
    var bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    for index in offset..<4096 { bytes[index] = UInt8(truncatingIfNeeded: index &* 37) }
    try Data(bytes).write(to: URL(filePath: path))
    let error = #expect(throws: StoreError.self) { try StoreFixture(at: .file(path)).store }
    #expect(error?.code == .corrupt)
    #expect(error?.remedy == .rescue)
    let rescued = folder.path + "/rescued.db"
    let results = try Database.rescue(
      [StoreFixture.link], from: path, to: rescued, context: StoreFixture.context())
    #expect(results.first?.saved == 300)
    // A file that never was a store is not called damaged.
    let other = folder.path + "/other.db"
    try Data(repeating: 0x41, count: 20_000).write(to: URL(filePath: other))
    let refusal = #expect(throws: StoreError.self) { try StoreFixture(at: .file(other)).store }
    #expect(refusal?.code == .notAStore)
  }

  @Test func backupIsACompleteStore() throws {
    let store = try makeStore(links: 40)
    let copy = folder.path + "/copy.db"
    try store.backup(to: copy)
    _ = try store.items.create("Link", set: [("url", .string("https://later.org"))])
    let backup = try StoreFixture(at: .file(copy), StoreFixture.link).store
    #expect(try backup.items.find(Query("Link")).count == 40)
    #expect(try backup.check() == [])
    _ = try backup.items.create("Link", set: [("url", .string("https://other.org"))])
    let error = #expect(throws: StoreError.self) { try store.backup(to: copy) }
    #expect(error?.code == .conflict)
    #expect(try folder.names().filter { $0.hasSuffix(".new") } == [])
  }

  @Test func readableDataOfDamagedStoreIsRecovered() throws {
    do {
      let store = try makeStore(links: 2000)
      try store.vacuum()
      try store.backup(to: folder.path + "/damaged.db")
    }
    let damaged = folder.path + "/damaged.db"
    var bytes = [UInt8](try Data(contentsOf: URL(filePath: damaged)))
    // A page of the items' table, found by a text on it.
    let needle = Array("https://example.org/1000".utf8)
    let start = try #require(bytes.firstRange(of: needle)?.lowerBound)
    let page = start / 4096 * 4096
    for index in page..<page + 4096 { bytes[index] = 0xA5 }
    try Data(bytes).write(to: URL(filePath: damaged))
    let store = try StoreFixture(at: .file(damaged), StoreFixture.link).store
    #expect(try store.check().contains { $0.kind == .file })
    let rescued = folder.path + "/rescued.db"
    let result = try Database.rescue(
      [StoreFixture.link], from: damaged, to: rescued, context: StoreFixture.context())
    #expect(result.first.map { $0.saved > 1900 && $0.saved < 2000 } == true, "\(result)")
    #expect(result.first?.lost == 2000 - (result.first?.saved ?? 0))
    let whole = try StoreFixture(at: .file(rescued), StoreFixture.link).store
    #expect(try whole.check() == [])
    #expect(try whole.items.get("Link", id: 1900)?.text("url") == "https://example.org/1899")
  }
}
