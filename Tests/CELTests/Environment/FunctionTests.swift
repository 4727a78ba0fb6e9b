import Testing

@testable import CEL

@Suite struct FunctionTests {
  private func environment() -> Environment {
    var environment = Environment(allowsUndeclaredNames: true)
    environment.add(Function("shout", .method) { (text: String) in text.upperAscii + "!" })
    environment.add(
      Function("half") { (number: Int64) throws(EvaluationError) in
        guard number % 2 == 0 else { throw EvaluationError("\(number) is odd") }
        return number / 2
      })
    environment.add(Function("answer") { 42 as Int64 })
    environment.add(
      Function("max3", list: [.int, .int, .int], returns: .int) { values throws(EvaluationError) in
        values.max { ($0.compare($1) ?? 0) < 0 } ?? .null
      })
    environment.add(
      Iteration(
        "groupBy", on: .list(.parameter("T")), variables: [.parameter("T")],
        expression: .parameter("K"), returns: .map(.parameter("K"), .list(.parameter("T")))
      ) { value, each throws(EvaluationError) in
        guard case .list(let list) = value else { return value }
        var groups = MapValue()
        for element in list {
          let key = try each([element])
          guard case .list(let group) = groups[key] ?? [] else { continue }
          groups[key] = .list(group + [element])
        }
        return .map(groups)
      })
    return environment
  }

  @Test(
    arguments: [
      ("'a'.shout()", "A!"), ("half(4)", 2), ("answer()", 42), ("max3(1, 3, 2)", 3),
      ("[1, 2, 3].groupBy(x, x % 2)[1]", [1, 3]),
      ("[3, 1, 2].sortBy(x, -x)", [3, 2, 1]),
      ("half(3) > 1 || true", true),
    ] as [(String, Value)])
  func callsHostFunctions(_ text: String, _ wanted: Value) throws {
    #expect(try environment().compile(Expression.parse(text)).evaluate() == wanted)
  }

  @Test func locatesErrorsOfHostFunctions() throws {
    let program = try environment().compile(Expression.parse("1 + half(3)"))
    let error = #expect(throws: EvaluationError.self) { try program.evaluate() }
    #expect(error?.message == "3 is odd")
    #expect(error?.range == 4..<11)
  }

  @Test func doesNotFoldImpureFunctions() throws {
    #expect(try environment().compile(Expression.parse("answer()")).constant == nil)
    #expect(try environment().compile(Expression.parse("half(4)")).constant == 2)
  }

  @Test func hostOverloadsTakePrecedence() throws {
    var environment = Environment()
    environment.add(
      Function("first", .method, [.list(.parameter("T"))], returns: .nullable(.parameter("T"))) {
        (list: [Value]) in list.first ?? .null
      })
    let expression = try Expression.parse("[7].first()")
    #expect(try environment.compile(expression).evaluate() == 7)
    #expect(environment.check(expression).type == .nullable(.int))
  }

  @Test func everyListedFunctionExists() {
    for name in FunctionLibrary.functionNames {
      #expect(FunctionLibrary.overloads(of: name)?.isEmpty == false, "\(name)")
    }
  }
}

extension String {
  fileprivate var upperAscii: String {
    String(decoding: utf8.map { (0x61...0x7A).contains($0) ? $0 - 32 : $0 }, as: UTF8.self)
  }
}
