import CEL
import Items
import Store
import StoreFixtures
import Testing

/// The newest matches of a search have the latest dates, regardless of the order of their ids.
@Suite struct NewestMatchesTests {
  /// The relation of dates to ids.
  enum Arrival: CaseIterable {
    case inOrder, shuffled, newestFirst, someNewestFirst, manyNewestFirst, allAtOnce

    /// The date of an item, in seconds.
    func date(of number: Int, among count: Int, chance: Int) -> Int {
      switch self {
      case .inOrder: number
      case .shuffled: chance % (count / 2)
      case .newestFirst: count - number
      case .someNewestFirst: number <= 20 ? count + number : number
      case .manyNewestFirst: number <= 200 ? count + number : number
      case .allAtOnce: 7
      }
    }
  }

  private static let count = 6_000

  /// Items with a frequent, a less frequent and a rare word, each saved in its own transaction.
  private func makeStore(_ arrival: Arrival) throws -> Database {
    let store = try StoreFixture(StoreFixture.link).store
    var state: UInt64 = 7
    func chance() -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33)
    }
    for batch in stride(from: 1, through: Self.count, by: 500) {
      let importer = Importer(into: store) { _, error in Issue.record("\(error)") }
      for number in batch..<batch + 500 {
        var title = "page"
        if chance() % 2 == 0 { title += " often" }
        if chance() % 20 == 0 { title += " some" }
        if chance() % 500 == 0 { title += " seldom" }
        if chance() % 2_000 == 0 || number == 3 { title += " once" }
        let date = arrival.date(of: number, among: Self.count, chance: chance())
        try importer.add(
          NewItem(
            "Link",
            [
              ("url", .string("https://example.org/\(number)")), ("title", .string(title)),
              ("source", .string(number <= 40 ? "old" : "new")),
            ], createdAt: Timestamp(seconds: Int64(1_700_000_000 + date))), line: number)
      }
      _ = try importer.finish()
    }
    return store
  }

  @Test(arguments: Arrival.allCases)
  func newestMatchesHaveLatestDates(_ arrival: Arrival) throws {
    let store = try makeStore(arrival)
    let all = try store.items.find(Query("Link", sort: [SortKey("createdAt", descending: true)]))
    #expect(all.count == Self.count)
    let environment = Environment(allowsUndeclaredNames: true)
    for word in ["page", "often", "some", "seldom", "once", "often some", "nothing"] {
      for source in [nil, "old"] {
        let filter = try source.map { source in
          try Filter(
            environment.compile(Expression.parse("self.source == '\(source)'")), in: environment)
        }
        let expected = all.filter { item in
          let words = Set((item.text("title") ?? "").split(separator: " "))
          return words.isSuperset(of: word.split(separator: " "))
            && (source == nil || item.text("source") == source)
        }.compactMap(\.id)
        for limit in [1, 10, 100, 101] {
          let query = Query(
            "Link", match: word, filter: filter, sort: [SortKey("createdAt", descending: true)],
            limit: limit)
          #expect(
            try store.items.find(query).compactMap(\.id) == Array(expected.prefix(limit)),
            "\(word), \(source ?? "any source"), \(limit)")
        }
      }
    }
  }
}
