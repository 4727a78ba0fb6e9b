import CEL
import FoundationEssentials
import Items
import Store
import StoreFixtures
import StoreRepair
import TestSupport
import Testing

/// Recovery: saved items, the unchanged source, and the report of losses.
@Suite struct RescueTests {
  private static let note = EntitySchema(
    name: "Note",
    properties: [
      PropertySchema(name: "text", type: .string, searchWeight: 1),
      PropertySchema(name: "link", type: .entity("Link"), isOptional: true),
      PropertySchema(name: "mood", type: .enumeration(["a = b]", "c"]), default: "c"),
      PropertySchema(name: "gone", type: .list(.string), isOptional: true, isIndexed: true),
    ])

  private let folder: TemporaryFolder
  private let path: String
  private let rescued: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path + "/library.db"
    rescued = folder.path + "/rescued.db"
  }

  private func makeStore(links: Int, notes: Int) throws {
    let store = try StoreFixture(at: .file(path), StoreFixture.link, Self.note).store
    let importer = Importer(into: store) { _, _ in }
    for number in 0..<links {
      try importer.add(
        NewItem(
          "Link",
          [
            ("url", .string("https://example.org/\(number)")),
            ("title", .string(String(repeating: "page w\(number) ", count: 12))),
          ]), line: number)
    }
    for number in 0..<notes {
      try importer.add(
        NewItem(
          "Note",
          [
            ("text", .string(String(repeating: "note n\(number) ", count: 20))),
            ("gone", .list([.string("g\(number)")])),
          ]), line: number)
    }
    _ = try importer.finish()
    if links > 0, notes > 0 {
      for number in 1...Int64(min(links, notes)) {
        let link = try #require(try store.items.get("Link", id: number))
        _ = try store.items.update(
          ItemReference(entity: "Note", id: number), set: [("link", .object(link))])
      }
    }
  }

  /// The leaf pages of a table or an index.
  private func leaves(of owner: String) throws -> [Int] {
    let raw = try Connection(file: path, flags: 2, path: path)
    var pages: [Int] = []
    try raw.rows("SELECT pageno FROM dbstat WHERE name = \(.text(owner)) AND pagetype = 'leaf'") {
      pages.append(Int($0.int(0)))
      return true
    }
    return pages
  }

  private func change(_ body: (inout [UInt8]) -> Void) throws {
    var bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    body(&bytes)
    try Data(bytes).write(to: URL(filePath: path))
  }

  private func tamper(_ statements: String...) throws {
    let raw = try Connection(file: path, flags: 2, path: path, isDefensive: false)
    for statement in statements { try raw.run("\(raw: statement)") }
  }

  private func rescue(_ schemas: [EntitySchema]) throws -> [String: Database.Rescue] {
    let results = try Database.rescue(
      schemas, from: path, to: rescued, context: StoreFixture.context())
    return Dictionary(uniqueKeysWithValues: results.map { ($0.entity, $0) })
  }

  @Test func undefinedEntitiesAreRecoveredCompletely() throws {
    try makeStore(links: 5, notes: 8)
    let fewer = EntitySchema(name: "Note", properties: Array(Self.note.properties.prefix(3)))
    do {
      let store = try StoreFixture(at: .file(path), StoreFixture.link, fewer).store
      try store.items.recordUse(of: ItemReference(entity: "Note", id: 3), as: .open)
    }
    let results = try rescue([])
    #expect(results["Note"]?.saved == 8)
    #expect(results["Link"]?.saved == 5)
    #expect(results.values.filter { !$0.isWhole }.isEmpty, "\(results)")
    let raw = try Connection(file: rescued, flags: 2, path: rescued)
    #expect(
      try raw.first("SELECT count(*) FROM Note WHERE gone LIKE '[\"g%'") == .int(8))
    #expect(
      try raw.first("SELECT id FROM Note WHERE _used IS NOT NULL AND _frecency > 0") == .int(3))
    // The property is restored with its values.
    let store = try StoreFixture(at: .file(rescued), StoreFixture.link, Self.note).store
    #expect(try store.items.find(Query("Note", match: "gone:g4")).map(\.id) == [5])
    #expect(try store.items.find(Query("Note", match: "n6")).map(\.id) == [7])
    #expect(try store.items.get("Link", identity: "https://example.org/4")?.id == 5)
    #expect(try store.check() == [])
    #expect(try folder.names().filter { $0.hasSuffix(".new") } == [])
  }

  @Test func emptySoundStoreIsComplete() throws {
    try makeStore(links: 0, notes: 0)
    let results = try rescue([StoreFixture.link])
    #expect(results["Link"]?.saved == 0)
    #expect(results.values.filter { !$0.isWhole }.isEmpty, "\(results)")
  }

  /// An index that lost some of its entries looks intact.
  @Test func agreeingIndexesGiveTheLoss() throws {
    try makeStore(links: 1200, notes: 0)
    let lost = try leaves(of: "Link")[7]
    let dates = try leaves(of: "Link_by_date")[1]
    try change { bytes in
      bytes.replaceSubrange((lost - 1) * 4096..<lost * 4096, with: repeatElement(0, count: 4096))
      bytes[(dates - 1) * 4096 + 3] = 0
      bytes[(dates - 1) * 4096 + 4] = 9
    }
    let result = try #require(try rescue([StoreFixture.link])["Link"])
    #expect(result.saved < 1200)
    #expect(result.lost == 1200 - result.saved)
  }

  @Test func disagreeingIndexesLeaveLossUnknown() throws {
    try makeStore(links: 1200, notes: 0)
    let pages =
      try ["Link", "Link_by_date", "sqlite_autoindex_Link_1", "sqlite_autoindex_Link_2"]
      .map { try leaves(of: $0)[1] } + [try #require(leaves(of: "Link_by_status_").last)]
    try change { bytes in
      for page in pages {
        bytes.replaceSubrange((page - 1) * 4096..<page * 4096, with: repeatElement(0, count: 4096))
      }
    }
    let result = try #require(try rescue([StoreFixture.link])["Link"])
    #expect(result.saved > 1000 && result.saved < 1200)
    #expect(result.lost == nil)
    #expect(!result.isWhole)
  }

  @Test func damagedFileAndLogAreUnchanged() throws {
    try makeStore(links: 50, notes: 0)
    let store = try StoreFixture(at: .file(path), StoreFixture.link).store
    _ = try store.items.create("Link", set: [("url", "https://late.org")])
    // The copies have a log, as left by a killed process.
    let damaged = folder.path + "/damaged"
    try FileManager.default.createDirectory(atPath: damaged, withIntermediateDirectories: false)
    for suffix in ["", "-wal"] {
      try Data(contentsOf: URL(filePath: path + suffix))
        .write(to: URL(filePath: damaged + "/library.db" + suffix))
    }
    let log = try Data(contentsOf: URL(filePath: damaged + "/library.db-wal"))
    #expect(!log.isEmpty)
    let results = try Database.rescue(
      [], from: damaged + "/library.db", to: rescued, context: StoreFixture.context())
    #expect(results.first { $0.entity == "Link" }?.saved == 51)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: damaged).sorted()
        == ["library.db", "library.db-wal"])
    #expect(try Data(contentsOf: URL(filePath: damaged + "/library.db-wal")) == log)
  }

  @Test func failedRecoveryLeavesNoFile() throws {
    try Data(repeating: 0x41, count: 9000).write(to: URL(filePath: path))
    let error = #expect(throws: StoreError.self) { try rescue([StoreFixture.link]) }
    #expect(error?.message == "nothing in “\(path)” is readable; “\(rescued)” was not written")
    #expect(try folder.names() == ["library.db"])
    #expect(throws: StoreError.self) {
      try Database.rescue(
        [], from: path, to: folder.path + "/missing/new.db", context: StoreFixture.context())
    }
    #expect(throws: StoreError.self) {
      try Database.rescue(
        [], from: folder.path, to: rescued, context: StoreFixture.context())
    }
    #expect(try folder.names() == ["library.db"])
  }

  @Test func rowsOfOtherTablesAreNotItems() throws {
    try makeStore(links: 300, notes: 300)
    let link = try leaves(of: "Link")[3]
    let note = try leaves(of: "Note")[4]
    try change { bytes in
      let page = bytes[(link - 1) * 4096..<link * 4096]
      bytes.replaceSubrange((note - 1) * 4096..<note * 4096, with: page)
    }
    let results = try rescue([StoreFixture.link, Self.note])
    #expect(results["Link"]?.saved == 300)
    let notes = try #require(results["Note"])
    #expect(notes.saved < 300)
    #expect(notes.lost == 300 - notes.saved)
    let store = try StoreFixture(at: .file(rescued), StoreFixture.link, Self.note).store
    try store.items.forEach(Query("Note", sort: [])) { note in
      #expect(note.text("text")?.hasPrefix("note n") == true)
      return true
    }
    #expect(try store.check() == [])
  }

  @Test func oneDamagedValueLosesNoItem() throws {
    try makeStore(links: 4, notes: 0)
    try tamper(
      "UPDATE Link SET tags = 'no list' WHERE id = 1", "UPDATE Link SET uid = x'00' WHERE id = 2",
      "UPDATE Link SET createdAt = 'then' WHERE id = 3")
    let result = try #require(try rescue([StoreFixture.link])["Link"])
    #expect(result.saved == 4)
    #expect(result.incomplete == 3)
    let store = try StoreFixture(at: .file(rescued), StoreFixture.link).store
    #expect(try store.check() == [])
  }

  @Test func referencesToLostItemsBecomeNull() throws {
    try makeStore(links: 300, notes: 300)
    let page = try leaves(of: "Link")[5]
    try change { bytes in
      bytes.replaceSubrange((page - 1) * 4096..<page * 4096, with: repeatElement(0, count: 4096))
    }
    let results = try rescue([StoreFixture.link, Self.note])
    let lost = try #require(results["Link"]?.lost)
    #expect(lost > 0)
    #expect(results["Note"]?.unlinked == lost)
    let store = try StoreFixture(at: .file(rescued), StoreFixture.link, Self.note).store
    #expect(try store.check() == [])
  }
}
