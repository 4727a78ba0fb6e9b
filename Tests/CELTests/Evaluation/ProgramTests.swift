import Testing

@testable import CEL

@Suite struct ProgramTests {
  private func value(_ text: String, _ values: [String: Value] = [:]) throws -> Value {
    try Environment().compile(Expression.parse(text)).evaluate(values)
  }

  @Test func looksUpEachVariableOnce() throws {
    let program = try Environment().compile(
      Expression.parse("b + a.x + b + [1].map(c, c + d)[0]"))
    #expect(program.variables == ["b", "a", "d"])
    let given: [Value] = [1, ["x": 2], 3]
    #expect(try program.evaluate { given[$0] } == 8)
  }

  @Test func namespacedFieldsAreVariables() throws {
    var environment = Environment()
    environment.namespaces = ["vars"]
    let program = try environment.compile(
      Expression.parse("vars.tags.size() + [{'tags': 'abc'}].map(vars, vars.tags.size())[0]"))
    #expect(program.variables == ["vars.tags"])
    #expect(try program.evaluate(["vars.tags": ["a"]]) == 4)
  }

  @Test func foldsConstants() throws {
    let program = try Environment().compile(Expression.parse("size('abc') * 2 in [6, 7]"))
    #expect(program.constant == true)
    let failing = try Environment().compile(Expression.parse("1 / 0 == 1 || true"))
    #expect(try failing.evaluate() == true)
  }

  @Test(arguments: [
    ("n > 3", EvaluationError.Code.nullOperand),
    ("3 < n", .nullOperand),
    ("n.startsWith('a')", .nullOperand),
    ("n.field", .nullOperand),
    ("n[0]", .nullOperand),
    ("-n", .nullOperand),
    ("!n", .nullOperand),
    ("n && true", .nullOperand),
    ("n ? 1 : 2", .nullOperand),
    ("n + 'a'", .nullOperand),
    ("n.exists(x, x)", .nullOperand),
    ("1 in n", .nullOperand),
    ("size(n)", .nullOperand),
    ("int(n)", .nullOperand),
    ("n.matches('a')", .nullOperand),
    ("has(n.x)", .nullOperand),
    ("[n, 1].sort()", .nullOperand),
    ("missing", .unknownVariable),
    ("nothing(1)", .unknownFunction),
    ("{'a': 1}.b", .noSuchKey),
    ("{'a': 1}['b']", .noSuchKey),
    ("[1][1]", .invalidArgument),
    ("[1][-1]", .invalidArgument),
    ("'a' > 1", .noMatchingOverload),
    ("1 ? 2 : 3", .noMatchingOverload),
    ("9223372036854775807 + 1", .overflow),
    ("-9223372036854775808 / -1", .overflow),
    ("-9223372036854775808 % -1", .overflow),
    ("0u - 1u", .overflow),
    ("1 / 0", .divisionByZero),
    ("1 % 0", .divisionByZero),
    ("int('x')", .invalidArgument),
    ("'a'.matches('(')", .invalidArgument),
    ("timestamp('2026-02-30T00:00:00Z')", .invalidArgument),
    ("duration('1x')", .invalidArgument),
    ("optional.none().value()", .invalidArgument),
    ("{'a': 1, 'a': 2}", .invalidArgument),
    ("lists.range(2000000)", .boundExceeded),
  ])
  func errorsHaveCodes(_ text: String, _ code: EvaluationError.Code) throws {
    let error = #expect(throws: EvaluationError.self) { try value(text, ["n": nil]) }
    #expect(error?.code == code, "\(error?.message ?? "")")
  }

  @Test(
    arguments: [
      ("n == null", true), ("n != 1", true), ("n in [null]", true), ("n in ['a']", false),
      ("null in [n]", true), ("n > 3 || true", true), ("n > 3 && false", false),
    ] as [(String, Value)])
  func nullCanBeComparedForEquality(_ text: String, _ wanted: Value) throws {
    #expect(try value(text, ["n": nil]) == wanted)
  }

  @Test(arguments: [
    ("title > 3", "cannot compare string with int (use `string(…)` or `int(…)`): title > 3"),
    ("[1, 2][title.size() + 1]", "index 2 is out of range: the list has 2 elements"),
    ("{'a': 1}.b", "there is no key \"b\": {\"a\": 1}.b"),
    ("9223372036854775807 * 2", "the result does not fit in int: 9223372036854775807 * 2"),
    ("1 / 0", "division by zero: 1 / 0"),
    ("int(title)", "cannot convert \"x\" to int"),
    (
      "title.startsWith(1)",
      "`startsWith` cannot take string, int; expected string.startsWith(string)"
    ),
  ])
  func wordsErrors(_ text: String, _ message: String) throws {
    let error = #expect(throws: EvaluationError.self) { try value(text, ["title": "x"]) }
    #expect(error?.message == message)
  }

