import Testing

@testable import CEL

@Suite struct ValueTests {
  private static let composed = Value.string("\u{E9}")
  private static let decomposed = Value.string("e\u{301}")

  @Test func comparesStringsByCodePoints() {
    #expect(Self.composed != Self.decomposed)
    #expect((Self.composed.compare(Self.decomposed) ?? 0) > 0)
    #expect(Set([Self.composed, Self.decomposed]).count == 2)
    var map = MapValue()
    map[Self.composed] = 1
    map[Self.decomposed] = 2
    #expect(map.count == 2)
    #expect(map["\u{E9}"] == 1)
  }

  @Test(
    arguments: [
      (1, .uint(1), true), (1, 1.0, true), (.uint(1), 1.0, true), (1, 1.5, false), (1, "1", false),
      (-1, .uint(.max), false), (nil, nil, true), (nil, 0, false), ([1], [1.0], true),
      (["a": 1], ["a": .uint(1)], true), (.double(.nan), .double(.nan), false),
      (.double(0), .double(-0.0), true), (false, 0, false),
    ] as [(Value, Value, Bool)])
  func numbersAreEqualAcrossTypes(_ a: Value, _ b: Value, _ wanted: Bool) {
    #expect((a == b) == wanted)
    #expect((b == a) == wanted)
    if wanted { #expect(a.hashValue == b.hashValue) }
  }

  @Test(
    arguments: [
      (1, 2.5, -1), (.uint(.max), -1, 1), (.int(.min), .uint(0), -1), ("a", "b", -1),
      ("b", "ab", 1), (.double(.infinity), .uint(.max), 1), (false, true, -1),
      (.bytes([1]), .bytes([1, 0]), -1), (1, .double(.nan), nil), ("a", 1, nil), (nil, 1, nil),
    ] as [(Value, Value, Int?)])
  func numbersAreOrderedAcrossTypes(_ a: Value, _ b: Value, _ wanted: Int?) {
    #expect(a.compare(b).map { $0.signum() } == wanted)
    #expect(b.compare(a).map { $0.signum() } == wanted.map { -$0 })
  }

  @Test(
    arguments: [
      (0.1, "0.1"), (1, "1"), (-4.5e-3, "-0.0045"), (1e20, "100000000000000000000"),
      (1e21, "1e+21"), (1.5e-7, "1.5e-07"), (123456789.25, "123456789.25"), (0.0001, "0.0001"),
      (0.00001, "1e-05"), (-0.0, "-0"), (.nan, "NaN"), (-.infinity, "-Infinity"),
      (9_007_199_254_740_992, "9007199254740992"),
      (1.7976931348623157e308, "1.7976931348623157e+308"),
    ] as [(Double, String)])
  func doublesHaveShortText(_ number: Double, _ text: String) {
    #expect(Value.double(number).text == text)
  }

  @Test func describesValuesAsLiterals() {
    let value: Value = ["a": [1, 2.0, .uint(3), nil, "x\"y"]]
    #expect(value.description == #"{"a": [1, 2.0, 3u, null, "x\"y"]}"#)
    #expect(value.text == #"{a: [1, 2, 3, null, x"y]}"#)
  }
}
