extension Environment {
  /// Makes a program of an expression: names become slots, macros loops, constants are folded.
  ///
  /// A name or function that is not known fails where it is evaluated, as CEL wants it; `check`
  /// reports it in advance.
  ///
  /// - Throws: `ExpressionError` for a macro that is not written as it must be.
  package func compile(_ expression: Expression) throws(ExpressionError) -> Program {
    if let problem = expression.excessiveHeight { throw ExpressionError([problem]) }
    var compiler = Compiler(self)
    let root = try compiler.compile(expression)
    compiler.evaluate(root)
    return Program(
      expression, root: root, variables: compiler.variables, localCount: compiler.localCount,
      failures: compiler.failures)
  }
}

/// Turns an expression into nodes.
struct Compiler {
  /// What may be named.
  let environment: Environment
  /// The host's variables found so far.
  var variables: [String] = []
  /// How many slots the macros' variables take.
  var localCount = 0
  /// The macros' variables in reach, the innermost last.
  var scope: [(name: String, slot: Int)] = []
  /// The parts so far of the surrounding blocks, the innermost last.
  var blocks: [[BlockPartNode]] = []
  /// How parts without variables fail, whatever the values of the others are.
  private(set) var failures: [EvaluationError] = []
  /// Whether all calls so far give the same for the same arguments.
  var isPure = true

  /// Begins a program.
  init(_ environment: Environment) {
    self.environment = environment
  }

  /// The node of an expression.
  mutating func compile(_ expression: Expression) throws(ExpressionError) -> any Node {
    switch expression.kind {
    case .literal(let value): return ConstantNode(value: value)
    case .identifier(let name, let isRooted):
      return self.name(expression, name, isRooted: isRooted)
    case .select(let operand, let field, let isOptional):
      return try select(expression, operand, field, isOptional: isOptional)
    case .index(let operand, let index, let isOptional):
      let parts = [try compile(operand), try compile(index)]
      return fold(
        IndexNode(
          operand: parts[0], index: parts[1], isOptional: isOptional, origin: expression), parts)
    case .call(let name, let receiver, let arguments, let isRooted):
      return try call(expression, name, receiver, arguments, isRooted: isRooted)
    case .unary(let symbol, let operand):
      let part = try compile(operand)
      switch symbol {
      case .not: return fold(NotNode(operand: part, origin: expression), [part])
      case .negate: return fold(NegationNode(operand: part, origin: expression), [part])
      }
    case .binary(let symbol, let left, let right):
      return try binary(expression, symbol, left, right)
    case .and(let operands):
      let parts = try compileAll(operands)
      return fold(LogicNode(operands: parts, origins: operands, decisive: false), parts)
    case .or(let operands):
      let parts = try compileAll(operands)
      return fold(LogicNode(operands: parts, origins: operands, decisive: true), parts)
    case .conditional(let condition, let then, let otherwise):
      let part = try compile(condition)
      let branches = [try compile(then), try compile(otherwise)]
      if case .bool(let holds)? = part.constant { return branches[holds ? 0 : 1] }
      return ConditionalNode(
        condition: part, then: branches[0], otherwise: branches[1], conditionOrigin: condition)
    case .list(let elements): return try list(expression, elements)
    case .map(let entries): return try map(expression, entries)
    case .object(let name, let fields, let isRooted):
      return try object(expression, name, fields, isRooted: isRooted)
    }
  }

  /// Evaluates a whole that needs no variable, such as a loop over constants, to see whether it fails.
  mutating func evaluate(_ root: any Node) {
    guard isPure, variables.isEmpty, failures.isEmpty, root.constant == nil else { return }
    var limits = EvaluationLimits()
    limits.steps = 10_000
    var frame = Frame(variables: [], localCount: localCount, limits: limits)
    do throws(EvaluationError) { _ = try root.evaluate(&frame) } catch { note(error) }
  }

  /// Notes how a part always fails; one that only takes too long may not.
  mutating func note(_ failure: EvaluationError) {
    if !failure.isFinal { failures.append(failure) }
  }

  /// The nodes of expressions in order.
  mutating func compileAll(_ expressions: [Expression]) throws(ExpressionError) -> [any Node] {
    var nodes: [any Node] = []
    nodes.reserveCapacity(expressions.count)
    for expression in expressions { nodes.append(try compile(expression)) }
    return nodes
  }
}
