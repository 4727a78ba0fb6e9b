import CEL
import FoundationEssentials
import Items
import Store
import StoreFixtures
import StoreRepair
import Testing

/// Imports of many drafts, in batches.
@Suite struct ImportTests {
  private func drafts(_ range: Range<Int>) -> [NewItem] {
    range.map { number in
      NewItem(
        "Link",
        [
          ("url", .string("https://example.org/\(number)")), ("title", .string("Page \(number)")),
          ("tags", .list([.string("t\(number % 3)")])),
        ], createdAt: Timestamp(seconds: Int64(1_700_000_000 - number)))
    }
  }

  private func run(_ drafts: [NewItem], into store: Database) throws -> Importer.Counts {
    let importer = Importer(into: store) { _, _ in }
    for (index, newItem) in drafts.enumerated() { try importer.add(newItem, line: index + 1) }
    return try importer.finish()
  }

  @Test func importIsIdempotent() throws {
    let store = try StoreFixture(StoreFixture.link).store
    #expect(try run(drafts(0..<50), into: store) == Importer.Counts(created: 50))
    #expect(try run(drafts(20..<80), into: store) == Importer.Counts(created: 30, merged: 30))
    #expect(try store.items.find(Query("Link")).count == 80)
    #expect(try store.items.find(Query("Link", match: "t1")).count == 27)
  }

  @Test func idsFollowTimeOfCreation() throws {
    let store = try StoreFixture(StoreFixture.link).store
    _ = try run(drafts(0..<5), into: store)
    #expect(try store.items.get("Link", id: 1)?.text("title") == "Page 4")
  }

  @Test func itemMergedWithinBatchIsFoundByAllWords() throws {
    let store = try StoreFixture(StoreFixture.link).store
    let url = ("url", Value.string("https://swift.org"))
    let counts = try run(
      [
        NewItem("Link", [url, ("title", .string("Swift"))]),
        NewItem("Link", [("url", .string("https://b.org"))]),
        NewItem("Link", [url, ("summary", .string("language")), ("tags", .list([.string("x")]))]),
      ], into: store)
    #expect([counts.created, counts.merged, counts.changed] == [2, 1, 1])
    #expect(counts.added == ["summary": 1, "tags": 1])
    #expect(try store.items.find(Query("Link", match: "swift language x")).map(\.id) == [1])
  }

  @Test func itemsWithoutIdentityMatchByContents() throws {
    let note = EntitySchema(
      name: "Note", properties: [PropertySchema(name: "text", type: .string, searchWeight: 1)])
    let store = try StoreFixture(note).store
    let lines = ["a", "b"].map { NewItem("Note", [("text", .string($0))]) }
    #expect(try run(lines, into: store) == Importer.Counts(created: 2))
    _ = try store.items.update(
      ItemReference(entity: "Note", id: 1), set: [("text", .string("changed since"))])
    #expect(try run(lines, into: store) == Importer.Counts(merged: 2))
    #expect(try store.items.get("Note", id: 1)?.text("text") == "changed since")
  }

  @Test func badDraftsAreReportedByLineAndSkipped() throws {
    let store = try StoreFixture(StoreFixture.link).store
    var reports: [(Int, StoreError.Code)] = []
    let importer = Importer(into: store) { reports.append(($0, $1.code)) }
    let url = ("url", Value.string("https://a.org"))
    let bad = [
      NewItem("Link", [("title", .string("no url"))]),
      NewItem("Link", [url, ("status", .string("unknown"))]),
      NewItem("Link", [url, ("nonsense", .int(1))]),
      NewItem("Other", [url]),
      NewItem("Link", [url], uid: "no uuid"),
      NewItem("Link", [url]),
    ]
    for (index, newItem) in bad.enumerated() { try importer.add(newItem, line: index + 1) }
    #expect(try importer.finish() == Importer.Counts(created: 1, bad: 5))
    #expect(reports.map(\.0).sorted() == [1, 2, 3, 4, 5])
    #expect(try store.items.find(Query("Link")).count == 1)
  }

  @Test func exportedItemMatchesByGlobalID() throws {
    let note = EntitySchema(name: "Note", properties: [PropertySchema(name: "text", type: .string)])
    let store = try StoreFixture(note).store
    let item = try store.items.create("Note", set: [("text", .string("a"))])
    let newItem = NewItem("Note", [("text", .string("b"))], uid: item.uid?.uppercased())
    let counts = try run([newItem], into: store)
    #expect([counts.created, counts.merged, counts.changed] == [0, 1, 0])
    #expect(counts.kept == ["text": Importer.Counts.Kept(line: 1, count: 1)])
    #expect(try store.items.get("Note", uid: #require(item.uid))?.text("text") == "a")
    let importer = Importer(into: store, prefersGiven: true) { _, error in Issue.record(error) }
    try importer.add(newItem, line: 1)
    #expect(try importer.finish().changed == 1)
    #expect(try store.items.get("Note", uid: #require(item.uid))?.text("text") == "b")
  }

