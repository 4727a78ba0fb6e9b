import CEL
import Items
import Store
import StoreFixtures
import StoreRepair
import TestSupport
import Testing

/// The search language, and the order of results.
@Suite struct SearchTests {
  /// A small library, oldest first; each item is identified by its number from 1.
  private static let pages: [(url: String, title: String, summary: String, tags: [String])] = [
    ("https://swift.org", "Swift", "A general-purpose language", ["swift", "language"]),
    ("https://isocpp.org", "Standard C++", "The home of C++", ["c++"]),
    ("https://c-faq.com", "C questions", "Answers about C", ["c"]),
    ("https://ja.example/1", "Swift言語入門", "日本語の本", ["日本語"]),
    ("https://caf.example", "Café Zürich", "Crème brûlée", ["food", "date-and-time"]),
    ("https://go.dev", "The Go language", "Go is fast", ["go", "date"]),
    ("https://or.example", "now or never", "100% of a_b", ["x"]),
    ("https://emoji.example", "Doves 🕊 only", "", []),
  ]

  private func makeStore() throws -> Database {
    let store = try StoreFixture(StoreFixture.link).store
    for (index, page) in Self.pages.enumerated() {
      _ = try store.items.create(
        NewItem(
          "Link",
          [
            ("url", .string(page.url)), ("title", .string(page.title)),
            ("summary", .string(page.summary)), ("tags", .list(page.tags.map { .string($0) })),
          ], createdAt: CivilDay(text: "2026-0\(index + 1)-15")?.midnight))
    }
    return store
  }

  private static let cases: [(String, Set<Int64>)] = [
    ("swift", [1, 4]), ("SWIFT", [1, 4]), ("language", [1, 6]), ("language swift", [1]),
    ("\"general purpose\"", [1]), ("\"purpose general\"", []), ("“general purpose”", [1]),
    ("gener*", [1]), ("gener", [1]), ("\"gener\"", []), ("sw*", [1, 4]), ("\"general purp\"*", [1]),
    ("language -swift", [6]), ("-swift -language", [2, 3, 5, 7, 8]),
    ("language -\"is fast\"", [1]),
    ("swift or go", [1, 4, 6]), ("swift OR go", [1, 4, 6]), ("or", [7]), ("or swift", []),
    ("never or", [7]), ("language fast or general", [1, 6]),
    ("tag:swift", [1]), ("tags:swift", [1]), ("tag:date", [6]), ("tag:DATE-and-time", [5]),
    ("-tag:swift language", [6]), ("tag:swift or tag:go", [1, 6]), ("go or tag:c", [3, 6]),
    ("title:go", [6]), ("title:language", [6]), ("title:\"go language\"", [6]),
    ("summary:gen*", [1]), ("url:example", [4, 5, 7, 8]), ("status:queued go", [6]),
    ("status:ready", []), ("before:2026-03-01", [1, 2]), ("after:2026-07", [7, 8]),
    ("before:2026 swift", []), ("after:2026-08-15", [8]), ("before:yesterday", []),
    ("cafe zurich", [5]), ("CAFÉ", [5]), ("creme", [5]),
    ("c", [2, 3]), ("c++", [2]), ("C++", [2]), ("go", [6]), ("日本", [4]), ("日本語", [4]),
    ("言語", [4]), ("日本 入門", [4]), ("日本 go", []), ("🕊", [8]), ("title:日本", []), ("本日", []),
    ("本", [4]), ("\"言語入門\"", [4]), ("swift言語", [4]), ("Swift 入門", [4]), ("日本*", [4]),
    ("title:言語", [4]), ("tag:日本語", [4]), ("tag:Food", [5]), ("tag:C++", [2]),
    ("tag:Food or swift", [1, 4, 5]), ("-日本 swift", [1]), ("日本 or 🕊", [4, 8]),
    ("🕊 only", [8]), ("🕊️", [8]), ("🦅", []),
    ("100%", [7]), ("a_b", [7]), ("swift!!!", [1, 4]), ("swift !!!", [1, 4]), ("(swift)", [1, 4]),
    ("https://swift.org", [1]), ("http://swift.org/", []), ("swift.org", [1]),
    ("nonsense:swift", []), ("NOT swift", []), ("swift AND", []), ("\"swift", [1, 4]), ("\"\"", []),
    ("***", []), ("-", []), ("- -", []), ("+-*/()[]{}^~:\"'", []), ("p1:swift", []),
    ("NEAR(swift language)", []), ("{p1 p2}: swift", []), ("*", []), ("swift*", [1, 4]),
    ("title:", []), ("tag:\"\"", []), ("\u{0}swift", [1, 4]),
  ]

