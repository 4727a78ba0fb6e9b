import CEL
import Items
import Store
import StoreFixtures
import TestSupport
import Testing

/// Random searches against a simple model of the search language.
@Suite struct SearchModelTests {
  /// Text as people write it, and its words.
  private static let vocabulary: [(text: String, words: [String])] = [
    ("swift", ["swift"]), ("Swift", ["swift"]), ("go", ["go"]), ("café", ["cafe"]),
    ("CAFE", ["cafe"]), ("Zürich", ["zurich"]), ("日本語", ["日", "本", "語"]), ("本", ["本"]),
    ("日本", ["日", "本"]), ("🕊", ["🕊"]), ("go🕊", ["go", "🕊"]), ("Swift言語", ["swift", "言", "語"]),
    ("x1", ["x1"]), ("or", ["or"]), ("AND", ["and"]), ("NEAR", ["near"]), ("a-b", ["a", "b"]),
    ("한국", ["한", "국"]), ("(swift)", ["swift"]), ("go's", ["go", "s"]), ("★", ["★"]),
  ]

  /// A page in the model.
  private struct Page {
    var title: [Int]
    var summary: [Int]
    var tags: [Int]
    var status: String

    func words(_ entries: [Int]) -> [String] { entries.flatMap { vocabulary[$0].words } }
  }

  /// A condition of a search.
  private indirect enum Term {
    case words([Int], column: String?, isPrefix: Bool)
    case tag(Int)
    case not(Term)
    case any([Term])

    var text: String {
      switch self {
      case .words(let entries, let column, let isPrefix):
        let text = entries.map { vocabulary[$0].text }.joined(separator: " ")
        let isQuoted = entries.count > 1 || text == "or"
        return (column.map { $0 + ":" } ?? "") + (isQuoted ? "\"\(text)\"" : text)
          + (isPrefix ? "*" : "")
      case .tag(let entry): return "tag:\"\(vocabulary[entry].text)\""
      case .not(let term): return "-" + term.text
      case .any(let terms): return terms.map(\.text).joined(separator: " or ")
      }
    }

    func holds(_ page: Page) -> Bool {
      switch self {
      case .words(let entries, let column, let isPrefix):
        let wanted = page.words(entries)
        let columns = ["title": page.title, "summary": page.summary, "tags": page.tags]
        return columns.contains { name, entries in
          guard column == nil || column == name else { return false }
          let words = page.words(entries)
          return words.indices.contains { start in
            let found = words[start...].prefix(wanted.count)
            guard found.count == wanted.count else { return false }
            return found.dropLast().elementsEqual(wanted.dropLast())
              && (isPrefix
                ? found.last!.hasPrefix(wanted.last!) : found.last == wanted.last)
          }
        }
      case .tag(let entry):
        let text = vocabulary[entry].text
        return page.tags.contains { vocabulary[$0].text.asciiLowered == text.asciiLowered }
      case .not(let term): return !term.holds(page)
      case .any(let terms): return terms.contains { $0.holds(page) }
      }
    }
  }

  private static func term(
    depth: Int, using random: inout SeededGenerator
  ) -> Term {
    func entries(_ count: Int) -> [Int] {
      (0..<count).map { _ in Int.random(in: 0..<vocabulary.count, using: &random) }
    }
    switch Int.random(in: 0..<10, using: &random) {
    case 0, 1: return .tag(entries(1)[0])
    case 2 where depth > 0: return .not(term(depth: 0, using: &random))
    case 3...4 where depth > 0:
      let count = Int.random(in: 2...3, using: &random)
      return .any((0..<count).map { _ in term(depth: 0, using: &random) })
    default:
      return .words(
        entries(random.chance(oneIn: 4) ? 2 : 1),
        column: random.chance(oneIn: 4) ? random.pick(["title", "summary"]) : nil,
        isPrefix: random.chance(oneIn: 5))
    }
  }

  @Test(arguments: 0..<Amount.of("ERRAND_SEARCHES", quick: 16, whole: 40))
  func searchMatchesModel(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed) &+ 4_000)
    let store = try StoreFixture(StoreFixture.link).store
    var pages: [Page] = []
    func entries(_ most: Int) -> [Int] {
      (0..<Int.random(in: 0...most, using: &random)).map { _ in
        Int.random(in: 0..<Self.vocabulary.count, using: &random)
      }
    }
    for number in 0..<Int.random(in: 1...40, using: &random) {
      let (title, summary) = (entries(4), entries(6))
      // Of tags that differ in case only, an item has one.
      var spellings: Set<String> = []
      let tags = entries(3).filter {
        spellings.insert(Self.vocabulary[$0].text.lowercased()).inserted
      }
      let page = Page(
        title: title, summary: summary, tags: tags,
        status: random.pick(["queued", "ready", "failed"]))
      pages.append(page)
      func text(_ entries: [Int]) -> Value {
        let separator = random.pick([" ", ", ", " – ", "\n", " ++ "])
        return .string(entries.map { Self.vocabulary[$0].text }.joined(separator: separator))
      }
      _ = try store.items.create(
        "Link",
        set: [
          ("url", .string("https://h\(number).example")), ("title", text(page.title)),
          ("summary", text(page.summary)), ("status", .string(page.status)),
          ("tags", .list(page.tags.map { .string(Self.vocabulary[$0].text) })),
        ])
    }
    let environment = Environment(allowsUndeclaredNames: true)
    let notFailed = try Filter(
      environment.compile(Expression.parse("self.status != 'failed'")), in: environment)
    for _ in 0..<60 {
      let terms = (0..<Int.random(in: 1...3, using: &random)).map { _ in
        Self.term(depth: 1, using: &random)
      }
      let words = terms.map(\.text).joined(separator: " ")
      let expected = pages.indices.filter { index in
        terms.allSatisfy { $0.holds(pages[index]) }
      }.map { Int64($0 + 1) }
      let found = try store.items.find(Query("Link", match: words)).compactMap(\.id)
      #expect(found.sorted() == expected, "\(words)")
      let newest = Query("Link", match: words, sort: [SortKey(parsing: "-createdAt")], limit: 3)
      #expect(
        try store.items.find(newest).compactMap(\.id) == Array(expected.reversed().prefix(3)),
        "\(words)")
      let working = Query("Link", match: words, filter: notFailed)
      let count = expected.count { pages[Int($0) - 1].status != "failed" }
      #expect(try store.items.count(working) == count, "\(words)")
      #expect(try store.items.count(working, upTo: 2) == min(2, count), "\(words)")
      #expect(try store.items.find(working).count == count, "\(words)")
    }
  }
}

extension String {
  fileprivate var asciiLowered: String {
    String(decoding: utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
  }
}
