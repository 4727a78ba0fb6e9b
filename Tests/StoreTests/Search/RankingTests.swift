import CEL
import Items
import Store
import StoreFixtures
import Testing

/// The bounded ranking of a search beside BM25 over all matches, as FTS5 counts it.
@Suite struct RankingTests {
  private static let count = 8_000

  /// Items that have words at different places, differently often, among texts of any length.
  private func makeStore() throws -> EntityStore {
    let store = try StoreFixture(StoreFixture.link).store
    var state: UInt64 = 11
    func chance(_ limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % limit
    }
    let importer = Importer(into: store) { _, error in Issue.record("\(error)") }
    for number in 1...Self.count {
      func text(_ length: Int) -> String {
        (0..<length).map { _ in
          switch chance(40) {
          case 0...4: "common"
          case 5...6: "usual"
          default: "w\(chance(3_000))"
          }
        }.joined(separator: " ")
      }
      try importer.add(
        Draft(
          "Link",
          [
            ("url", .string("https://example.org/\(number)")),
            ("title", .string(text(1 + chance(6)))), ("summary", .string(text(chance(25)))),
          ], createdAt: Timestamp(seconds: Int64(1_700_000_000 + number))), line: number)
    }
    _ = try importer.finish()
    return store
  }

  @Test(arguments: [("w77", true), ("usual", false), ("common", false), ("common usual", false)])
  func isAsGoodAsBM25(_ words: String, isExact: Bool) throws {
    let store = try makeStore()
    var scores: [Int64: Double] = [:]
    try store.connection.rows(
      """
      SELECT rowid, -bm25(Link_search, 2, 10, 3, 5) FROM Link_search \
      WHERE Link_search MATCH \(.text(words))
      """
    ) { row in
      if case .double(let score) = row.value(1) { scores[row.int(0)] = score }
      return true
    }
    #expect(try store.explain(Query("Link", match: words)).isRankingExact == isExact)
    let found = try store.find(Query("Link", match: words, limit: 10)).compactMap(\.id)
    let best = scores.values.sorted(by: >).prefix(10)
    #expect(found.count == best.count)
    let kept = found.compactMap { scores[$0] }.reduce(0, +) / best.reduce(0, +)
    #expect(isExact ? kept > 0.999_999 : kept > 0.98, "\(kept)")
    let all = try store.find(Query("Link", match: words)).compactMap(\.id)
    #expect(Set(all) == Set(scores.keys) && all.count == scores.count)
  }
}
