import CEL
import FoundationEssentials
import Items
import Store
import StoreFixtures
import StoreRepair
import TestSupport
import Testing

/// Damages random pages of a store, by their owner, and checks how the store copes.
@Suite struct DamageTests {
  private static let note = EntitySchema(
    name: "Note",
    properties: [
      PropertySchema(name: "text", type: .string, searchWeight: 1),
      PropertySchema(name: "link", type: .entity("Link"), isOptional: true),
      PropertySchema(name: "pinned", type: .bool, default: .bool(false), isIndexed: true),
    ])
  private static let schemas = [StoreFixture.link, note]
  private static let links = 600

  // MARK: A store and its contents

  /// A store with links, notes, a log and unused pages; its items and the kinds of its pages.
  private struct Template: Sendable {
    let bytes: Data
    let contents: Contents
    let pages: [String: [Page]]
  }

  /// Created once; each test damages its own copy.
  private static let template = Result { try makeTemplate() }

  private static func makeStore(at path: String) throws -> (Contents, [String: [Page]]) {
    let template = try template.get()
    try template.bytes.write(to: URL(filePath: path))
    return (template.contents, template.pages)
  }

  private static func makeTemplate() throws -> Template {
    let folder = try TemporaryFolder()
    let path = folder.path + "/library.db"
    let (contents, pages) = try fillStore(at: path)
    return Template(
      bytes: try Data(contentsOf: URL(filePath: path)), contents: contents, pages: pages)
  }

