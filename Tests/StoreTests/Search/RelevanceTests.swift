import CEL
import Items
import Store
import StoreFixtures
import StoreRepair
import Testing

/// Ranking by names and word forms, and relaxed searches.
@Suite struct RelevanceTests {
  /// A store of pages, each identified by its number from 1.
  private func makeStore(
    _ pages: [(url: String, title: String, summary: String)], language: String = "en"
  ) throws -> Database {
    var context = StoreFixture.context()
    context.rules.language = language
    let store = try Database(at: .memory, context: context)
    try store.prepare(StoreFixture.link)
    for page in pages {
      _ = try store.items.create(
        "Link",
        set: [
          ("url", .string(page.url)), ("title", .string(page.title)),
          ("summary", .string(page.summary)),
        ])
    }
    return store
  }

  private func found(
    _ words: String, in store: Database, isRelaxed: Bool = false
  ) throws -> [Int64] {
    var query = Query("Link", match: words, limit: 10)
    query.closeMatches = isRelaxed ? .ifNone : .never
    return try store.items.find(query).compactMap(\.id)
  }

  // MARK: Names

  @Test func exactTitleRanksFirst() throws {
    var pages = [("https://a.example/1", "Rust", "A language")]
    for number in 2...60 {
      pages.append(("https://a.example/\(number)", "Rust rust rust", "rust and rust"))
    }
    #expect(try found("rust", in: makeStore(pages)).first == 1)
  }

  @Test(arguments: [
    ("nginx", "https://nginx.org/"), ("cassandra", "http://cassandra.apache.org"),
    ("swift.org", "https://www.swift.org/"), ("bbc", "https://www.bbc.co.uk"),
  ])
  func siteWithNameRanksFirst(_ words: String, _ url: String) throws {
    var pages = [(url, "A page", "Of some kind")]
    for number in 2...60 {
      pages.append(("https://a.example/\(number)", "About \(words)", "\(words) and \(words)"))
    }
    #expect(try found(words, in: makeStore(pages)).first == 1)
  }

  @Test(arguments: [
    ("nodejs", "Node.js"), ("node.js", "NodeJS"), ("json server", "json-server"),
    ("open in code", "OpenInCode"), ("ZOE", "Zoë"),
  ])
  func titleIsFoundInOtherSpelling(_ words: String, _ title: String) throws {
    let store = try makeStore([
      ("https://a.example/1", title, ""), ("https://b.example/2", "x", ""),
    ])
    #expect(try found(words, in: store) == [1])
  }

  @Test func namesFollowChanges() throws {
    let store = try makeStore([("https://a.example/1", "Open Sesame", "")])
    #expect(try found("opensesame", in: store) == [1])
    let first = ItemReference(entity: "Link", id: 1)
    _ = try store.items.update(first, set: [("title", "Another")])
    #expect(try found("opensesame", in: store) == [])
    _ = try store.changes.undo()
    #expect(try found("opensesame", in: store) == [1])
    try store.items.delete(first)
    #expect(try found("opensesame", in: store) == [])
    #expect(try store.check() == [])
  }

  @Test func filteredOutNameIsNotFound() throws {
    let store = try makeStore([("https://a.example/1", "Open Sesame", "")])
    #expect(try found("opensesame before:2020", in: store) == [])
    #expect(try found("opensesame -title:sesame", in: store) == [])
  }

  // MARK: Forms of words

  @Test(arguments: [
    ("en", "links", "A link"), ("en", "libraries", "The library"), ("en", "running", "It runs"),
    ("en", "save", "Saving calls"), ("en", "scraped", "It scrapes"),
    ("en", "databases", "A database"), ("de", "Buch", "Viele Bücher"), ("en", "книги", "Книга"),
  ])
  func inflectedFormsMatch(
    _ language: String, _ word: String, _ title: String
  ) throws {
    let store = try makeStore(
      [("https://a.example/1", title, ""), ("https://b.example/2", "Something", "")],
      language: language)
    #expect(try found(word, in: store) == [1])
    #expect(try found("\"\(word)\"", in: store) == [])
  }

  @Test func exactFormRanksHigher() throws {
    let store = try makeStore([
      ("https://a.example/1", "Parsers here", "x"), ("https://a.example/2", "Parser here", "x"),
    ])
    #expect(try found("parsers", in: store) == [1, 2])
    #expect(try found("parser", in: store) == [2, 1])
  }

  @Test func unknownLastWordIsCompleted() throws {
    let store = try makeStore([
      ("https://a.example/1", "Kubernetes notes", ""), ("https://a.example/2", "Kub notes", ""),
    ])
    #expect(try found("notes kuber", in: store) == [1])
    #expect(try found("kuber notes", in: store) == [])
    #expect(try found("kub", in: store) == [2])
  }

