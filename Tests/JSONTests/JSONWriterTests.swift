import CEL
import Testing

@testable import JSON

@Suite struct JSONWriterTests {
  @Test(arguments: [
    (Value.null, "null"), (.bool(false), "false"), (.int(.min), "-9223372036854775808"),
    (.uint(.max), "18446744073709551615"), (.double(1), "1.0"), (.double(0.1), "0.1"),
    (.double(.nan), #""NaN""#), (.double(.infinity), #""Infinity""#),
    (.double(-.infinity), #""-Infinity""#),
    (.string("a\"\\/\u{8}\u{c}\n\r\t\u{1}\u{1f}"), #""a\"\\/\b\f\n\r\t\u0001\u001f""#),
    (.string("\u{7f}é\u{2028}"), "\"\\u007fé\u{2028}\""),
    (.string("\u{80}\u{9f}\u{a0}ÿ"), "\"\\u0080\\u009f\u{a0}ÿ\""),
    (.string("a\u{61c}\u{200e}b\u{200f}\u{202a}\u{202e}"), #""a\u061c\u200eb\u200f\u202a\u202e""#),
    (.string("\u{2066}\u{2069}\u{200d}\u{2013}"), "\"\\u2066\\u2069\u{200d}\u{2013}\""),
    (.string("a\0b"), #""a\u0000b""#),
    (.bytes([]), #""""#), (.bytes([0xFB]), #""+w==""#), (.bytes([0xFB, 0xFF]), #""+/8=""#),
    (.bytes(Array("foobar".utf8)), #""Zm9vYmFy""#),
    (.type(TypeName("int")), #""int""#),
    (.optional(.none), "null"), (.optional(OptionalValue(.int(1))), "1"),
    (.list([.int(1), .list([])]), "[1,[]]"),
    (.map(MapValue([("b", .int(1)), ("a", .null)])), #"{"b":1,"a":null}"#),
  ])
  func compact(value: Value, expected: String) throws {
    #expect(try JSONWriter().text(of: value) == expected)
  }

  /// Texts that only the program compares stay compatible with stores of earlier releases.
  @Test func invisibleCharactersAreKeptUnlessEscaped() throws {
    let text = "\u{7f}\u{9b}\u{202e}\u{1}"
    #expect(
      try JSONWriter(escapesInvisible: false).text(of: .string(text))
        == "\"\u{7f}\u{9b}\u{202e}\\u0001\"")
  }

  @Test(arguments: [
    (Int64(0), Int32(0), "1970-01-01T00:00:00Z"),
    (1_700_000_000, 120_000_000, "2023-11-14T22:13:20.12Z"),
    (-1, 999_999_999, "1969-12-31T23:59:59.999999Z"),
    (951_782_400, 1_000, "2000-02-29T00:00:00.000001Z"),
    (951_782_400, 999, "2000-02-29T00:00:00Z"),
    (-2_203_977_600, 0, "1900-02-28T00:00:00Z"), (-2_203_891_200, 0, "1900-03-01T00:00:00Z"),
    (253_402_300_799, 0, "9999-12-31T23:59:59Z"), (-62_135_596_800, 0, "0001-01-01T00:00:00Z"),
  ])
  func timestamps(seconds: Int64, nanoseconds: Int32, expected: String) {
    #expect(Timestamp(seconds: seconds, nanoseconds: nanoseconds).jsonText == expected)
  }

  @Test(arguments: [
    (Int64(0), Int32(0), "0s"), (1, 500_000_000, "1.5s"), (-2, 500_000_000, "-1.5s"),
    (-1, 999_999_999, "-0.000000001s"), (-3, 0, "-3s"), (3_600, 10, "3600.00000001s"),
  ])
  func durations(seconds: Int64, nanoseconds: Int32, expected: String) {
    #expect(DurationValue(seconds: seconds, nanoseconds: nanoseconds).text == expected)
  }

  @Test func prettyForPeople() throws {
    let value = try JSONParser().parse(#"{"a":[1,{"b":null}],"c":{},"d":[]}"#)
    let expected = """
      {
        "a": [
          1,
          {
            "b": null
          }
        ],
        "c": {},
        "d": []
      }
      """
    #expect(try JSONWriter(layout: .pretty).text(of: value) == expected)
  }

  @Test func nonTextKeysAreWrittenAsText() throws {
    var map = MapValue()
    map[.int(1)] = .bool(true)
    map[.bool(false)] = .int(2)
    #expect(try JSONWriter().text(of: .map(map)) == #"{"1":true,"false":2}"#)
  }

  @Test func objectsAreWrittenByFieldsOrByTheCaller() throws {
    let point = Value.object(Point())
    #expect(try JSONWriter().text(of: point) == #"{"x":1,"y":null}"#)
    let writer = JSONWriter { [("kind", .string($0.typeName))] }
    #expect(try writer.text(of: .list([point])) == #"[{"kind":"Point"}]"#)
  }

  @Test func depthIsLimited() throws {
    var value = Value.int(1)
    for _ in 0..<3 { value = .list([value]) }
    let writer = JSONWriter(maxDepth: 3)
    #expect(try writer.text(of: value) == "[[[1]]]")
    let error = try #require(throws: JSONError.self) { try writer.text(of: .list([value])) }
    #expect(error.code == .limit)
  }

  @Test func textsRoundTrip() throws {
    let text = #"{"s":"\u0000\n\\é😀","n":[0,-1,1.5,1e+20,5e-324],"b":true,"o":{"x":{}}}"#
    #expect(try JSONWriter().text(of: JSONParser().parse(text)) == text)
  }
}

private final class Point: ObjectValue {
  let typeName = "Point"
  let fieldNames = ["x", "y"]
  func field(_ name: String) -> Value? { name == "x" ? .int(1) : .null }
  func hasField(_ name: String) -> Bool { name == "x" }
  func isEqual(to other: any ObjectValue) -> Bool { other === self }
}
