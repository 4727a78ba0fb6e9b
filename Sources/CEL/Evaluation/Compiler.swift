extension Environment {
  /// Compiles an expression into a program: names become slots, macros loops, and constants are folded.
  ///
  /// An unknown name or function fails at evaluation, as CEL specifies; `check` reports it in advance.
  ///
  /// `overloads` are those chosen by a check, which are tried first.
  ///
  /// - Throws: `ExpressionError` for a malformed macro call.
  package func compile(
    _ expression: Expression, overloads: [Range<Int>: Int] = [:]
  ) throws(ExpressionError) -> Program {
    if let problem = expression.excessiveHeight { throw ExpressionError([problem]) }
    var compiler = Compiler(environment: self, overloads: overloads)
    let root = try compiler.compile(expression)
    compiler.evaluate(root)
    return Program(
      expression: expression, variables: compiler.variables, failures: compiler.failures,
      root: root, localCount: compiler.localCount)
  }
}

/// Compiles expressions to nodes.
struct Compiler {
  /// The declared names, functions and types.
  let environment: Environment
  /// The overloads chosen by types, by the ranges of their calls.
  var overloads: [Range<Int>: Int] = [:]
  /// The host variables found so far.
  var variables: [String] = []
  /// The number of slots used by macro variables.
  var localCount = 0
  /// The macro variables in scope, innermost last.
  var scope: [(name: String, slot: Int)] = []
  /// The parts of the enclosing blocks so far, innermost last.
  var blocks: [[Node]] = []
  /// Errors found by constant folding; they occur for all values of the variables.
  private(set) var failures: [EvaluationError] = []
  /// Whether all calls so far are of pure functions.
  var isPure = true

  /// Compiles an expression to a node.
  mutating func compile(_ expression: Expression) throws(ExpressionError) -> Node {
    switch expression.kind {
    case .literal(let value): return Node(value)
    case .identifier(let name, let isRooted):
      return self.name(expression, name, isRooted: isRooted)
    case .select(let operand, let field, let isOptional):
      return try select(expression, operand, field, isOptional: isOptional)
    case .index(let operand, let index, let isOptional):
      return try self.index(expression, operand, index, isOptional: isOptional)
    case .call(let name, let receiver, let arguments, let isRooted):
      return try call(expression, name, receiver, arguments: arguments, isRooted: isRooted)
    case .unary(let symbol, let operand):
      let part = try compile(operand)
      return fold([part]) { frame throws(EvaluationError) in
        try symbol.apply(to: part.evaluate(&frame), at: expression)
      }
    case .binary(let symbol, let left, let right):
      return try binary(expression, symbol, left, right: right)
    case .and(let operands): return try logic(operands, decisive: false)
    case .or(let operands): return try logic(operands, decisive: true)
    case .conditional(let condition, let then, let otherwise):
      return try conditional(condition, then, otherwise)
    case .list(let elements): return try list(expression, elements)
    case .map(let entries): return try map(expression, entries)
    case .object(let name, let fields, let isRooted):
      return try object(expression, name, fields, isRooted: isRooted)
    }
  }

  /// Compiles expressions in order.
  mutating func compileAll(_ expressions: [Expression]) throws(ExpressionError) -> [Node] {
    try expressions.map { part throws(ExpressionError) in try compile(part) }
  }

  /// Returns the node over some parts, or its constant value if all parts are constant.
  mutating func fold(_ parts: [Node], cost: Int = 1, _ body: @escaping Node.Body) -> Node {
    let node = Node(over: parts, cost: cost, body)
    for part in parts where part.constant == nil { return node }
    return value(of: node).map(Node.init) ?? node
  }

  /// Evaluates an expression without variables, such as a loop over constants, to find errors in advance.
  mutating func evaluate(_ root: Node) {
    guard isPure, variables.isEmpty, failures.isEmpty, root.constant == nil else { return }
    _ = value(of: root)
  }

  /// Returns the value of a node without variables; nil if it fails. The error then occurs at evaluation, where `||`
  /// may absorb it.
  private mutating func value(of node: Node) -> Value? {
    var limits = EvaluationLimits()
    limits.steps = 10_000
    var frame = Frame(variables: [], localCount: localCount, limits: limits)
    do throws(EvaluationError) {
      return try node.evaluate(&frame)
    } catch {
      // Exceeding the small limits here is not an error.
      if !error.isFinal { failures.append(error) }
      return nil
    }
  }
}