  // MARK: Some of the words

  private static let tools: [(url: String, title: String, summary: String)] = [
    ("https://a.example/1", "Kubernetes", "An orchestrator of containers"),
    ("https://a.example/2", "Compose", "Several containers"),
    ("https://a.example/3", "Containers", "All about containers"),
    ("https://a.example/4", "Bread", "How to bake"),
  ]

  @Test func relaxedSearchUsesRarestWords() throws {
    let store = try makeStore(Self.tools)
    #expect(try found("orchestrator containers baking", in: store) == [])
    let near = try found("orchestrator containers bread", in: store, isRelaxed: true)
    #expect(near.first == 1 || near.first == 4)
    #expect(near.contains(1) && near.contains(4))
  }

  @Test func fullMatchPreventsRelaxation() throws {
    let store = try makeStore(Self.tools)
    #expect(try found("orchestrator containers", in: store, isRelaxed: true) == [1])
  }

  private func items(_ words: String, completing: Bool, limit: Int = 10) throws -> [Item] {
    var query = Query("Link", match: words, limit: limit)
    query.closeMatches = completing ? .ifFew : .ifNone
    return try makeStore(Self.tools).items.find(query)
  }

  @Test func fewFullMatchesAreFollowedByCloseOnes() throws {
    let found = try items("orchestrator containers", completing: true)
    #expect(found.first?.id == 1)
    #expect(found.map(\.isNear) == [false, true, true])
    #expect(Set(found.compactMap(\.id)) == [1, 2, 3])
    #expect(try items("orchestrator containers", completing: false).map(\.id) == [1])
    #expect(try items("orchestrator containers", completing: true, limit: 2).count == 2)
  }

  @Test func closeMatchesStopAtTen() throws {
    var pages = [(url: "https://a.example/0", title: "Bread ovens", summary: "")]
    for number in 1...30 {
      pages.append(("https://a.example/\(number)", "Ovens \(number)", ""))
    }
    var query = Query("Link", match: "bread ovens", limit: 100)
    query.closeMatches = .ifFew
    let store = try makeStore(pages)
    let found = try store.items.find(query)
    #expect(found.count == 10)
    // The next page continues after a close match, and after the last of the ten it is empty.
    query.after = found[4].reference
    #expect(try store.items.find(query).map(\.id) == found[5...].map(\.id))
    query.after = found[9].reference
    #expect(try store.items.find(query).isEmpty)
  }

  @Test func partsOfCompoundsCount() throws {
    let store = try makeStore([
      ("https://a.example/1", "Lucide", "An icon library"), ("https://a.example/2", "Bread", ""),
    ])
    #expect(try found("lucide-react", in: store) == [])
    #expect(try found("lucide-react", in: store, isRelaxed: true) == [1])
    #expect(try found("icons/lucide.svg", in: store, isRelaxed: true) == [1])
    #expect(try found("--", in: store, isRelaxed: true) == [])
  }

  @Test func descriptionCountsAsMuchAsTitleWhenWordsAreMissing() throws {
    let store = try makeStore([
      ("https://a.example/1", "Fast fast", "Another page of several words about nothing"),
      ("https://a.example/2", "Snipcart", "A fast shopping cart for developers"),
      ("https://a.example/3", "Words", "Page"),
    ])
    let near = try found("fast shopping cart platform", in: store, isRelaxed: true)
    #expect(near.first == 2)
  }

  @Test(arguments: [
    "\"orchestrator containers\"", "orchestrator title:bread", "kubernetes* bread*",
  ])
  func exactTermsAreNotRelaxed(_ words: String) throws {
    #expect(try found(words, in: makeStore(Self.tools), isRelaxed: true) == [])
  }

  @Test func filterAppliesToRelaxedMatches() throws {
    let store = try makeStore(Self.tools)
    #expect(try found("orchestrator bread -kubernetes", in: store, isRelaxed: true) == [4])
  }

  @Test func relaxedMatchesArePaged() throws {
    let store = try makeStore(
      (1...30).map { number in
        let word = number.isMultiple(of: 2) ? "even" : "odd"
        return ("https://a.example/\(number)", "Word \(word)", "")
      })
    var query = Query("Link", match: "even odd", limit: 12)
    query.closeMatches = .ifNone
    var seen: [Int64] = []
    while case let page = try store.items.find(query), let last = page.last {
      seen += page.compactMap(\.id)
      query.after = last.reference
      if seen.count > 40 { break }
    }
    #expect(seen.sorted() == Array(1...30))
  }

