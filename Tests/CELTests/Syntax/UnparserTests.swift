import Testing

@testable import CEL

@Suite struct UnparserTests {
  @Test(arguments: [
    ("a+b*c", "a + b * c"),
    ("(a+b)*c", "(a + b) * c"),
    ("a-(b-c)", "a - (b - c)"),
    ("((a-b)-c)", "a - b - c"),
    ("a&&b||c", "a && b || c"),
    ("a&&(b||c)", "a && (b || c)"),
    ("a&&(b&&c)", "a && (b && c)"),
    ("(a?b:c)?d:e?f:g", "(a ? b : c) ? d : e ? f : g"),
    ("!(a==b)", "!(a == b)"),
    ("-(5)", "-(5)"),
    ("-5", "-5"),
    ("- x", "-x"),
    ("-(-5)", "-(-5)"),
    ("-5.size()", "-5.size()"),
    ("'a\\'b'", "\"a'b\""),
    ("r'\\d'", "\"\\\\d\""),
    ("b'\\x00a'", "b\"\\x00a\""),
    ("1.0", "1.0"),
    ("1e21", "1e+21"),
    ("0x10", "16"),
    ("3U", "3u"),
    ("'\\ud83d\\ude00'", "\"😀\""),
    ("m.`a-b`", "m.`a-b`"),
    ("m.?a[?0]", "m.?a[?0]"),
    ("[?a,b]", "[?a, b]"),
    ("{?'a':b}", "{?\"a\": b}"),
    ("T{a:1,?b:c}", "T{a: 1, ?b: c}"),
    (".a.b(c)", ".a.b(c)"),
    ("x.map(y,y+1)", "x.map(y, y + 1)"),
    ("a in [1]", "a in [1]"),
    ("'\\u200b'", "\"\\u200b\""),
  ])
  func printsMinimalParentheses(_ text: String, _ printed: String) throws {
    let expression = try Expression.parse(text)
    #expect(expression.description == printed)
    #expect(try Expression.parse(printed).description == printed)
  }
}
