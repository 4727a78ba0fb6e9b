import CEL
import Testing

@testable import JSON

@Suite struct JSONParserTests {
  @Test(arguments: [
    ("null", Value.null), (" true ", .bool(true)), ("0", .int(0)), ("-7", .int(-7)),
    ("9223372036854775807", .int(.max)), ("-9223372036854775808", .int(.min)),
    ("1.0", .double(1)), ("1e3", .double(1_000)), ("-0.5", .double(-0.5)),
    (#""a\u0000b""#, .string("a\0b")), (#""é😀""#, .string("é😀")),
    (#""\ud83d\ude00""#, .string("😀")),
  ])
  func scalars(text: String, expected: Value) throws {
    let value = try JSONParser().parse(text)
    // Numbers of different types are equal, so compare the type as well.
    #expect(value.typeName == expected.typeName)
    #expect(value == expected)
  }

  @Test func objectsKeepTheirOrder() throws {
    let value = try JSONParser().parse(#"{"z":1,"a":[true,null],"m":{"y":2,"b":3}}"#)
    #expect(try JSONWriter().text(of: value) == #"{"z":1,"a":[true,null],"m":{"y":2,"b":3}}"#)
  }

  @Test func invalidSurrogatesAreErrors() {
    #expect(throws: JSONError.self) { try JSONParser().parse(#""\ud83d""#) }
  }

  @Test(arguments: [
    ("", JSONError.Code.syntax, 1, 1, "the JSON text is empty"),
    ("   ", .syntax, 1, 1, "the JSON text ends too early"),
    ("{\"a\": 1,\n  \"é\": [1, 2\n", .syntax, 2, 13, "the JSON text ends too early"),
    ("{\"a\":\n é}", .syntax, 2, 2, "not valid JSON, invalid token: é"),
    ("[1 2]", .syntax, 1, 4, "not valid JSON, ']' expected: 2"),
    ("1 2", .syntax, 1, 3, "more text follows after the JSON value: 2"),
    (#"{"a":1,"a":2}"#, .duplicateKey, 1, 8, #"an object has the same key twice: "a""#),
    ("[9223372036854775808]", .number, 1, 2, "whole number outside the range of int"),
    ("1e999", .number, 1, 1, "number too large for double"),
    (#"{"a\u0000b":1}"#, .syntax, 1, 2, "a key contains NUL"),
  ])
  func errors(text: String, code: JSONError.Code, line: Int, column: Int, message: String) throws {
    let error = try #require(throws: JSONError.self) { try JSONParser().parse(text) }
    #expect(error.code == code)
    #expect(error.message.hasPrefix(message), "\(error)")
    #expect(error.place?.line == line, "\(error)")
    #expect(error.place?.column == column, "\(error)")
  }

  @Test func invalidUTF8IsAnError() throws {
    let error = try #require(throws: JSONError.self) {
      try JSONParser().parse([0x22, 0x61, 0xFF, 0x22])
    }
    #expect(error.code == .encoding)
    #expect(error.place?.offset == 2)
  }

  @Test(arguments: [("[", "", "]"), (#"{"a":"#, "1", "}")])
  func depthIsLimited(open: String, core: String, close: String) throws {
    func nest(_ depth: Int) -> String {
      String(repeating: open, count: depth) + core + String(repeating: close, count: depth)
    }
    let parser = JSONParser(maxDepth: 3)
    #expect(throws: Never.self) { try parser.parse(nest(3)) }
    let error = try #require(throws: JSONError.self) { try parser.parse(nest(4)) }
    #expect(error.code == .limit)
    #expect(error.place?.offset == 3 * open.utf8.count)
  }

  @Test func aHundredThousandBracketsAreAnError() throws {
    let error = try #require(throws: JSONError.self) {
      try JSONParser().parse(String(repeating: "[", count: 100_000))
    }
    #expect(error.code == .limit)
    #expect(error.place?.offset == 128)
  }

  @Test func lengthIsLimited() throws {
    let error = try #require(throws: JSONError.self) { try JSONParser(maxBytes: 3).parse("1234") }
    #expect(error.code == .limit)
  }
}