  private static func fillStore(at path: String) throws -> (Contents, [String: [Page]]) {
    let store = try open(path)
    let importer = Importer(into: store) { _, _ in }
    for number in 0..<links {
      try importer.add(
        NewItem(
          "Link",
          [
            ("url", .string("https://example.org/\(number)")),
            ("title", .string("Page w\(number) of \(number % 7) 日本")),
            // Some need overflow pages.
            (
              "summary",
              .string(String(repeating: "long w\(number) ", count: number % 50 == 0 ? 900 : 12))
            ), ("tags", .list([.string("t\(number % 9)"), .string("u\(number)")])),
          ]), line: number)
      if number % 200 == 199 { _ = try importer.finish() }
    }
    for number in 0..<300 {
      _ = try store.items.create(
        "Note",
        set: [
          ("text", .string(String(repeating: "note n\(number) ", count: 10))),
          ("pinned", .bool(number % 3 == 0)),
        ])
    }
    for id in 1...Int64(links) where id % 11 == 0 {
      let reference = ItemReference(entity: "Link", id: id)
      if id % 2 == 0 {
        try store.items.delete(reference)
      } else {
        _ = try store.items.update(reference, set: [("title", .string("changed c\(id)"))])
      }
    }
    // Leaves unused pages behind.
    let filler = (0..<40).map { _ in String(repeating: "x", count: 5000) }
    let first = try store.items.create("Note", set: [("text", "filler")])
    for text in filler {
      _ = try store.items.update(try #require(first.reference), set: [("text", .string(text))])
    }
    try store.items.delete(try #require(first.reference))
    try store.changes.prune(keeping: 300)
    let pages = try pages(of: store)
    return (try Contents(store), pages)
  }

  private static func open(_ path: String) throws -> Database {
    try StoreFixture(at: .file(path), StoreFixture.link, note).store
  }

  /// A page and its number of rows.
  private struct Page: Sendable {
    let number: Int
    let kind: String
    let rows: Int
  }

  private static func pages(of store: Database) throws -> [String: [Page]] {
    var pages: [String: [Page]] = [:]
    var used = Set<Int>()
    try store.connection.rows("SELECT name, pageno, pagetype, ncell FROM dbstat") { row in
      pages[row.text(0), default: []].append(
        Page(number: Int(row.int(1)), kind: row.text(2), rows: Int(row.int(3))))
      used.insert(Int(row.int(1)))
      return true
    }
    guard case .int(let count)? = try store.connection.first("PRAGMA page_count") else {
      return pages
    }
    pages["unused"] = (1...Int(count)).filter { !used.contains($0) }
      .map { Page(number: $0, kind: "unused", rows: 0) }
    return pages
  }

  /// The visible contents of a store's items.
  private struct Contents: Equatable, Sendable {
    var items: [String: [Value]] = [:]

    init(_ store: Database) throws {
      for schema in DamageTests.schemas {
        try store.items.forEach(Query(schema.name, sort: [])) { item in
          let names = schema.properties.map(\.name) + ["uid", "createdAt", "updatedAt"]
          items["\(schema.name):\(item.id ?? 0)"] = names.map { item.field($0) ?? .null }
          return true
        }
      }
    }
  }

  /// Checks that items are found in every way.
  private static func expectFound(_ contents: Contents, in store: Database) throws {
    #expect(try Contents(store) == contents)
    for (number, title) in [(1, "w1"), (299, "w299"), (598, "w598"), (440, "w440")] {
      let id = Int64(number + 1)
      let isThere = contents.items["Link:\(id)"] != nil && id % 11 != 0
      #expect(
        try store.items.find(Query("Link", match: "title:\(title)")).map(\.id)
          == (isThere ? [id] : []))
      #expect(
        try store.items.find(Query("Link", match: "tags:u\(number)")).map(\.id)
          == (contents.items["Link:\(id)"] != nil ? [id] : []))
      #expect(
        try store.items.get("Link", identity: "https://example.org/\(number)")?.id
          == (contents.items["Link:\(id)"] != nil ? id : nil))
    }
    let expected = contents.items.keys.filter { $0.hasPrefix("Link:") }.compactMap {
      Int64($0.dropFirst(5))
    }.filter { ($0 - 1) % 9 == 4 }.sorted()
    let condition = try Environment(allowsUndeclaredNames: true).compile(
      try Expression.parse("'t4' in self.tags"))
    let filter = try Filter(condition, in: Environment(allowsUndeclaredNames: true))
    let query = Query("Link", filter: filter)
    #expect(try store.items.find(query).compactMap(\.id).sorted() == expected)
  }

  // MARK: Damage

  /// A kind of damage to a page.
  private enum Damage: CaseIterable {
    case zeros, noise, fill, start, flips

    /// Damage that no page survives.
    static let destroying = [zeros, noise, fill, start]

    func apply(to page: ArraySlice<UInt8>, using random: inout SeededGenerator) -> [UInt8] {
      var bytes = Array(page)
      switch self {
      case .zeros: return Array(repeating: 0, count: bytes.count)
      case .fill: return Array(repeating: 0xA5, count: bytes.count)
      case .noise:
        for index in bytes.indices { bytes[index] = UInt8(truncatingIfNeeded: random.next()) }
      case .start:
        for index in 0..<64 { bytes[index] = UInt8(truncatingIfNeeded: random.next()) }
      case .flips:
        for _ in 0..<8 {
          bytes[Int(random.next() % UInt64(bytes.count))] ^= UInt8(1 << (random.next() % 8))
        }
      }
      return bytes
    }
  }

  private static func damage(
    _ pages: [Page], of path: String, _ damage: Damage, using random: inout SeededGenerator
  ) throws {
    var bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    for page in pages {
      let start = (page.number - 1) * 4096
      bytes.replaceSubrange(
        start..<start + 4096, with: damage.apply(to: bytes[start..<start + 4096], using: &random))
    }
    try Data(bytes).write(to: URL(filePath: path))
  }

  // MARK: Tests

  /// The tables derived from the items, and the log.
  private static let owners = [
    "sqlite_autoindex_Link_1", "sqlite_autoindex_Link_2", "Link_by_date", "Link_by_status_",
    "Link_list_tags", "Link_search_data", "Link_search_idx", "Link_search_docsize",
    "Link_search_config", "Note_by_link_", "Note_by_pinned_", "Note_search_data",
    "errand_changes", "sqlite_sequence", "unused",
  ]

  @Test(arguments: 0..<Amount.of("ERRAND_DAMAGES", quick: 8, whole: 45))
  func damageOfDerivedDataIsRepaired(seed: Int) throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/library.db"
    let (contents, pages) = try Self.makeStore(at: path)
    var random = SeededGenerator(seed: UInt64(seed))
    let owner = Self.owners[seed % Self.owners.count]
    let all = try #require(pages[owner])
    try #require(!all.isEmpty)
    let damaged = (0..<3).map { _ in random.pick(all) }
    let kind = Damage.allCases[(seed + seed / Self.owners.count) % Damage.allCases.count]
    try Self.damage(damaged, of: path, kind, using: &random)
    let comment: Comment = "\(kind) on \(owner) \(damaged.map(\.number))"
    let store = try Self.open(path)
    let problems = try store.check()
    #expect(!problems.contains { $0.kind == .file }, "\(comment): \(problems)")
    if kind != .flips, owner != "unused" { #expect(!problems.isEmpty, comment) }
    let repair = try store.repair()
    #expect(repair.found == problems, comment)
    #expect(repair.left == [], comment)
    #expect((repair.backup == nil) == problems.isEmpty, comment)
    #expect(try store.check() == [], comment)
    try Self.expectFound(contents, in: store)
    if owner != "errand_changes", owner != "sqlite_sequence" {
      #expect(repair.losses == [], comment)
      #expect(try store.changes.entries().count == 300, comment)
    }
    // An id is not reused.
    let next = try store.items.create("Link", set: [("url", "https://next.org")])
    #expect(next.id == Int64(Self.links) + 1, comment)
    _ = try store.changes.undo()
    #expect(try Contents(store) == contents, comment)
    #expect(try folder.names().filter { $0.hasSuffix(".new") } == [])
    #expect(
      try folder.names().filter { $0.hasSuffix(".backup") }.count == (problems.isEmpty ? 0 : 1))
  }

  @Test(arguments: 0..<Amount.of("ERRAND_DAMAGES", quick: 8, whole: 45) / 2)
  func damagedItemsAreReportedAndOthersRecovered(seed: Int) throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/library.db"
    let (contents, pages) = try Self.makeStore(at: path)
    var random = SeededGenerator(seed: UInt64(1000 + seed))
    let owner = seed % 4 == 3 ? "Note" : "Link"
    let all = try #require(pages[owner])
    let interior = all.filter { $0.kind == "internal" }
    try #require(!interior.isEmpty)
    // Every other time the inner pages are damaged, too.
    var damaged = [random.pick(all), random.pick(all)]
    if seed % 2 == 0 { damaged.append(random.pick(interior)) }
    let kind = Damage.destroying[seed % 5 % Damage.destroying.count]
    try Self.damage(damaged, of: path, kind, using: &random)
    let comment: Comment = "\(kind) on \(owner) \(damaged.map(\.number))"
    do {
      let store = try Self.open(path)
      let before = [UInt8](try Data(contentsOf: URL(filePath: path)))
      let problems = try store.check()
      #expect(
        problems.contains { $0.kind == .file && $0.entity == owner }, "\(comment): \(problems)")
      #expect(try store.repair().left == problems, comment)
      #expect([UInt8](try Data(contentsOf: URL(filePath: path))) == before, comment)
    }
    try expectRescue(
      of: contents, from: path, to: folder.path + "/rescued.db",
      losing: damaged.filter { $0.kind != "internal" }, comment)
  }

  /// A changed letter in a text cannot be detected; in any case, nothing crashes.
  @Test(arguments: 0..<12)
  func flippedBitsNeverCrash(seed: Int) throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/library.db"
    let (contents, pages) = try Self.makeStore(at: path)
    var random = SeededGenerator(seed: UInt64(2000 + seed))
    let all = try #require(pages["Link"])
    try Self.damage((0..<4).map { _ in random.pick(all) }, of: path, .flips, using: &random)
    do {
      let store = try Self.open(path)
      let repair = try store.repair()
      #expect(try store.check() == repair.left)
      if repair.left.isEmpty {
        #expect(try Contents(store).items.count == contents.items.count)
      } else {
        #expect(repair.left.contains { $0.kind == .file }, "\(repair.left)")
      }
    }
    let copy = folder.path + "/rescued.db"
    _ = try Database.rescue(
      Self.schemas, from: path, to: copy, context: StoreFixture.context())
    let rescued = try Self.open(copy)
    #expect(try rescued.check() == [])
    #expect(try Contents(rescued).items.count > contents.items.count - 200)
  }

  @Test(arguments: ["sqlite_schema", "errand_meta"], [Damage.zeros, .noise, .fill])
  private func damagedSchemaIsRecovered(_ owner: String, _ damage: Damage) throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/library.db"
    let (contents, pages) = try Self.makeStore(at: path)
    var random = SeededGenerator(seed: 7)
    let damaged = try #require(pages[owner])
    try Self.damage(damaged, of: path, damage, using: &random)
    #expect(throws: StoreError.self) { try Self.open(path) }
    try expectRescue(
      of: contents, from: path, to: folder.path + "/rescued.db", losing: [],
      "\(damage) on \(owner)")
  }

  /// Checks that a recovery saves all items but as many as damaged pages may hold.
  private func expectRescue(
    of contents: Contents, from path: String, to copy: String, losing pages: [Page],
    _ comment: Comment
  ) throws {
    let rescues = try Database.rescue(
      Self.schemas, from: path, to: copy, context: StoreFixture.context())
    let store = try Self.open(copy)
    #expect(try store.check() == [], comment)
    let saved = try Contents(store)
    let mayBeLost = pages.reduce(0) { $0 + max(1, $1.rows) }
    #expect(saved.items.count >= contents.items.count - mayBeLost, comment)
    #expect(rescues.reduce(0) { $0 + $1.saved } == saved.items.count, comment)
    // A long text continues on overflow pages, and its former value is recorded nowhere.
    let mayDiffer = pages.filter { $0.kind == "overflow" }.count
    let different = saved.items.filter { contents.items[$0.key] != $0.value }.keys
    #expect(different.count <= mayDiffer, "\(comment): \(different)")
  }

  /// Expressions cannot fail with a store error, which must not appear as null.
  @Test func unreadableReferenceIsNotNull() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/library.db"
    let (_, pages) = try Self.makeStore(at: path)
    do {
      let store = try Self.open(path)
      let link = try #require(try store.items.get("Link", id: 300))
      _ = try store.items.update(
        ItemReference(entity: "Note", id: 1), set: [("link", .object(link))])
    }
    var random = SeededGenerator(seed: 1)
    let leaves = try #require(pages["Link"]).filter { $0.kind == "leaf" }
    try Self.damage(leaves, of: path, .zeros, using: &random)
    let store = try Self.open(path)
    let environment = Environment(allowsUndeclaredNames: true)
    let condition = try environment.compile(
      try Expression.parse("self.link.title.size() + 0 > 0"))
    let filter = try Filter(condition, in: environment)
    let error = #expect(throws: StoreError.self) {
      try store.items.find(Query("Note", filter: filter))
    }
    #expect(error?.code == .corrupt)
    let note = try #require(try store.items.get("Note", id: 1))
    guard case .object(let link)? = note.field("link") else {
      Issue.record("the note has no link")
      return
    }
    #expect(link.field("title") == .null)
    #expect(throws: StoreError.self) { try store.connection.throwFault() }
    #expect(throws: Never.self) { try store.connection.throwFault() }
  }

  @Test func truncatedFileIsReported() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/library.db"
    let (contents, _) = try Self.makeStore(at: path)
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    try Data(bytes[..<(bytes.count / 2)]).write(to: URL(filePath: path))
    let copy = folder.path + "/rescued.db"
    if let store = try? Self.open(path) {
      #expect(try store.check().isEmpty == false)
    }
    let rescues = try Database.rescue(
      Self.schemas, from: path, to: copy, context: StoreFixture.context())
    let saved = try Contents(try Self.open(copy))
    #expect(saved.items.count == rescues.reduce(0) { $0 + $1.saved })
    #expect(saved.items.allSatisfy { contents.items[$0.key] == $0.value })
  }
}
