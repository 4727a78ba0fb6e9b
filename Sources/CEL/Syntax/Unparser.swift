extension Expression: CustomStringConvertible {
  /// The expression as text that parses to the same tree.
  package var description: String {
    var printer = Unparser()
    printer.write(self, minimum: 0)
    return printer.text
  }
}

/// Writes an expression as text, with no more parentheses than it needs.
struct Unparser {
  private(set) var text = ""

  /// Writes a node, in parentheses when it binds less tightly than its place wants.
  mutating func write(_ expression: Expression, minimum: Int) {
    let needsParentheses = Self.precedence(expression) < minimum
    if needsParentheses { text += "(" }
    writeKind(expression.kind)
    if needsParentheses { text += ")" }
  }

  /// 0 conditional, 1 or, 2 and, 3–5 as operators, 6 unary, 7 members.
  private static func precedence(_ expression: Expression) -> Int {
    switch expression.kind {
    case .conditional: 0
    case .or: 1
    case .and: 2
    case .binary(let symbol, _, _): symbol.precedence
    case .unary: 6
    default: 7
    }
  }

  private mutating func writeKind(_ kind: Expression.Kind) {
    switch kind {
    case .literal(let value): text += value.description
    case .identifier(let name, let isRooted): text += isRooted ? ".\(name)" : name
    case .select(let operand, let field, let isOptional):
      write(operand, minimum: 7)
      text += isOptional ? ".?" : "."
      text += Self.fieldName(field)
    case .index(let operand, let index, let isOptional):
      write(operand, minimum: 7)
      text += isOptional ? "[?" : "["
      write(index, minimum: 0)
      text += "]"
    case .call(let name, let receiver, let arguments, let isRooted):
      if let receiver {
        write(receiver, minimum: 7)
        text += "."
      }
      text += isRooted ? ".\(name)(" : "\(name)("
      writeAll(arguments) { $0.write($1, minimum: 0) }
      text += ")"
    case .unary(let symbol, let operand): writeUnary(symbol, operand)
    case .binary(let symbol, let left, let right):
      write(left, minimum: symbol.precedence)
      text += " \(symbol.rawValue) "
      write(right, minimum: symbol.precedence + 1)
    case .and(let operands): writeLogic(operands, " && ", minimum: 3)
    case .or(let operands): writeLogic(operands, " || ", minimum: 2)
    case .conditional(let condition, let then, let otherwise):
      write(condition, minimum: 1)
      text += " ? "
      write(then, minimum: 1)
      text += " : "
      write(otherwise, minimum: 0)
    case .list(let elements):
      text += "["
      writeAll(elements) { printer, element in
        printer.text += element.isOptional ? "?" : ""
        printer.write(element.value, minimum: 0)
      }
      text += "]"
    case .map(let entries):
      text += "{"
      writeAll(entries) { printer, entry in
        printer.text += entry.isOptional ? "?" : ""
        printer.write(entry.key, minimum: 0)
        printer.text += ": "
        printer.write(entry.value, minimum: 0)
      }
      text += "}"
    case .object(let name, let fields, let isRooted):
      text += isRooted ? ".\(name){" : "\(name){"
      writeAll(fields) { printer, field in
        printer.text += (field.isOptional ? "?" : "") + Self.fieldName(field.name) + ": "
        printer.write(field.value, minimum: 0)
      }
      text += "}"
    }
  }

  private mutating func writeUnary(_ symbol: UnaryOperator, _ operand: Expression) {
    text += symbol.rawValue
    // `-5` would read as a literal, so the negation of a literal keeps its parentheses.
    if symbol == .negate, operand.beginsWithNumber {
      text += "("
      write(operand, minimum: 0)
      text += ")"
    } else {
      write(operand, minimum: 6)
    }
  }

  private mutating func writeLogic(_ operands: [Expression], _ symbol: String, minimum: Int) {
    for (index, operand) in operands.enumerated() {
      if index > 0 { text += symbol }
      write(operand, minimum: minimum)
    }
  }

  private mutating func writeAll<Part>(
    _ parts: [Part], _ write: (inout Unparser, Part) -> Void
  ) {
    for (index, part) in parts.enumerated() {
      if index > 0 { text += ", " }
      write(&self, part)
    }
  }

  private static func fieldName(_ name: String) -> String {
    let bytes = Array(name.utf8)
    let isPlain =
      bytes.first.map(Lexer.isNameStart) == true && bytes.allSatisfy(Lexer.isNamePart)
      && !["true", "false", "null", "in"].contains(name)
    return isPlain ? name : "`\(name)`"
  }
}

extension Expression {
  /// Whether its text begins with a number that a minus sign before it would make negative.
  fileprivate var beginsWithNumber: Bool {
    switch kind {
    case .literal(.int), .literal(.double), .literal(.uint): true
    case .select(let operand, _, _), .index(let operand, _, _), .call(_, let operand?, _, _):
      operand.beginsWithNumber
    default: false
    }
  }
}