  @Test func errorsHaveRanges() throws {
    let error = #expect(throws: EvaluationError.self) { try value("true && 1 + 'a' == 2") }
    #expect(error?.range == 8..<15)
    #expect(error?.focus == 10..<11)
  }

  @Test func limitsSteps() throws {
    let nested = "[1,2,3,4,5,6,7,8,9]"
    var text = "true"
    for depth in 0..<12 { text = "\(nested).all(x\(depth), \(text))" }
    let program = try Environment().compile(Expression.parse(text))
    var limits = EvaluationLimits()
    limits.steps = 100_000
    let error = #expect(throws: EvaluationError.self) { try program.evaluate(limits: limits) }
    #expect(error?.code == .boundExceeded)
    // `||` does not absorb an exceeded bound.
    let absorbed = try Environment().compile(Expression.parse("(\(text)) || true"))
    #expect(throws: EvaluationError.self) { try absorbed.evaluate(limits: limits) }
  }

  @Test func interruptsEvaluation() throws {
    let list = "[1,2,3,4,5,6,7,8,9]"
    var text = "true"
    for depth in 0..<12 { text = "\(list).all(x\(depth), \(text))" }
    for text in [text, "(\(text)) || true"] {
      let program = try Environment().compile(Expression.parse(text))
      let limits = EvaluationLimits()
      var left = limits.steps
      var looks = 0
      let mustStop = {
        looks += 1
        return looks > 2
      }
      let error = #expect(throws: EvaluationError.self) {
        try program.evaluate(left: &left, mustStop: mustStop) { _ in nil }
      }
      #expect(error?.code == .interrupted)
      #expect(looks == 3)
      // The steps used so far are counted.
      #expect((1..<1_000_000).contains(limits.steps - left))
    }
  }

  @Test func interruptsLongFunctions() throws {
    var environment = Environment()
    environment.add(
      Function("parse", watched: [.string], returns: .int) { _, mustStop in
        while !mustStop() {}
        return 1
      })
    // The argument is not a constant, or constant folding would call the function.
    let program = try environment.compile(Expression.parse("parse(text) == 1 || true"))
    var left = 1_000
    var looks = 0
    let mustStop = {
      looks += 1
      return looks > 2
    }
    let error = #expect(throws: EvaluationError.self) {
      try program.evaluate(left: &left, mustStop: mustStop) { _ in "text" }
    }
    #expect(error?.code == .interrupted)
  }

  /// Sixty large pages are within the limits.
  @Test func pollingFunctionsHaveBoundedArgumentCost() throws {
    var environment = Environment()
    environment.add(Function("parse", watched: [.string], returns: .int) { _, _ in 1 })
    let program = try environment.compile(Expression.parse("parse(text)"))
    let limits = EvaluationLimits()
    var left = limits.steps
    let text = Value.string(String(repeating: "a", count: 16 << 20))
    _ = try program.evaluate(left: &left) { _ in text }
    #expect(limits.steps - left <= 1 << 17)
  }

  @Test func pollingDoesNotChangeTheStepCount() throws {
    let program = try Environment().compile(
      Expression.parse("[1, 2, 3].map(x, x * 2).filter(x, x > 2)"))
    var (asked, unasked) = (1_000, 1_000)
    let mustStop = { false }
    let value = try program.evaluate(left: &asked, mustStop: mustStop) { _ in nil }
    #expect(try program.evaluate(left: &unasked) { _ in nil } == value)
    #expect(asked == unasked)
    #expect(asked < 1_000)
  }

  @Test(arguments: [
    "s + s + s + s", "[s, s, s].join(s)", "s.replace('', s)", "'%s%s'.format([s, s])",
  ])
  func limitsSizes(_ text: String) throws {
    let program = try Environment().compile(Expression.parse(text))
    let long = Value.string(String(repeating: "x", count: 10 << 20))
    let error = #expect(throws: EvaluationError.self) { try program.evaluate(["s": long]) }
    #expect(error?.code == .boundExceeded)
  }
}
