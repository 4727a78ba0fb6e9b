/// Infers the types of an expression, after the checker of the language definition: open types are
/// unified, `dyn` fits everywhere.
struct Checker {
  /// What may be named.
  let environment: Environment
  /// What was found for open types.
  var types = Substitution()
  private(set) var problems: [Problem] = []
  private var parts: [(range: Range<Int>, type: CELType)] = []
  private var scope: [(name: String, type: CELType)] = []
  /// The types of the parts so far of the surrounding blocks, the innermost last.
  var blocks: [[CELType]] = []

  /// Begins a check.
  init(_ environment: Environment) {
    self.environment = environment
  }

  /// Closes the check: what is still open is `dyn`.
  func finish(_ type: CELType) -> CheckedExpression {
    CheckedExpression(
      type: types.resolve(type, openToDyn: true),
      problems: problems.sorted { $0.range.lowerBound < $1.range.lowerBound },
      parts: parts.map {
        CheckedExpression.Part(
          range: $0.range, type: types.resolve($0.type, openToDyn: true))
      })
  }

  /// The type of an expression; `dyn` after a problem, so that one mistake is told once.
  mutating func check(_ expression: Expression) -> CELType {
    let position = parts.count
    parts.append((expression.range, .dyn))
    let type = type(of: expression)
    parts[position].type = type
    return type
  }

  /// The types of expressions in order.
  mutating func checkAll(_ expressions: [Expression]) -> [CELType] {
    var types: [CELType] = []
    for expression in expressions { types.append(check(expression)) }
    return types
  }

  private mutating func type(of expression: Expression) -> CELType {
    switch expression.kind {
    case .literal(let value): return Self.type(of: value)
    case .identifier(let name, let isRooted):
      return self.name(expression, name, isRooted: isRooted)
    case .select(let operand, let field, let isOptional):
      return select(expression, operand, field, isOptional: isOptional)
    case .index(let operand, let index, let isOptional):
      return self.index(expression, operand, index, isOptional: isOptional)
    case .call(let name, let receiver, let arguments, let isRooted):
      return call(expression, name, receiver, arguments, isRooted: isRooted)
    case .unary(let symbol, let operand): return unary(expression, symbol, operand)
    case .binary(let symbol, let left, let right): return binary(expression, symbol, left, right)
    case .and(let operands):
      for operand in operands { condition(operand, of: "&&") }
      return .bool
    case .or(let operands):
      for operand in operands { condition(operand, of: "||") }
      return .bool
    case .conditional(let condition, let then, let otherwise):
      return conditional(expression, condition, then, otherwise)
    case .list(let elements):
      let element = join(elements.map { ($0.value, $0.isOptional) })
      return .list(element)
    case .map(let entries): return map(entries)
    case .object(let name, let fields, let isRooted):
      return object(expression, name, fields, isRooted: isRooted)
    }
  }

  private static func type(of value: Value) -> CELType {
    switch value {
    case .null: .null
    case .bool: .bool
    case .int: .int
    case .uint: .uint
    case .double: .double
    case .string: .string
    case .bytes: .bytes
    default: .dyn
    }
  }

  // MARK: - Problems and scope

  /// Records a problem, and goes on with a type that fits everywhere.
  mutating func report(
    _ code: Problem.Code, _ message: String, at range: Range<Int>, help: String? = nil
  ) -> CELType {
    problems.append(Problem(code, message, at: range, help: help))
    return .dyn
  }

  /// The type of a macro's variable.
  func local(_ name: String) -> CELType? {
    scope.last { $0.name == name }?.type
  }

  /// The names of macros' variables and of declared ones, for "did you mean".
  var namesInReach: [String] {
    Set(scope.map(\.name)).union(environment.variables.keys).filter { !$0.hasPrefix("@") }.sorted()
  }

  /// Checks with variables in scope.
  mutating func withVariables<T>(
    _ variables: [(String, CELType)], _ body: (inout Checker) -> T
  ) -> T {
    scope += variables.map { (name: $0.0, type: $0.1) }
    defer { scope.removeLast(variables.count) }
    return body(&self)
  }

  /// The type as a message says it.
  func name(_ type: CELType) -> String {
    "\(types.resolve(type, openToDyn: true))"
  }
}