  @Test func whatIsStoredStaysAndIsCompleted() throws {
    let store = try StoreFixture(StoreFixture.link).store
    let url = ("url", Value.string("https://a.org/"))
    _ = try store.items.create(
      "Link", set: [url, ("title", "Mine"), ("summary", "My words"), ("tags", ["x"])])
    let given = NewItem(
      "Link", [url, ("title", "Theirs"), ("summary", "Other words"), ("tags", ["y", "x"])])
    let first = try run([given, given], into: store)
    #expect([first.created, first.merged, first.changed] == [0, 2, 1])
    #expect(first.added == ["summary": 1, "tags": 1])
    #expect(first.kept == ["title": Importer.Counts.Kept(line: 1, count: 2)])
    let item = try #require(try store.items.get("Link", id: 1))
    #expect(item.text("title") == "Mine")
    #expect(item.text("summary") == "My words\n\nOther words")
    #expect(item.texts("tags") == ["x", "y"])
    #expect(try run([given], into: store).changed == 0)
  }

  /// Each batch but the last is written while the next is collected.
  @Test func indexesMatchAfterSeveralBatches() throws {
    let store = try StoreFixture(StoreFixture.link).store
    let number = 2 * Importer.batchSize + 500
    let drafts = (0..<number).map { number in
      // A third is already stored, from this batch or an earlier one, with another tag.
      let url = number % 3 == 2 ? number * 2 / 3 : number
      return NewItem(
        "Link",
        [
          ("url", .string("https://example.org/\(url)")), ("title", .string("Page 頁 \(number)")),
          ("tags", .list([.string("t\(number % 7)")])),
        ], createdAt: Timestamp(seconds: Int64(1_700_000_000 - number)))
    }
    let importer = Importer(into: store) { _, error in Issue.record(error) }
    for (line, newItem) in drafts.enumerated() { try importer.add(newItem, line: line) }
    let counts = try importer.finish()
    let distinct = Set(drafts.map { $0.values[0].value.text }).count
    #expect([counts.created, counts.merged] == [distinct, number - distinct])
    #expect(try store.check() == [])
    let tags = drafts.filter { $0.values[2].value == .list([.string("t3")]) }
    let tagged = Set(tags.map { $0.values[0].value.text })
    #expect(try store.items.find(Query("Link", match: "tag:t3")).count == tagged.count)
    #expect(try store.items.find(Query("Link", match: "頁")).count == distinct)
    #expect(try !store.changes.undo().isEmpty)
    #expect(try store.items.find(Query("Link")).isEmpty)
  }

  @Test func lineOrderCountsAcrossBatches() throws {
    let drafts = [(2020, "first"), (2010, "second"), (2015, "third")].map { year, title in
      NewItem(
        "Link", [("url", "https://a.org"), ("title", .string(title))],
        createdAt: Timestamp(seconds: Int64(year - 1970) * 31_556_952))
    }
    for separately in [true, false] {
      let store = try StoreFixture(StoreFixture.link).store
      let importer = Importer(into: store) { _, error in Issue.record(error) }
      for (line, newItem) in drafts.enumerated() {
        try importer.add(newItem, line: line)
        if separately { _ = try importer.finish() }
      }
      _ = try importer.finish()
      let item = try #require(try store.items.get("Link", id: 1))
      #expect(item.text("title") == "first")
      #expect(item.createdAt == drafts[1].createdAt)
    }
  }

  @Test func rolledBackDraftsAreNotCounted() throws {
    let store = try StoreFixture(StoreFixture.link).store
    let importer = Importer(into: store) { _, error in Issue.record(error) }
    try importer.add(drafts(0..<1)[0], line: 1)
    _ = try importer.finish()
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try importer.transaction {
        for (line, newItem) in drafts(1..<5).enumerated() { try importer.add(newItem, line: line) }
        _ = try importer.finish()
        throw Stop()
      }
    }
    #expect(importer.counts == Importer.Counts(created: 1))
    try importer.add(drafts(7..<8)[0], line: 9)
    #expect(try importer.finish() == Importer.Counts(created: 2))
    _ = try store.changes.undo()
    #expect(try store.items.find(Query("Link")).isEmpty)
  }

  @Test func releasedImporterLeavesWholeBatches() throws {
    let store = try StoreFixture(StoreFixture.link).store
    do {
      let importer = Importer(into: store) { _, error in Issue.record(error) }
      for (line, newItem) in drafts(0..<Importer.batchSize + 5).enumerated() {
        try importer.add(newItem, line: line)
      }
    }
    #expect(try store.items.find(Query("Link")).count == Importer.batchSize)
    #expect(try store.check() == [])
  }

  @Test func unwritableBatchEndsImport() throws {
    let store = try StoreFixture(StoreFixture.link).store
    let importer = Importer(into: store) { _, error in Issue.record(error) }
    for (line, newItem) in drafts(0..<Importer.batchSize).enumerated() {
      try importer.add(newItem, line: line)
    }
    try importer.settle()
    // Simulates a full disk.
    guard case .int(let pages)? = try store.connection.first("PRAGMA page_count") else {
      return #expect(Bool(false), "the database has a size")
    }
    try store.connection.run("PRAGMA max_page_count = \(raw: String(pages + 20))")
    let error = #expect(throws: StoreError.self) {
      for (line, newItem) in drafts(50_000..<75_000).enumerated() {
        try importer.add(newItem, line: line)
      }
    }
    #expect(error?.code == .full)
    #expect(importer.counts == Importer.Counts(created: Importer.batchSize))
    #expect(try store.items.find(Query("Link")).count == Importer.batchSize)
    #expect(try store.check() == [])
  }
}
