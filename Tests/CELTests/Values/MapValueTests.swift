import Testing

@testable import CEL

@Suite struct MapValueTests {
  @Test(arguments: [0, 1, 8, 9, 100])
  func keysKeepInsertionOrder(_ count: Int) {
    var map = MapValue((0..<count).map { ("key\($0)", Value.int(Int64($0))) })
    #expect(map.count == count)
    #expect(map.entries.map(\.key) == (0..<count).map { .string("key\($0)") })
    for number in 0..<count {
      #expect(map["key\(number)"] == .int(Int64(number)))
    }
    #expect(map["other"] == nil)
    map["key0"] = nil
    #expect(map.count == max(0, count - 1))
    #expect(map["key0"] == nil)
    if count > 1 { #expect(map["key\(count - 1)"] == .int(Int64(count - 1))) }
    map["key1"] = "new"
    #expect(map["key1"] == "new")
  }

  @Test(arguments: [3, 30])
  func equalNumbersAreTheSameKey(_ count: Int) {
    let map = MapValue(entries: (0..<count).map { (Value.int(Int64($0)), Value.string("v")) })
    #expect(map[.uint(1)] == "v")
    #expect(map[2.0] == "v")
    #expect(map[2.5] == nil)
    #expect(map["1"] == nil)
  }

  @Test func equalityIgnoresOrder() {
    let a = MapValue([("a", 1), ("b", 2)])
    let b = MapValue([("b", 2.0), ("a", 1)])
    #expect(a == b)
    #expect(a.hashValue == b.hashValue)
    #expect(a != MapValue([("a", 1)]))
  }
}
