import Testing

@testable import CEL

@Suite struct ParserTests {
  /// The text with «» around the range of a problem, and the problem's message and help.
  @Test(
    arguments: [
      ("1 +«»", "the expression ends where a value was expected", nil),
      ("«'abc»", "this string is not closed", "end it with '"),
      ("x «=» 1", "unexpected `=`", "write `x == 1`"),
      ("a «and» b", "expected an operator or the end, found `and`", "write `a && b`"),
      ("a «&» b", "unexpected `&`", "use `&&`"),
      (
        "«9223372036854775808»", "`9223372036854775808` does not fit in 64 bits",
        "write `9223372036854775808.0` for a double"
      ),
      (
        "'«\\q»'", "`\\q` is not an escape",
        "write `\\\\` for a backslash, or r\"…\" for a raw string"
      ),
      ("'«\\ud800»'", "invalid Unicode character", nil),
      ("b'«\\u»1234'", "`\\u` is not an escape", "bytes have `\\x` and octal escapes only"),
      (
        "«if» + 1", "`if` is a reserved word",
        "choose another name; this one can only stand after a dot, as in a.if"
      ),
      ("[1, 2«»", "the expression ends where `,` or `]` was expected", nil),
      ("{'a' «1»}", "expected `:` and a value after the key, found `1`", nil),
      ("f(1 «2»)", "expected `,` or `)`, found `2`", nil),
      ("a.«+»", "expected the name of a field or function after `.`, found `+`", nil),
      ("«12abc»", "`12abc` is not a number", "a text needs quotes: `\"12abc\"`"),
      ("«0x»", "a hexadecimal number needs digits after `0x`", nil),
      ("'é' + «“»x”", "unexpected `“`", "use plain quotes, \" or '"),
      (
        "a ? b «»",
        "the expression ends where `:` and the value for when the condition is false "
          + "was expected", "write `a ? b : null`"
      ),
    ] as [(String, String, String?)])
  func locatesProblems(_ marked: String, _ message: String, _ help: String?) {
    let start = marked.utf8.prefix { $0 != "«".utf8.first }.count
    let parts = marked.split(separator: "«", omittingEmptySubsequences: false)
    let inner = parts[1].split(separator: "»", omittingEmptySubsequences: false)
    let text = marked.replacing("«", with: "").replacing("»", with: "")
    let error = #expect(throws: ExpressionError.self) { try Expression.parse(text) }
    #expect(error?.problems.count == 1)
    #expect(error?.problems.first?.message == message)
    #expect(error?.problems.first?.help == help)
    let range = error?.problems.first?.range
    #expect(range?.count == inner[0].utf8.count)
    #expect(range.map { $0.lowerBound == start || $0.isEmpty } == true)
  }

  @Test func reportsAllInvalidLiterals() {
    let error = #expect(throws: ExpressionError.self) {
      try Expression.parse("'\\q' + 99999999999999999999 + f(b'\\u') +")
    }
    #expect(error?.problems.map(\.range.lowerBound) == [1, 7, 34, 40])
  }

  @Test func limitsNesting() throws {
    for (open, close) in [("(", ")"), ("[", "]"), ("!", ""), ("1+(", ")"), ("f(", ")")] {
      let text = String(repeating: open, count: 100_000 / open.utf8.count / 2)
      let error = #expect(throws: ExpressionError.self) {
        try Expression.parse(text + "1" + String(repeating: close, count: text.count))
      }
      #expect(error?.problems.first?.code == .tooLarge)
    }
    let chain = Array(repeating: "1", count: 10_000).joined(separator: "+")
    #expect(throws: ExpressionError.self) { try Expression.parse(chain) }
    let logic = Array(repeating: "a", count: 10_000).joined(separator: "||")
    #expect(throws: Never.self) { try Expression.parse(logic) }
  }

  @Test func limitsLength() {
    let longest = String(repeating: "1", count: 99_998)
    #expect(throws: Never.self) { try Expression.parse("'\(longest)'") }
    let error = #expect(throws: ExpressionError.self) { try Expression.parse("'\(longest)1'") }
    #expect(error?.problems.first?.code == .tooLarge)
  }

  @Test func stringsEndOnTheirLine() {
    #expect(throws: ExpressionError.self) { try Expression.parse("'a\nb'") }
  }

  @Test func rangesCoverTheText() throws {
    let text = "a.b(c)[1] + x.y"
    let expression = try Expression.parse(text)
    #expect(expression.range == 0..<15)
    #expect(expression.focus == 10..<11)
    guard case .binary(.add, let left, let right) = expression.kind else {
      Issue.record("that is a sum")
      return
    }
    #expect(left.range == 0..<9)
    #expect(right.range == 12..<15)
    #expect(right.focus == 14..<15)
  }
}