  @Test(arguments: cases)
  func queryFinds(_ query: String, _ expected: Set<Int64>) throws {
    let store = try makeStore()
    let found = try store.items.find(Query("Link", match: query)).compactMap(\.id)
    #expect(Set(found) == expected)
    #expect(found.count == expected.count)
    let sorted = try store.items.find(Query("Link", match: query, sort: [SortKey("createdAt")]))
    #expect(sorted.compactMap(\.id) == expected.sorted())
  }

  /// Text without spaces is found by the index like any other, and so is ranked with bounded work.
  @Test(arguments: ["日本", "日本語 or go", "title:言語", "🕊", "한국", "กข"])
  func textWithoutSpacesUsesIndex(_ query: String) throws {
    let explanation = try makeStore().search.explain(Query("Link", match: query))
    #expect(explanation.match != nil)
    #expect(
      explanation.plan == [
        "SCAN Link_search VIRTUAL TABLE INDEX 192:M5<",
        "SEARCH t USING INTEGER PRIMARY KEY (rowid=?)",
      ])
  }

  /// An element of a list is looked up in the index first; by itself it gives the newest first.
  @Test func listElementsUseIndex() throws {
    let store = try StoreFixture(StoreFixture.link).store
    for number in 0..<30 {
      let tags: [Value] = number % 10 == 3 ? ["Rare one", "a\u{1}b"] : ["common", "rare", "one"]
      _ = try store.items.create(
        "Link", set: [("url", .string("https://x.example/\(number)")), ("tags", .list(tags))])
    }
    func find(_ words: String) throws -> [Int64] {
      try store.items.find(Query("Link", match: words, limit: 3)).compactMap(\.id)
    }
    #expect(try find("tag:\"rare one\"") == [24, 14, 4])
    #expect(try find("tag:common") == [30, 29, 28])
    #expect(try find("tag:\"rare one\" or tag:nothing") == [24, 14, 4])
    #expect(try find("tag:\"a\u{1}b\"") == [24, 14, 4])
    #expect(try find("example tag:\"RARE one\"").sorted() == [4, 14, 24])
    #expect(try find("tag:common -tag:one") == [])
    let explanation = try store.search.explain(Query("Link", match: "tag:\"rare one\"", limit: 3))
    #expect(explanation.plan.first?.contains("VIRTUAL TABLE") == true)
    let ranked = try store.search.explain(
      Query("Link", match: "example tag:\"rare one\"", limit: 3))
    #expect(ranked.match?.contains("\"rare one\"") == true)
    #expect(ranked.hits.count == 3)
  }

  private static func tagged(_ tags: [String]) throws -> Database {
    let store = try StoreFixture(StoreFixture.link).store
    for (number, tag) in tags.enumerated() {
      _ = try store.items.create(
        "Link",
        set: [
          ("url", .string("https://x.example/\(number)")), ("title", .string(tag)),
          ("tags", [.string(tag)]),
        ])
    }
    return store
  }

  /// Case does not count in any script, nor does the encoding of an accent; accents do.
  @Test(
    arguments: [
      ("GRÜN", "Grün"), ("gru\u{308}n", "GRÜN"), ("МИР", "мир"), ("ЙОД", "и\u{306}од"),
      ("ΟΔΟΣ", "οδος"), ("ΆΛΦΑ", "άλφα"), ("İ", "I\u{307}"), ("ᲒᲐ", "გა"), ("𞤀", "𞤢"),
      ("\u{212B}ngström", "ÅNGSTRÖM"), ("がく", "か\u{3099}く"), ("ǼON", "æ\u{301}on"),
      ("日本", "日本"), ("🕊", "🕊"), ("\u{958}", "\u{915}\u{93C}"),
    ])
  func elementMatchesIgnoreCase(_ wanted: String, _ stored: String) throws {
    let store = try Self.tagged(["other", stored, "x" + stored, "Grun", "МИРЫ", "οδον"])
    for words in ["tag:\(wanted)", "tag:nothing or tag:\(wanted)"] {
      #expect(try store.items.find(Query("Link", match: words)).compactMap(\.id) == [2])
    }
    #expect(try store.items.find(Query("Link", match: "tag:\(stored)")).compactMap(\.id) == [2])
  }

  /// The text index narrows such a search only where it finds every case of the letters.
  @Test func everyLetterMatchesItsCapital() throws {
    let ranges: [ClosedRange<UInt32>] = [0x41...0x5A, 0xC0...0x24F, 0x370...0x52F, 0x1E00...0x1FFF]
    let letters = ranges.joined().compactMap(Unicode.Scalar.init).filter(\.properties.isCased)
    let store = try Self.tagged(letters.map { "x\($0)y\($0.value)" })
    let step = Amount.of("ERRAND_LETTERS", quick: 7, whole: 1)
    for (index, letter) in letters.enumerated() where index % step == 0 {
      for form in [letter.properties.uppercaseMapping, letter.properties.lowercaseMapping] {
        guard form.unicodeScalars.count == 1, letter != "ı" else { continue }
        let found = try store.items.find(Query("Link", match: "tag:X\(form)Y\(letter.value)"))
        #expect(found.compactMap(\.id) == [Int64(index + 1)], "\(letter)")
      }
    }
  }

  /// A syllable equals its decomposed form.
  @Test(arguments: [
    ("한국어", "\u{1112}\u{1161}\u{11AB}\u{1100}\u{116E}\u{11A8}\u{110B}\u{1165}"),
    ("가방", "\u{1100}\u{1161}\u{1107}\u{1161}\u{11BC}"),
    ("がぎパヴヷゞ", "か\u{3099}き\u{3099}ハ\u{309A}ウ\u{3099}ワ\u{3099}ゝ\u{3099}"),
  ])
  func composedAndDecomposedSyllablesMatch(_ whole: String, _ parts: String) throws {
    for (stored, wanted) in [(whole, parts), (parts, whole), (parts, parts)] {
      let store = try Self.tagged(["はは", "x \(stored) y"])
      #expect(try store.items.find(Query("Link", match: wanted)).compactMap(\.id) == [2])
      #expect(try store.check() == [])
      try store.items.delete(ItemReference(entity: "Link", id: 2))
      #expect(try store.items.find(Query("Link", match: wanted)).isEmpty)
      #expect(try store.check() == [])
    }
  }

  /// Filters and exclusions have words, too, which do not count for the rank.
  @Test(
    arguments: [
      ("language tag:swift or tag:go", [1, 6]), ("language -\"general purpose\" -go", []),
      ("language -is", [1]),
      ("language tag:date or swift -\"go is\" -fast", [1]), ("example -now -café -日本", [8]),
      ("example -url:or -tag:food", [4, 8]), ("language or c -title:c", [1, 6]),
    ] as [(String, [Int64])])
  func filtersDoNotAffectRank(_ words: String, _ expected: [Int64]) throws {
    let store = try makeStore()
    #expect(try store.items.find(Query("Link", match: words)).compactMap(\.id).sorted() == expected)
    let query = Query("Link", match: words, sort: [SortKey("createdAt")], limit: 10)
    #expect(try store.items.find(query).compactMap(\.id) == expected)
  }

  @Test func blankWordsAreNotASearch() throws {
    let store = try makeStore()
    #expect(
      try store.items.find(Query("Link", match: "  \n", limit: 2)).compactMap(\.id) == [8, 7])
  }

  @Test func relevanceOrdersByWeightThenDate() throws {
    let store = try StoreFixture(StoreFixture.link).store
    for (url, title, summary) in [
      ("https://a.example", "Swift", "x y"), ("https://b.example", "x", "Swift y"),
      ("https://c.example", "Swift", "x y"), ("https://d.example", "z", "x y"),
      ("https://e.example", "z", "x w"), ("https://f.example", "z", "x v"),
      ("https://g.example", "z", "x u"),
    ] {
      _ = try store.items.create(
        "Link",
        set: [
          ("url", .string(url)), ("title", .string(title)), ("summary", .string(summary)),
        ])
    }
    #expect(try store.items.find(Query("Link", match: "swift")).compactMap(\.id) == [3, 1, 2])
    #expect(try store.items.find(Query("Link", match: "swift", limit: 1)).compactMap(\.id) == [3])
    let last = ItemReference(entity: "Link", id: 3)
    #expect(
      try store.items.find(Query("Link", match: "swift", after: last)).compactMap(\.id) == [1, 2])
    // The position of an item that does not match is unknown.
    let error = #expect(throws: StoreError.self) {
      try store.items.find(Query("Link", match: "nothing", after: last))
    }
    #expect(error?.code == .notFound)
  }

  @Test func usedItemsRankFirst() throws {
    let store = try StoreFixture(StoreFixture.link).store
    for number in 0..<5 {
      _ = try store.items.create(
        "Link",
        set: [
          ("url", .string("https://example.org/\(number)")), ("title", .string("Same title")),
        ])
    }
    let used = ItemReference(entity: "Link", id: 2)
    let before = try store.items.get("Link", id: 2)?.updatedAt
    try store.items.recordUse(of: used, as: .open)
    try store.items.recordUse(of: used, as: .share)
    #expect(try store.items.find(Query("Link", match: "same")).compactMap(\.id) == [2, 5, 4, 3, 1])
    #expect(try store.items.get("Link", id: 2)?.updatedAt == before)
    let hits = try store.search.explain(Query("Link", match: "same")).hits
    #expect(hits.first?.id == 2)
    #expect(hits.first.map { $0.use > 1 } == true)
    #expect(hits.last?.use == 1)
  }

  @Test func searchAndFilterCombine() throws {
    let store = try makeStore()
    let environment = Environment(allowsUndeclaredNames: true)
    let program = try environment.compile(Expression.parse("'go' in self.tags || self.id == 1"))
    let filter = try Filter(program, in: environment)
    #expect(
      Set(try store.items.find(Query("Link", match: "language", filter: filter)).compactMap(\.id))
        == [1, 6])
    let tagged = try environment.compile(
      Expression.parse("'go' in self.tags && self.title.matches('.*Go.*')"))
    let filtered = Query("Link", match: "language", filter: try Filter(tagged, in: environment))
    let found = try store.items.find(filtered)
    #expect(found.compactMap(\.id) == [6])
  }

  @Test func commonWordIsRankedWithBoundsAndWithoutGaps() throws {
    let store = try StoreFixture(StoreFixture.link).store
    let importer = Importer(into: store) { _, _ in }
    for number in 1...45_000 {
      let title = number % 10_000 == 7 ? "common rare" : "common"
      try importer.add(
        NewItem(
          "Link",
          [("url", .string("https://example.org/\(number)")), ("title", .string(title))],
          createdAt: Timestamp(seconds: Int64(1_700_000_000 + number))), line: number)
    }
    _ = try importer.finish()
    #expect(try store.search.explain(Query("Link", match: "common")).isRankingExact == false)
    #expect(
      try store.items.find(Query("Link", match: "common", limit: 3)).compactMap(\.id)
        == [45_000, 44_999, 44_998])
    #expect(
      try store.items.find(Query("Link", match: "common rare")).compactMap(\.id)
        == [40_007, 30_007, 20_007, 10_007, 7])
    try store.items.recordUse(of: ItemReference(entity: "Link", id: 5), as: .open)
    #expect(try store.items.find(Query("Link", match: "common", limit: 1)).compactMap(\.id) == [5])
    let all = try store.items.find(Query("Link", match: "common"))
    #expect(all.count == 45_000)
    #expect(Set(all.compactMap(\.id)).count == 45_000)
    let oldest = Query("Link", match: "common", sort: [SortKey("createdAt")], limit: 2)
    #expect(try store.items.find(oldest).compactMap(\.id) == [1, 2])
    #expect(try store.search.explain(oldest).plan.contains { $0.contains("Link_by_date") })
    let rare = Query("Link", match: "rare", sort: [SortKey("createdAt")], limit: 2)
    #expect(try store.items.find(rare).compactMap(\.id) == [7, 10_007])
    #expect(try store.search.explain(rare).plan.contains { $0.contains("VIRTUAL TABLE") })
    let environment = Environment(allowsUndeclaredNames: true)
    let program = try environment.compile(Expression.parse("self.id < 4"))
    let filter = try Filter(program, in: environment)
    let old = Query("Link", match: "common", filter: filter, limit: 2)
    #expect(try store.items.find(old).compactMap(\.id) == [3, 2])
  }

  @Test(arguments: [
    ("line1:foo", [1]), ("price:1.5", [1]), ("day:2026-05-01", [2]), ("length:1h", [1]),
    ("length:60m", [1]), ("nums:7", [1, 2]), ("num:8", [2]), ("price:x", []), ("length:x", []),
    ("x2:foo", [2]), ("2x:foo", []),
  ])
  func propertiesOfManyTypesCanBeNamed(_ query: String, expected: [Int64]) throws {
    let thing = EntitySchema(
      name: "Thing",
      properties: [
        PropertySchema(name: "line1", type: .string, searchWeight: 1),
        PropertySchema(name: "x2", type: .string, isOptional: true, searchWeight: 1),
        PropertySchema(name: "price", type: .double, isOptional: true),
        PropertySchema(name: "day", type: .date, isOptional: true),
        PropertySchema(name: "length", type: .duration, isOptional: true),
        PropertySchema(name: "nums", type: .list(.int), default: .list([])),
      ])
    let store = try StoreFixture(thing).store
    _ = try store.items.create(
      "Thing",
      set: [
        ("line1", "foo"), ("x2", "bar"), ("price", .double(1.5)), ("nums", .list([.int(7)])),
        ("length", .duration(try #require(DurationValue(text: "1h")))),
      ])
    _ = try store.items.create(
      "Thing",
      set: [
        ("line1", "bar"), ("x2", "foo"), ("day", "2026-05-01"),
        ("nums", .list([.int(7), .int(8)])),
      ])
    let found = try store.items.find(Query("Thing", match: query)).compactMap(\.id)
    #expect(found.sorted() == expected)
  }
}
