/// An expression as it was written: an immutable tree, macros not expanded.
package struct Expression: Sendable {
  /// What stands at this node.
  package let kind: Kind
  private let bounds: (start: Int32, end: Int32, focusStart: Int32, focusEnd: Int32)
  /// How many levels the tree below has, itself included.
  let height: Int32

  /// The node's text, as UTF-8 offsets into the expression's own text.
  package var range: Range<Int> { Int(bounds.start)..<Int(bounds.end) }

  /// The part that a message points at: the operator, or the name of a field or function.
  package var focus: Range<Int> { Int(bounds.focusStart)..<Int(bounds.focusEnd) }

  /// Makes a node; the focus is all of it unless it says otherwise.
  package init(_ kind: Kind, range: Range<Int> = 0..<0, focus: Range<Int>? = nil) {
    self.kind = kind
    let focus = focus ?? range
    bounds = (
      Int32(clamping: range.lowerBound), Int32(clamping: range.upperBound),
      Int32(clamping: focus.lowerBound), Int32(clamping: focus.upperBound)
    )
    var below: Int32 = 0
    kind.forEachPart { below = max(below, $0.height) }
    height = below + 1
  }

  /// The forms of an expression.
  package indirect enum Kind: Sendable {
    /// A literal: null, a bool, a number, a string or bytes.
    case literal(Value)
    /// A name; a leading dot (`.name`) looks only in the outermost scope.
    case identifier(String, isRooted: Bool = false)
    /// `operand.field`, or `operand.?field`.
    case select(Expression, field: String, isOptional: Bool = false)
    /// `operand[index]`, or `operand[?index]`.
    case index(Expression, Expression, isOptional: Bool = false)
    /// `name(…)`, `receiver.name(…)`, or a macro of that form.
    case call(String, receiver: Expression? = nil, [Expression], isRooted: Bool = false)
    /// `!operand` or `-operand`.
    case unary(UnaryOperator, Expression)
    /// Two operands and what stands between them.
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
    case map([Entry])
    /// `Name{field: value, …}`.
    case object(String, [Field], isRooted: Bool = false)
  }

  /// An element of a list; an optional one is left out when it holds nothing.
  package struct Element: Sendable {
    /// The element.
    package let value: Expression
    /// Whether it was written with a question mark.
    package let isOptional: Bool
  }

  /// An entry of a map; an optional one is left out when its value holds nothing.
  package struct Entry: Sendable {
    /// The key.
    package let key: Expression
    /// The value.
    package let value: Expression
    /// Whether it was written with a question mark.
    package let isOptional: Bool
  }

  /// A field of an object under construction.
  package struct Field: Sendable {
    /// The field's name.
    package let name: String
    /// Where the name stands.
    package let nameRange: Range<Int>
    /// The value.
    package let value: Expression
    /// Whether it was written with a question mark.
    package let isOptional: Bool
  }
}

/// An operator before its operand.
package enum UnaryOperator: String, Sendable {
  case not = "!"
  case negate = "-"
}

/// An operator between two operands, `&&` and `||` aside.
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

  /// How tightly it binds: relations, sums, products.
  var precedence: Int {
    switch self {
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .in: 3
    case .add, .subtract: 4
    case .multiply, .divide, .remainder: 5
    }
  }
}

extension Expression {
  /// The qualified name that a chain of names and fields spells, such as `a.b.c`.
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

  /// The name that a chain of names and fields begins with, unless a dot stands before it.
  var firstName: String? {
    switch kind {
    case .identifier(let name, isRooted: false): name
    case .select(let operand, _, _): operand.firstName
    default: nil
    }
  }
}

extension Expression {
  /// The calls of a function of one argument anywhere in it, each with its argument.
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
  /// Visits the direct parts in the order of the text.
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
    case .list(let elements):
      for element in elements { visit(element.value) }
    case .map(let entries):
      for entry in entries {
        visit(entry.key)
        visit(entry.value)
      }
    case .object(_, let fields, _):
      for field in fields { visit(field.value) }
    }
  }
}
