import Testing

@testable import CEL

/// Errors in literals, found before evaluation.
@Suite struct LiteralTests {
  private let environment: Environment = {
    var environment = Environment()
    environment.variables = ["n": .int, "t": .timestamp, "s": .string, "d": .dyn, "x": .double]
    return environment
  }()

  private func problems(_ text: String) throws -> [String] {
    let expression = try Expression.parse(text)
    let checked = environment.check(expression)
    if checked.hasErrors {
      return checked.problems.map { "\($0.code.rawValue) \($0.range.lowerBound)" }
    }
    return try environment.compile(expression).failures.map {
      "fails \($0.range?.lowerBound ?? -1)"
    }
  }

  @Test(arguments: [
    ("1 / 0", ["fails 0"]), ("n / 0", ["fails 0"]), ("n % 0", ["fails 0"]),
    ("d % 0", ["fails 0"]), ("1 + int(\"x\")", ["fails 4"]), ("[1, 2][2]", ["fails 7"]),
    ("[n, 2][2]", ["fails 7"]), ("{\"a\": 1}.b", ["fails 9"]), ("{\"a\": n}.b", ["fails 9"]),
    ("{\"a\": n}[\"b\"]", ["fails 9"]), ("9223372036854775807 + 1", ["fails 0"]),
    ("n > 0 || 1 / 0 == 1", ["fails 9"]), ("optional.none().value() == 1", ["fails 0"]),
    ("timestamp(\"x\") == t", ["wrong-arguments 10"]),
    ("t.getHours(\"Mars/X\")", ["wrong-arguments 11"]),
    ("s.matches(\"(\")", ["wrong-arguments 10"]),
    ("regex.extract(s, \"(a)(b)\")", ["wrong-arguments 17"]),
    ("\"%y\".format([n])", ["wrong-arguments 0"]),
    ("\"%d %d\".format([n])", ["wrong-arguments 15"]),
    ("\"%d\".format([s])", ["wrong-arguments 12"]),
    ("\"%.2f\".format([t])", ["wrong-arguments 14"]),
  ])
  func reportsLiteralsThatAlwaysFail(_ text: String, _ expected: [String]) throws {
    #expect(try problems(text) == expected)
  }

  @Test(arguments: [
    "n / 2", "x / 0.0", "1.0 / 0.0", "d / n", "[n, 2][1]", "{\"a\": n}.a", "{s: n}.a",
    "[?optional.none(), n][1]", "t.getHours(\"Europe/Berlin\")", "t.getHours(s)",
    "s.matches(\"a+\")",
    "\"%s is 100%%\".format([t])", "\"%d\".format([n])", "\"%.1f\".format([x])",
    "\"%x\".format([s])", "s.format([n])", "\"%d\".format([d])", "n == 0 ? 0 : 10 / n",
    "{\"a\": 1}.?b.orValue(2)", "has({\"a\": 1}.b)", "\"b\" in {\"a\": 1}",
    "[1, 2].map(i, i / 2)", "int(\"12\")",
  ])
  func acceptsLiteralsThatMaySucceed(_ text: String) throws {
    #expect(try problems(text) == [])
  }

  @Test func reportsANullableNameOnce() throws {
    var environment = Environment()
    environment.variables = ["a": .nullable(.int), "b": .nullable(.int)]
    func count(_ text: String) throws -> Int {
      environment.check(try Expression.parse(text)).problems.count
    }
    #expect(try count("a + a") == 1)
    #expect(try count("a < a || a > 2") == 1)
    #expect(try count("a + b") == 2)
    #expect(try count("(a > 1 && a != null) || a > 2") == 1)
  }
}
