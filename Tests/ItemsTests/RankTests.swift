import Items
import Testing

struct RankTests {
  @Test func isBetween() throws {
    var places = ["", "V"]
    var seed: UInt64 = 7
    // Anywhere, often at either end.
    for _ in 0..<2_000 {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let spot = Int(seed >> 33) % (places.count + 2)
      let index = min(max(spot, 1), places.count)
      let high = index < places.count ? places[index] : nil
      let place = try #require(Rank.between(places[index - 1], high))
      #expect(places[index - 1] < place && high.map { place < $0 } ?? true && place.last != "0")
      places.insert(place, at: index)
    }
    #expect((places.map(\.utf8.count).max() ?? 0) < 100)
  }

  @Test func staysShortAtTheEnds() throws {
    var first = try #require(Rank.between(nil, nil))
    var last = first
    for _ in 0..<300 {
      first = try #require(Rank.between(nil, first))
      last = try #require(Rank.between(last, nil))
    }
    #expect(first.utf8.count <= 14 && last.utf8.count <= 14 && first < last)
  }

  @Test(arguments: [("b", "a"), ("a", "a"), ("a", "Zz")])
  func followsTheFirstOfTwoInTheWrongOrder(low: String, high: String) throws {
    #expect(try #require(Rank.between(low, high)) > low)
  }

  @Test(arguments: ["a b", "é", "a0", "-", String(repeating: "a", count: 501)]) func refuses(
    text: String
  ) {
    #expect(Rank.between(text, nil) == nil && Rank.between(nil, text) == nil)
  }
}
