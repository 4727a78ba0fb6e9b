extension Expression: CustomStringConvertible {
  /// The expression as text that parses to the same tree, with minimal parentheses.
  package var description: String {
    switch kind {
    case .literal(let value): return value.description
    case .identifier(let name, let isRooted): return isRooted ? ".\(name)" : name
    case .select(let operand, let field, let isOptional):
      return operand.text(7) + (isOptional ? ".?" : ".") + Self.fieldName(field)
    case .index(let operand, let index, let isOptional):
      return operand.text(7) + (isOptional ? "[?" : "[") + index.description + "]"
    case .call(let name, let receiver, let arguments, let isRooted):
      return (receiver.map { $0.text(7) + "." } ?? "") + (isRooted ? "." : "") + name + "("
        + Self.joined(arguments, ", ", 0) + ")"
    case .unary(.negate, let operand) where operand.beginsWithNumber:
      // `-5` would parse as a literal, so the negation of a literal keeps its parentheses.
      return "-(" + operand.description + ")"
    case .unary(let symbol, let operand): return symbol.rawValue + operand.text(6)
    case .binary(let symbol, let left, let right):
      let precedence = symbol.precedence
      return left.text(precedence) + " \(symbol.rawValue) " + right.text(precedence + 1)
    case .and(let operands): return Self.joined(operands, " && ", 3)
    case .or(let operands): return Self.joined(operands, " || ", 2)
    case .conditional(let condition, let then, let otherwise):
      return condition.text(1) + " ? " + then.text(1) + " : " + otherwise.description
    case .list(let elements): return "[" + Self.joined(elements) { $0.description } + "]"
    case .map(let entries): return "{" + Self.joined(entries) { $0.description } + "}"
    case .object(let name, let fields, let isRooted):
      // A field name is not a string there.
      return (isRooted ? "." : "") + name + "{" + Self.joined(fields) { _ in nil } + "}"
    }
  }

  /// Returns the text, in parentheses if its precedence is below the minimum.
  private func text(_ minimum: Int) -> String {
    precedence < minimum ? "(" + description + ")" : description
  }

  /// 0 conditional, 1 or, 2 and, 3–5 binary operators, 6 unary, 7 members.
  private var precedence: Int {
    switch kind {
    case .conditional: 0
    case .or: 1
    case .and: 2
    case .binary(let symbol, _, _): symbol.precedence
    case .unary: 6
    default: 7
    }
  }

  private static func joined(
    _ parts: [Expression], _ separator: String, _ minimum: Int
  ) -> String {
    parts.map { $0.text(minimum) }.joined(separator: separator)
  }

  private static func joined(_ elements: [Element], key: (Expression) -> String?) -> String {
    elements.map { element in
      let name = element.key.map { (key($0) ?? fieldName(element.name)) + ": " } ?? ""
      return (element.isOptional ? "?" : "") + name + element.value.description
    }.joined(separator: ", ")
  }

  private static func fieldName(_ name: String) -> String {
    let isPlain =
      name.utf8.first.map(Lexer.isNameStart) == true && name.utf8.allSatisfy(Lexer.isNamePart)
      && !isKeyword(name)
    return isPlain ? name : "`\(name)`"
  }

  /// Whether its text begins with a number, which a minus sign before it would make negative.
  private var beginsWithNumber: Bool {
    switch kind {
    case .literal(.int), .literal(.double), .literal(.uint): true
    case .select(let operand, _, _), .index(let operand, _, _), .call(_, let operand?, _, _):
      operand.beginsWithNumber
    default: false
    }
  }
}
