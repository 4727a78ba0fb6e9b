import CEL
import Items
import Store
import StoreFixtures
import TestSupport
import Testing

/// Prefix searches over many items: FTS5 expands prefixes over the whole index with each query, so
/// single rows are tested in another way, which must find the same.
@Suite struct PrefixTests {
  private static let count = 12_000
  private static let words = ["alpha", "Älter", "all", "beta", "bare", "東京", "c3po", "x"]

  /// The contents of an item.
  private struct Contents {
    var title: [String]
    var summary: [String]
    var year: Int
  }

  private let store: Database
  private let contents: [Contents]

  /// Items of different days; most have words that start with `al`.
  init() throws {
    store = try StoreFixture(StoreFixture.link).store
    var random = SeededGenerator(seed: 5)
    var contents: [Contents] = []
    let importer = Importer(into: store) { _, error in Issue.record("\(error)") }
    for number in 0..<Self.count {
      func text(_ count: Int) -> [String] {
        (0..<count).map { _ in
          random.pick(Self.words) + (random.chance(oneIn: 3) ? "" : "\(number % 7)")
        }
      }
      let item = Contents(title: text(2), summary: text(3), year: 1990 + number / 400)
      contents.append(item)
      try importer.add(
        NewItem(
          "Link",
          [
            ("url", .string("https://example.org/\(number)")),
            ("title", .string(item.title.joined(separator: " "))),
            ("summary", .string(item.summary.joined(separator: ", "))),
          ], createdAt: Timestamp(seconds: Int64(631_152_000 + 365 * 216 * number))), line: number)
    }
    _ = try importer.finish()
    self.contents = contents
  }

  private static func begins(_ words: [String], _ prefix: String) -> Bool {
    words.contains { $0.lowercased().replacing("ä", with: "a").hasPrefix(prefix) }
  }

  /// The meaning of a search, computed from the texts.
  private static let meanings: [(words: String, holds: @Sendable (Contents) -> Bool)] = [
    ("al*", { begins($0.title + $0.summary, "al") }),
    ("-al*", { !begins($0.title + $0.summary, "al") }),
    ("title:AL*", { begins($0.title, "al") }),
    ("al* b*", { begins($0.title + $0.summary, "al") && begins($0.title + $0.summary, "b") }),
    ("al* -title:b*", { begins($0.title + $0.summary, "al") && !begins($0.title, "b") }),
    ("al* or before:1991", { begins($0.title + $0.summary, "al") || $0.year < 1991 }),
    (
      "alpha* or c3*",
      { begins($0.title + $0.summary, "alpha") || begins($0.title + $0.summary, "c3") }
    ),
    // So few are so old that matches are probed among them.
    ("al* before:1992", { begins($0.title + $0.summary, "al") && $0.year < 1992 }),
    ("alpha before:1992", { ($0.title + $0.summary).contains("alpha") && $0.year < 1992 }),
    ("東*", { begins($0.title + $0.summary, "東") }),
  ]

  @Test func allOrdersFindTheSame() throws {
    let oldest = SortKey("createdAt")
    let newest = SortKey("createdAt", descending: true)
    for (words, holds) in Self.meanings {
      let expected = contents.indices.filter { holds(contents[$0]) }.map { Int64($0) + 1 }
      try #require(expected.count > 100 && expected.count < Self.count, "\(words)")
      func found(_ sort: [SortKey], _ limit: Int?) throws -> [Int64] {
        try store.items.find(Query("Link", match: words, sort: sort, limit: limit)).compactMap(\.id)
      }
      #expect(try found([oldest], 30) == Array(expected.prefix(30)), "\(words)")
      #expect(try found([newest], 30) == Array(expected.suffix(30).reversed()), "\(words)")
      #expect(try found([oldest], nil) == expected, "\(words)")
      #expect(try Set(found([], nil)) == Set(expected), "\(words)")
      #expect(try Set(found([], 20)).isSubset(of: expected), "\(words)")
    }
  }

  @Test func usedItemsRankFirstRegardlessOfAge() throws {
    let matches = contents.indices.filter { Self.begins(contents[$0].title, "al") }.prefix(2)
    for index in matches {
      for _ in 0..<20 {
        try store.items.recordUse(
          of: ItemReference(entity: "Link", id: Int64(index) + 1), as: .open)
      }
    }
    let other = try #require(
      contents.firstIndex { !Self.begins($0.title + $0.summary, "al") })
    try store.items.recordUse(of: ItemReference(entity: "Link", id: Int64(other) + 1), as: .open)
    let found = try store.items.find(Query("Link", match: "al*", limit: 10)).compactMap(\.id)
    #expect(Set(found.prefix(2)) == Set(matches.map { Int64($0) + 1 }))
    #expect(!found.contains(Int64(other) + 1))
  }

  @Test func fewCandidatesAreProbed() throws {
    func statement(_ words: String) throws -> String? {
      try store.search.explain(Query("Link", match: words, limit: 10)).statements.first
    }
    #expect(try statement("alpha before:1992")?.hasSuffix("AND rowid = ?") == true)
    #expect(try statement("alpha before:1999")?.hasSuffix("ORDER BY rowid DESC LIMIT ?") == true)
    let environment = Environment(allowsUndeclaredNames: true)
    func filter(_ text: String) throws -> Filter {
      try Filter(environment.compile(Expression.parse(text)), in: environment)
    }
    let old = "self.createdAt < timestamp('1992-01-01T00:00:00Z')"
    let byDate = Query("Link", match: "alpha", filter: try filter(old))
    #expect(try store.search.explain(byDate).statements.first?.hasSuffix("AND rowid = ?") == true)
    #expect(
      try Set(store.items.find(byDate).compactMap(\.id))
        == Set(store.items.find(Query("Link", match: "alpha before:1992")).compactMap(\.id)))
    let either = Query("Link", match: "alpha", filter: try filter("\(old) || self.title != ''"))
    #expect(
      try store.items.find(either).count == store.items.find(Query("Link", match: "alpha")).count)
    for id in 1...3 {
      _ = try store.items.update(
        ItemReference(entity: "Link", id: Int64(id)), set: [("status", "archived")])
    }
    let query = Query(
      "Link", match: "al* or b* or x* or c3* or 東*",
      filter: try filter("self.status == 'archived'"), limit: 10)
    #expect(try Set(store.items.find(query).compactMap(\.id)) == [1, 2, 3])
    #expect(
      try store.search.explain(query).statements.first?.contains("rowid BETWEEN ? AND ?") == true)
  }
}