  @Test func typoIsReportedAndCorrected() throws {
    let store = try makeStore(Self.tools)
    var query = Query("Link", match: "kuberntes", limit: 10)
    #expect(try store.items.find(query).isEmpty)
    query.closeMatches = .ifNone
    #expect(try store.items.find(query).compactMap(\.id) == [1])
    let summary = try store.search.summary(of: query, countingTo: 100)
    #expect(summary.count == 0 && !summary.hasMore)
    #expect(summary.missing.map(\.word) == ["kuberntes"])
    #expect(summary.missing.map(\.suggestion) == ["kubernetes"])
  }

  @Test func relaxedMatchesAreMarked() throws {
    let store = try makeStore(Self.tools)
    let marks = try store.search.highlights(
      in: ItemReference(entity: "Link", id: 1), matching: "orchestrator bread")
    #expect(marks.map(\.property) == ["summary"])
    #expect(marks.first?.text.runs.filter(\.isMarked).map(\.text) == ["orchestrator"])
    #expect(marks.first?.isWhole == false)
  }

  // MARK: Counting

  @Test func countIsLimited() throws {
    let store = try makeStore(
      (1...30).map { ("https://a.example/\($0)", "Word \($0)", $0 < 8 ? "few" : "") })
    #expect(try store.items.count(Query("Link", match: "word", limit: 3)) == 30)
    #expect(try store.items.count(Query("Link", match: "few words")) == 7)
    #expect(try store.items.count(Query("Link", match: "few -7")) == 6)
    #expect(try store.items.count(Query("Link")) == 30)
    let summary = try store.search.summary(of: Query("Link", match: "word"), countingTo: 10)
    #expect(summary.count == 10 && summary.hasMore && summary.missing.isEmpty)
  }

  // MARK: Titles

  @Test func titleComparisonIgnoresCaseExactFirst() throws {
    let store = try makeStore([
      ("https://a.example/1", "swift", ""), ("https://a.example/2", "Swift", ""),
      ("https://a.example/3", "Swifts", ""), ("https://a.example/4", "SWIFT", ""),
    ])
    func same(_ text: String) throws -> [Int64] {
      try store.items.find("Link", property: "title", sameAs: text, limit: 10).compactMap(\.id)
    }
    #expect(try same("swift") == [1, 4, 2])
    #expect(try same("Swift") == [2, 4, 1])
    #expect(try same("sWIFT") == [4, 2, 1])
    #expect(try same("swif") == [])
  }

  // MARK: Bounds

  @Test func phraseCountsItsWords() throws {
    let store = try makeStore([("https://a.example/1", "w1 w2", "")])
    let words = (1...600).map { "w\($0)" }
    let phrase = try store.search.explain(
      Query("Link", match: "\"\(words.joined(separator: " "))\""))
    #expect(phrase.match?.contains("w63 w64") == true)
    #expect(phrase.match?.contains("w65") == false)
    let dotted = try store.search.explain(Query("Link", match: words.joined(separator: ".")))
    #expect(dotted.match?.contains("w64") == true)
    #expect(dotted.match?.contains("w65") == false)
  }

  @Test func filterHasStepLimitOverAllItems() throws {
    var context = StoreFixture.context()
    context.filterSteps = 100
    let store = try Database(at: .memory, context: context)
    try store.prepare(StoreFixture.link)
    for number in 1...20 {
      _ = try store.items.create("Link", set: [("url", .string("https://a.example/\(number)"))])
    }
    let environment = Environment(allowsUndeclaredNames: true)
    let text = "[1, 2, 3, 4, 5, 6, 7, 8, 9].map(x, x + self.id).exists(y, y < 0)"
    let filter = try Filter(environment.compile(Expression.parse(text)), in: environment)
    let error = #expect(throws: StoreError.self) {
      try store.items.find(Query("Link", filter: filter))
    }
    #expect(error?.code == .invalidValue)
    #expect(error?.message.contains("all items together") == true)
  }

  @Test func tooManyPrefixesAreRejected() throws {
    let store = try makeStore([("https://a.example/1", "w1 w2", "")])
    let letters = "abcdefghijklmnopqrstuvwxyz".map { "\($0)*" }.joined(separator: " or ")
    let error = #expect(throws: StoreError.self) {
      try store.items.find(Query("Link", match: letters))
    }
    #expect(error?.code == .invalidValue)
    #expect(error?.message.contains("too many prefixes") == true)
    #expect(try store.items.find(Query("Link", match: "w* or swi* or rus*")).count == 1)
  }
}
