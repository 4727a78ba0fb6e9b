/// Infers the types of an expression by unification, like the checker of the language definition; `dyn` is compatible
/// with every type.
struct Checker {
  /// The declared names, functions and types.
  let environment: Environment
  /// Whether null operands are allowed.
  let absorbsNull: Bool
  /// Whether an operation that fails for all values is an error.
  let refusesFailures: Bool
  /// The types inferred for type parameters.
  var types = Substitution()
  /// The expressions known to be non-null here, as written.
  var known: Set<String>
  /// The fields seen that count as set although they may be null, as written.
  var presumed: Set<String> = []
  /// The facts implied by the last checked expression being true or false.
  var outcome = Outcome()
  /// The problems so far; `part` is the expression that may be null, for problems about null.
  private(set) var problems: [(problem: Problem, part: String?)] = []
  private var parts: [CheckedExpression.Part] = []
  /// The overloads chosen by types, unless they are the first ones.
  var overloads: [Range<Int>: Int] = [:]
  private var scope: [(name: String, type: CELType)] = []
  /// The types of the parts of the enclosing blocks so far, innermost last.
  var blocks: [[CELType]] = []

  /// Starts a check.
  init(_ environment: Environment, _ options: CheckOptions = CheckOptions()) {
    self.environment = environment
    absorbsNull = options.absorbsNull
    refusesFailures = options.refusesFailures
    known = options.known
  }

  /// Ends the check; types still open become `dyn`.
  func finish(_ type: CELType) -> CheckedExpression {
    // A warning may be a consequence of an error.
    let all = problems.map(\.problem)
    let errors = all.filter { $0.severity == .error }
    return CheckedExpression(
      type: types.resolve(type, openToDyn: true),
      problems: (errors.isEmpty ? all : errors).sorted {
        $0.range.lowerBound < $1.range.lowerBound
      },
      whenTrue: outcome.whenTrue ?? [], whenFalse: outcome.whenFalse ?? [],
      elements: outcome.elements, constant: outcome.constant, overloads: overloads,
      parts: parts.map { .init(range: $0.range, type: types.resolve($0.type, openToDyn: true)) })
  }

  /// Infers the type of an expression; `dyn` after an error, so that an error is reported once.
  mutating func check(_ expression: Expression) -> CELType {
    let position = parts.count
    parts.append(.init(range: expression.range, type: .dyn))
    outcome = Outcome()
    var type = type(of: expression)
    if !expression.mayTellOfOthers {
      outcome = Outcome()
      if !known.isEmpty, expression.isPath {
        let name = expression.description + "@"
        outcome.elements = Set(known.compactMap { $0.replacingRoot(name, with: "@") })
      }
    }
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
      return call(expression, name, receiver, arguments: arguments, isRooted: isRooted)
    case .unary(let symbol, let operand): return unary(expression, symbol, operand)
    case .binary(let symbol, let left, let right):
      return binary(expression, symbol, left, right: right)
    case .and(let operands): return logic(operands, isAnd: true)
    case .or(let operands): return logic(operands, isAnd: false)
    case .conditional(let condition, let then, let otherwise):
      return conditional(expression, condition, then, otherwise: otherwise)
    case .list(let elements): return .list(join(elements))
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

  /// Returns the type of a part that was checked; `dyn` for another one.
  func checkedType(of part: Expression) -> CELType {
    guard var index = parts.lastIndex(where: { $0.range == part.range }) else { return .dyn }
    // Where `title` stands for `self.title`, both have one range, and the whole comes first.
    while index > 0, parts[index - 1].range == part.range { index -= 1 }
    return types.resolve(parts[index].type)
  }

  // MARK: - Problems and scope

  /// Records an error and returns `dyn`.
  @discardableResult
  mutating func report(
    _ code: Problem.Code, _ message: String, at range: Range<Int>, help: String? = nil,
    mending mended: Range<Int>? = nil
  ) -> CELType {
    report(Problem(code, message, at: range, help: help, mending: mended))
    return .dyn
  }

  /// Returns whether a type is assignable to another; if not, reports it with a message that begins with `wish`.
  @discardableResult
  mutating func expect(
    _ given: CELType, _ wanted: CELType, _ wish: String, code: Problem.Code = .wrongType,
    at part: Expression, help: String? = nil
  ) -> Bool {
    if types.assign(given, to: wanted) { return true }
    report(Problem(code, "\(wish), not \(name(given))", at: part.range, help: help))
    return false
  }

  /// Replaces the problems from a position on with one.
  mutating func replaceProblems(from start: Int, with problem: Problem) {
    problems.replaceSubrange(start..., with: [(problem, nil)])
  }

  /// Records a problem found elsewhere.
  mutating func report(_ problem: Problem) { problems.append((problem, nil)) }

  /// Records a warning.
  mutating func warn(
    _ code: Problem.Code, _ message: String, at range: Range<Int>, help: String? = nil
  ) {
    report(Problem(code, message, at: range, help: help, severity: .warning))
  }

  /// Records that a part of the expression may be null, unless null operands are allowed.
  mutating func reportNull(_ part: Expression, _ message: String, help: String) {
    if absorbsNull { return }
    let text = part.description
    // One test fixes all uses; a macro's variable may have another value each time.
    if !beginsWithLocal(part), problems.contains(where: { $0.part == text }) { return }
    problems.append((Problem(.maybeNull, message, at: part.range, help: help), text))
  }

  /// Removes the reports that `parts` may be null from a range of the problems.
  mutating func forgive(_ parts: Set<String>, in range: Range<Int>) {
    for position in range.reversed() where problems[position].part.map(parts.contains) == true {
      problems.remove(at: position)
    }
  }

  /// Returns the type of a macro's variable.
  func local(_ name: String) -> CELType? { scope.last { $0.name == name }?.type }

  /// The names of macro variables and declared variables, for “did you mean”.
  var namesInReach: [String] {
    Set(scope.map(\.name)).union(environment.variables.keys).filter { !$0.hasPrefix("@") }.sorted()
  }

  /// Runs `body` with variables in scope; `facts` are the non-null expressions about them.
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

  /// Records the facts about each element of a list for one of them.
  ///
  /// A null element is not excluded where the list may be empty.
  mutating func know(_ origin: Expression, asElementOf facts: Set<String>, mayBeAbsent: Bool) {
    if facts.isEmpty { return }
    let name = origin.description
    known.formUnion(facts.compactMap { mayBeAbsent && $0 == "@" ? nil : name + $0.dropFirst() })
  }

  /// Runs `body` with additional non-null expressions.
  mutating func knowing<T>(_ facts: Set<String>?, _ body: (inout Checker) -> T) -> T {
    guard let facts, !facts.isEmpty else { return body(&self) }
    let outer = known
    known.formUnion(facts)
    defer { known = outer }
    return body(&self)
  }

  /// Returns the type's name in messages.
  func name(_ type: CELType) -> String { "\(types.resolve(type, openToDyn: true))" }
}

extension Expression {
  /// Whether it is a name, or a part of another expression.
  var isPath: Bool {
    switch kind {
    case .identifier, .select, .index: true
    default: false
    }
  }

  /// Whether its value can imply null facts: a condition, or a filtered list.
  fileprivate var mayTellOfOthers: Bool {
    switch kind {
    case .literal, .binary, .and, .or, .conditional, .call, .unary(.not, _): true
    default: false
    }
  }
}
