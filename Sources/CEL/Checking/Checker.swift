/// Infers the types of an expression, after the checker of the language definition: open types are
/// unified, `dyn` fits everywhere.
struct Checker {
  /// What may be named.
  let environment: Environment
  /// Whether null is no mistake.
  let absorbsNull: Bool
  /// Whether what can only fail at evaluation is a mistake.
  let refusesFailures: Bool
  /// What was found for open types.
  var types = Substitution()
  /// What is not null here, as it is written.
  var known: Set<String>
  /// The fields met that count as set although they may be null, as they are written.
  var presumed: Set<String> = []
  /// What the expression that was checked last tells of others.
  var outcome = Outcome()
  /// What was found wrong so far.
  private(set) var problems: [Problem] = []
  /// What may be null, by the positions of the problems that say so.
  private var nulls: [Int: String] = [:]
  private var parts: [(range: Range<Int>, type: CELType)] = []
  private var scope: [(name: String, type: CELType)] = []
  /// The types of the parts so far of the surrounding blocks, the innermost last.
  var blocks: [[CELType]] = []

  /// Begins a check.
  init(_ environment: Environment, _ options: CheckOptions = CheckOptions()) {
    self.environment = environment
    absorbsNull = options.absorbsNull
    refusesFailures = options.refusesFailures
    known = options.known
  }

  /// Closes the check: what is still open is `dyn`.
  func finish(_ type: CELType) -> CheckedExpression {
    // What is doubtful may be so because of what is wrong.
    let errors = problems.filter { $0.severity == .error }
    return CheckedExpression(
      type: types.resolve(type, openToDyn: true),
      problems: (errors.isEmpty ? problems : errors).sorted {
        $0.range.lowerBound < $1.range.lowerBound
      },
      whenTrue: outcome.whenTrue ?? [], whenFalse: outcome.whenFalse ?? [],
      elements: outcome.elements, constant: outcome.constant,
      parts: parts.map {
        CheckedExpression.Part(
          range: $0.range, type: types.resolve($0.type, openToDyn: true))
      })
  }

  /// The type of an expression; `dyn` after a problem, so that one mistake is told once.
  mutating func check(_ expression: Expression) -> CELType {
    let position = parts.count
    parts.append((expression.range, .dyn))
    outcome = Outcome()
    var type = type(of: expression)
    if !expression.mayTellOfOthers { outcome = Outcome() }
    if !known.isEmpty, case .nullable(let present) = types.resolve(type),
      known.contains(expression.description)
    {
      type = present.withoutNull
    }
    parts[position].type = type
    return type
  }

  private mutating func type(of expression: Expression) -> CELType {
    switch expression.kind {
    case .literal(let value):
      if case .bool(let bool) = value { outcome = .always(bool) }
      if case .string(let text) = value { template(text, in: expression) }
      return Self.type(of: value)
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
    case .and(let operands): return logic(operands, isAnd: true)
    case .or(let operands): return logic(operands, isAnd: false)
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

  /// Records a problem that was found elsewhere.
  mutating func report(_ problem: Problem) { problems.append(problem) }

  /// Records what is most likely not meant.
  mutating func warn(
    _ code: Problem.Code, _ message: String, at range: Range<Int>, help: String? = nil
  ) {
    problems.append(Problem(code, message, at: range, help: help, severity: .warning))
  }

  /// Records that a part of the expression may be null, unless null is no mistake.
  mutating func reportNull(_ part: Expression, _ message: String, help: String) {
    if absorbsNull { return }
    // One test mends all of its uses; a macro's variable may be another one each time.
    if !beginsWithLocal(part), nulls.values.contains(part.description) { return }
    nulls[problems.count] = part.description
    problems.append(Problem(.maybeNull, message, at: part.range, help: help))
  }

  /// Takes back that parts may be null, from a position of the problems on.
  mutating func forgive(_ parts: Set<String>, in range: Range<Int>) {
    if parts.isEmpty || nulls.isEmpty { return }
    for position in range.reversed() where nulls[position].map(parts.contains) == true {
      problems.remove(at: position)
      nulls[position] = nil
      nulls = Dictionary(
        uniqueKeysWithValues: nulls.map { ($0.key > position ? $0.key - 1 : $0.key, $0.value) })
    }
  }

  /// The type of a macro's variable.
  func local(_ name: String) -> CELType? {
    scope.last { $0.name == name }?.type
  }

  /// The names of macros' variables and of declared ones, for "did you mean".
  var namesInReach: [String] {
    Set(scope.map(\.name)).union(environment.variables.keys).filter { !$0.hasPrefix("@") }.sorted()
  }

  /// Checks with variables in scope, of which `facts` are not null.
  mutating func withVariables<T>(
    _ variables: [(String, CELType)], facts: Set<String> = [], _ body: (inout Checker) -> T
  ) -> T {
    let outer = known
    if !known.isEmpty {
      known = known.filter { part in !variables.contains { part.mentions($0.0) } }
    }
    known.formUnion(facts)
    scope += variables.map { (name: $0.0, type: $0.1) }
    defer {
      scope.removeLast(variables.count)
      known = outer
    }
    return body(&self)
  }

  /// Checks with more that is known not to be null.
  mutating func knowing<T>(_ facts: Set<String>?, _ body: (inout Checker) -> T) -> T {
    guard let facts, !facts.isEmpty else { return body(&self) }
    let outer = known
    known.formUnion(facts)
    defer { known = outer }
    return body(&self)
  }

  /// The type as a message says it.
  func name(_ type: CELType) -> String {
    "\(types.resolve(type, openToDyn: true))"
  }
}

extension Expression {
  /// Whether its value may tell what is null elsewhere: a condition, or a list that was filtered.
  fileprivate var mayTellOfOthers: Bool {
    switch kind {
    case .literal, .binary, .and, .or, .conditional, .call, .unary(.not, _): true
    default: false
    }
  }
}
