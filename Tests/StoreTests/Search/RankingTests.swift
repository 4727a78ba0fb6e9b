import CEL
import Glibc
import Items
import Store
import StoreFixtures
import Testing

/// The bounded ranking of a search against BM25F over all matches, computed from its formula.
@Suite struct RankingTests {
  private static let count = 8_000
  private static let weights = [2.0, 10, 3]

  /// The words of each item's URL, title and summary.
  private let texts: [[[String]]]
  private let store: Database

  /// Items with the words in different properties, with different frequency, among texts of any
  /// length.
  init() throws {
    store = try StoreFixture(StoreFixture.link).store
    var state: UInt64 = 11
    func chance(_ limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % limit
    }
    var texts: [[[String]]] = []
    let importer = Importer(into: store) { _, error in Issue.record("\(error)") }
    for number in 1...Self.count {
      func words(_ length: Int) -> [String] {
        (0..<length).map { _ in
          switch chance(40) {
          case 0...4: "common"
          case 5...6: "usual"
          default: "w\(chance(3_000))"
          }
        }
      }
      // No title equals the search, since that would come first.
      let title = ["about"] + words(1 + chance(6))
      let summary = words(chance(25))
      texts.append([["https", "example", "org", "\(number)"], title, summary])
      try importer.add(
        NewItem(
          "Link",
          [
            ("url", .string("https://example.org/\(number)")),
            ("title", .string(title.joined(separator: " "))),
            ("summary", .string(summary.joined(separator: " "))),
          ], createdAt: Timestamp(seconds: Int64(1_700_000_000 + number))), line: number)
    }
    _ = try importer.finish()
    self.texts = texts
  }

  /// The scores of the items with all words, by id.
  private func scores(_ words: [String]) -> [Int64: Double] {
    let means = Self.weights.indices.map { column in
      Double(texts.reduce(0) { $0 + $1[column].count }) / Double(Self.count)
    }
    let rarities = words.map { word in
      let count = Double(texts.count { $0.contains { $0.contains(word) } })
      return max(1e-6, log((Double(Self.count) - count + 0.5) / (count + 0.5)))
    }
    var scores: [Int64: Double] = [:]
    for (index, text) in texts.enumerated()
    where words.allSatisfy({ word in text.contains { $0.contains(word) } }) {
      var score = 0.0
      for (word, rarity) in zip(words, rarities) {
        let frequency = Self.weights.indices.reduce(0.0) { sum, column in
          let length = Double(text[column].count) / means[column]
          let places = Double(text[column].count { $0 == word })
          return sum + Self.weights[column] * places / (0.25 + 0.75 * length)
        }
        score += rarity * frequency * 2.2 / (frequency + 1.2)
      }
      scores[Int64(index + 1)] = score
    }
    return scores
  }

  @Test(arguments: [("w77", true), ("usual", false), ("common", false), ("common usual", false)])
  func rankingApproximatesBM25F(_ words: String, isExact: Bool) throws {
    let scores = scores(words.split(separator: " ").map(String.init))
    #expect(try store.search.explain(Query("Link", match: words)).isRankingExact == isExact)
    let found = try store.items.find(Query("Link", match: words, limit: 10)).compactMap(\.id)
    let best = scores.values.sorted(by: >).prefix(10)
    #expect(found.count == best.count)
    let kept = found.compactMap { scores[$0] }.reduce(0, +) / best.reduce(0, +)
    #expect(isExact ? kept > 0.999_999 : kept > 0.98, "\(kept)")
    let all = try store.items.find(Query("Link", match: words)).compactMap(\.id)
    #expect(Set(all) == Set(scores.keys) && all.count == scores.count)
  }
}
