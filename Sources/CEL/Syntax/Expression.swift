/// A parsed expression: an immutable tree with macros not expanded.
package struct Expression: Sendable {
  /// The form of the node.
  package let kind: Kind
  /// The UTF-8 offsets of the node in the expression's text.
  package let range: Range<Int>
  /// The range that a message points at: the operator, or the name of a field or function.
  package let focus: Range<Int>
  /// The height of the tree; 1 for a leaf.
  let height: Int

  /// Creates a node; the focus defaults to the whole range.
  package init(_ kind: Kind, range: Range<Int> = 0..<0, focus: Range<Int>? = nil) {
    self.kind = kind
    self.range = range
    self.focus = focus ?? range
    var below = 0
    kind.forEachPart { below = max(below, $0.height) }
    height = below + 1
  }

  /// The forms of an expression.
  package indirect enum Kind: Sendable {
    /// A literal: null, a bool, a number, a string or bytes.
    case literal(Value)
    /// A name; a leading dot (`.name`) makes it resolve in the outermost scope only.
    case identifier(String, isRooted: Bool = false)
    /// `operand.field`, or `operand.?field`.
    case select(Expression, field: String, isOptional: Bool = false)
    /// `operand[index]`, or `operand[?index]`.
    case index(Expression, Expression, isOptional: Bool = false)
    /// `name(…)`, `receiver.name(…)`, or a macro of that form.
    case call(String, receiver: Expression? = nil, [Expression], isRooted: Bool = false)
    /// `!operand` or `-operand`.
    case unary(UnaryOperator, Expression)
    /// A binary operator and its operands.
    case binary(BinaryOperator, Expression, Expression)
    /// `a && b && …`, two or more.
    case and([Expression])
    /// `a || b || …`, two or more.
    case or([Expression])
    /// `condition ? then : otherwise`.
    case conditional(Expression, then: Expression, otherwise: Expression)
    /// `[a, ?b, …]`.
    case list([Element])
    /// `{key: value, ?key: value, …}`.
    case map([Element])
    /// `Name{field: value, …}`.
    case object(String, [Element], isRooted: Bool = false)
  }

  /// An element of a list literal, an entry of a map literal or a field of an object construction.
  package struct Element: Sendable {
    /// The key of an entry, or the name of a field as a string; nil in a list.
    package let key: Expression?
    /// The element, or the value of the entry.
    package let value: Expression
    /// Whether it was written with a question mark; it is then omitted if its value is empty.
    package let isOptional: Bool

    /// The name of a field.
    var name: String {
      if case .literal(.string(let name))? = key?.kind { name } else { "" }
    }
  }
}

/// A prefix operator.
package enum UnaryOperator: String, Sendable {
  case not = "!"
  case negate = "-"
}

/// A binary operator, except `&&` and `||`.
package enum BinaryOperator: String, Sendable, CaseIterable {
  case equal = "=="
  case notEqual = "!="
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="
  case `in` = "in"
  case add = "+"
  case subtract = "-"
  case multiply = "*"
  case divide = "/"
  case remainder = "%"

  /// The precedence: relations, sums, products.
  var precedence: Int {
    switch self {
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .in: 3
    case .add, .subtract: 4
    case .multiply, .divide, .remainder: 5
    }
  }
}

extension Expression {
  /// The qualified name that a chain of names and fields forms, such as `a.b.c`.
  package var qualifiedName: String? {
    switch kind {
    case .identifier(let name, _): name
    case .select(let operand, let field, isOptional: false):
      operand.qualifiedName.map { "\($0).\(field)" }
    default: nil
    }
  }

  /// Whether a chain of names begins with a dot.
  var isRootedName: Bool {
    switch kind {
    case .identifier(_, let isRooted): isRooted
    case .select(let operand, _, isOptional: false): operand.isRootedName
    default: false
    }
  }

  /// The first name of a chain of names and fields, unless a dot precedes it.
  var firstName: String? {
    switch kind {
    case .identifier(let name, isRooted: false): name
    case .select(let operand, _, _): operand.firstName
    default: nil
    }
  }
}

extension Expression {
  /// Returns the tree with the part that a message points at replaced; nil if no part is there.
  package func replacing(_ place: Range<Int>, with part: Expression) -> Expression? {
    if range == place || focus == place { return part }
    var isReplaced = false
    let changed = kind.mappingParts { child in
      guard !isReplaced, let new = child.replacing(place, with: part) else { return child }
      isReplaced = true
      return new
    }
    return isReplaced ? Expression(changed, range: range, focus: focus) : nil
  }

  /// Returns all calls of a one-argument function in the tree, with their arguments.
  package func calls(of function: String) -> [(range: Range<Int>, argument: Expression?)] {
    var found: [(range: Range<Int>, argument: Expression?)] = []
    if case .call(function, nil, let arguments, _) = kind {
      found.append((range, arguments.count == 1 ? arguments[0] : nil))
    }
    kind.forEachPart { found += $0.calls(of: function) }
    return found
  }
}

extension Expression.Kind {
  /// Visits the direct children in source order.
  package func forEachPart(_ visit: (Expression) -> Void) {
    switch self {
    case .literal, .identifier: break
    case .select(let operand, _, _), .unary(_, let operand): visit(operand)
    case .index(let a, let b, _), .binary(_, let a, let b):
      visit(a)
      visit(b)
    case .call(_, let receiver, let arguments, _):
      receiver.map(visit)
      for argument in arguments { visit(argument) }
    case .and(let operands), .or(let operands):
      for operand in operands { visit(operand) }
    case .conditional(let a, let b, let c):
      visit(a)
      visit(b)
      visit(c)
    case .list(let elements), .map(let elements), .object(_, let elements, _):
      for element in elements {
        element.key.map(visit)
        visit(element.value)
      }
    }
  }

  /// Returns the form with its direct children mapped in source order; field names are kept.
  func mappingParts(_ change: (Expression) -> Expression) -> Expression.Kind {
    /// Returns the elements with their children mapped.
    func changed(_ elements: [Expression.Element]) -> [Expression.Element] {
      elements.map {
        .init(key: $0.key.map(change), value: change($0.value), isOptional: $0.isOptional)
      }
    }
    switch self {
    case .literal, .identifier: return self
    case .select(let operand, let field, let isOptional):
      return .select(change(operand), field: field, isOptional: isOptional)
    case .index(let operand, let index, let isOptional):
      return .index(change(operand), change(index), isOptional: isOptional)
    case .call(let name, let receiver, let arguments, let isRooted):
      return .call(
        name, receiver: receiver.map(change), arguments.map(change), isRooted: isRooted)
    case .unary(let symbol, let operand): return .unary(symbol, change(operand))
    case .binary(let symbol, let a, let b): return .binary(symbol, change(a), change(b))
    case .and(let operands): return .and(operands.map(change))
    case .or(let operands): return .or(operands.map(change))
    case .conditional(let a, let b, let c):
      return .conditional(change(a), then: change(b), otherwise: change(c))
    case .list(let elements): return .list(changed(elements))
    case .map(let entries): return .map(changed(entries))
    case .object(let name, let fields, let isRooted):
      return .object(name, changed(fields), isRooted: isRooted)
    }
  }
}

extension Expression {
  /// Maximum height of an expression that was built or rewritten rather than parsed.
  private static let greatestHeight = 600

  /// The problem of a tree too high for recursion on any thread's stack.
  var excessiveHeight: Problem? {
    height <= Self.greatestHeight
      ? nil
      : Problem(
        .tooLarge, "the expression nests deeper than \(Self.greatestHeight) levels", at: range)
  }
}
