extension Expression {
  /// Parses the text of an expression.
  ///
  /// - Throws: `ExpressionError` with the problems found.
  package static func parse(_ text: String) throws(ExpressionError) -> Expression {
    guard text.utf8.count <= Parser.maximumLength else {
      throw ExpressionError([
        Problem(
          .tooLarge, "the expression is longer than \(Parser.maximumLength) bytes", at: 0..<0)
      ])
    }
    var parser = try Parser(Array(text.utf8))
    return try parser.parseAll()
  }

  /// Returns whether a name cannot be a variable: a literal or a reserved word (CEL specification, “Syntax”).
  package static func isReserved(_ name: String) -> Bool { isKeyword(name) || isReservedWord(name) }

  /// Returns whether a name is a literal or an operator.
  static func isKeyword(_ name: String) -> Bool {
    switch name {
    case "true", "false", "null", "in": true
    default: false
    }
  }

  /// Returns whether a name is a reserved word.
  static func isReservedWord(_ name: String) -> Bool {
    switch name {
    case "as", "break", "const", "continue", "else", "for", "function", "if", "import", "let",
      "loop", "package", "namespace", "return", "var", "void", "while":
      true
    default: false
    }
  }
}

/// Parses an expression by precedence climbing.
struct Parser {
  /// Maximum length of an expression in bytes.
  static let maximumLength = 100_000
  /// Maximum nesting depth of brackets, calls and operators.
  static let maximumDepth = 250

  private var lexer: Lexer
  /// The text as UTF-8.
  let text: [UInt8]
  /// Whether problems suggest a likely fix.
  let advises: Bool
  /// The lookahead token.
  private(set) var current: Token
  private var previousEnd = 0
  private var depth = 0
  /// The problems in literals, after which parsing continues.
  private var problems: [Problem] = []

  /// Starts at the beginning of a text.
  init(_ text: [UInt8], advises: Bool = true) throws(ExpressionError) {
    self.text = text
    self.advises = advises
    lexer = Lexer(text, advises: advises)
    current = try lexer.next()
  }

  /// Returns whether a text is a valid expression.
  static func parses(_ text: String) -> Bool {
    var parser = try? Parser(Array(text.utf8), advises: false)
    return (try? parser?.parseAll()) != nil
  }

  /// Parses the whole text as one expression.
  mutating func parseAll() throws(ExpressionError) -> Expression {
    if current.kind == .end {
      throw .syntax(
        "an expression is missing", 0..<text.count, help: "write one, such as `it != null`")
    }
    do throws(ExpressionError) {
      let expression = try parseExpression()
      if current.kind != .end { throw unexpected("an operator or the end") }
      if problems.isEmpty { return expression }
    } catch {
      problems += error.problems
    }
    throw ExpressionError(problems)
  }

  // MARK: - Operators

  private mutating func parseExpression() throws(ExpressionError) -> Expression {
    try enter()
    defer { depth -= 1 }
    let start = current.range.lowerBound
    let condition = try parseBinary(minimum: 1)
    guard case .symbol(.question) = current.kind else { return condition }
    let focus = current.range
    try advance()
    let then = try parseBinary(minimum: 1)
    try expect(.colon, "`:` and the value for when the condition is false")
    let otherwise = try parseExpression()
    return try make(
      .conditional(condition, then: then, otherwise: otherwise), from: start, focus: focus)
  }

  /// Parses operands and operators of at least a minimum precedence; a run of `||` or `&&` is one node.
  private mutating func parseBinary(minimum: Int) throws(ExpressionError) -> Expression {
    let start = current.range.lowerBound
    var left = try parseUnary()
    while let (precedence, kind) = current.infix, precedence >= minimum {
      let focus = current.range
      let symbol = current.kind
      var operands = [left]
      repeat {
        try advance()
        operands.append(try parseBinary(minimum: precedence + 1))
      } while precedence < 3 && current.kind == symbol
      left = try make(kind(operands), from: start, focus: focus)
    }
    return left
  }

  private mutating func parseUnary() throws(ExpressionError) -> Expression {
    let start = current.range.lowerBound
    let symbol: UnaryOperator
    switch current.kind {
    case .symbol(.not): symbol = .not
    case .symbol(.minus): symbol = .negate
    default: return try parseMember()
    }
    try enter()
    defer { depth -= 1 }
    let focus = current.range
    try advance()
    if symbol == .negate, [.int, .double].contains(current.kind) {
      let literal = try parseLiteral(isNegative: true, from: start)
      return try parseSuffixes(of: literal, from: start)
    }
    return try make(.unary(symbol, parseUnary()), from: start, focus: focus)
  }

  // MARK: - Members

  private mutating func parseMember() throws(ExpressionError) -> Expression {
    let start = current.range.lowerBound
    return try parseSuffixes(of: try parsePrimary(), from: start)
  }

  private mutating func parseSuffixes(
    of operand: Expression, from start: Int
  ) throws(ExpressionError) -> Expression {
    var operand = operand
    while true {
      switch current.kind {
      case .symbol(.dot):
        try advance()
        operand = try parseSelection(of: operand, from: start)
      case .symbol(.openBracket):
        try advance()
        let isOptional = try take(.question)
        let index = try parseExpression()
        try expect(.closeBracket, "`]`")
        operand = try make(.index(operand, index, isOptional: isOptional), from: start)
      case .symbol(.openBrace):
        guard let name = operand.qualifiedName else { return operand }
        let fields = try parseElements(.closeBrace, "`,` or `}`") {
          parser throws(ExpressionError) in
          let range = parser.current.range
          let name = try parser.parseFieldName("the name of a field")
          try parser.expect(.colon, "`:` and a value after the field")
          return Expression(.literal(.string(name)), range: range)
        }
        operand = try make(
          .object(name, fields, isRooted: operand.isRootedName), from: start, focus: operand.range)
      default: return operand
      }
    }
  }

  private mutating func parseSelection(
    of operand: Expression, from start: Int
  ) throws(ExpressionError) -> Expression {
    let isOptional = try take(.question)
    let focus = current.range
    var mayBeCall = false
    if case .identifier = current.kind { mayBeCall = !isOptional }
    let name = try parseFieldName("the name of a field or function after `.`")
    if mayBeCall, case .symbol(.openParenthesis) = current.kind {
      let arguments = try parseArguments()
      return try make(.call(name, receiver: operand, arguments), from: start, focus: focus)
    }
    return try make(
      .select(operand, field: name, isOptional: isOptional), from: start, focus: focus)
  }

  /// Consumes a field name, possibly in backticks.
  private mutating func parseFieldName(_ wanted: String) throws(ExpressionError) -> String {
    let range = current.range
    let isQuoted: Bool
    switch current.kind {
    case .identifier: isQuoted = false
    case .quotedIdentifier: isQuoted = true
    default: throw unexpected(wanted)
    }
    try advance()
    return spelling(isQuoted ? range.lowerBound + 1..<range.upperBound - 1 : range)
  }

  private mutating func parseArguments() throws(ExpressionError) -> [Expression] {
    try advance()
    var arguments: [Expression] = []
    if try take(.closeParenthesis) { return arguments }
    repeat { arguments.append(try parseExpression()) } while try take(.comma)
    try expect(.closeParenthesis, "`,` or `)`")
    return arguments
  }

  // MARK: - Primaries

  private mutating func parsePrimary() throws(ExpressionError) -> Expression {
    let range = current.range
    switch current.kind {
    case .int, .uint, .double, .string, .bytes:
      return try parseLiteral(isNegative: false, from: range.lowerBound)
    case .keyword where spelling(range) != "in":
      return try parseLiteral(isNegative: false, from: range.lowerBound)
    case .identifier: return try parseName(isRooted: false, from: range.lowerBound)
    case .symbol(.dot):
      try advance()
      guard current.kind == .identifier else { throw unexpected("a name after `.`") }
      return try parseName(isRooted: true, from: range.lowerBound)
    case .symbol(.openParenthesis):
      try advance()
      let inner = try parseExpression()
      try expect(.closeParenthesis, "`)`")
      return inner
    case .symbol(.openBracket):
      let elements = try parseElements(.closeBracket, "`,` or `]`")
      return try make(.list(elements), from: range.lowerBound)
    case .symbol(.openBrace):
      let entries = try parseElements(.closeBrace, "`,` or `}`") { parser throws(ExpressionError) in
        let key = try parser.parseExpression()
        try parser.expect(.colon, "`:` and a value after the key")
        return key
      }
      return try make(.map(entries), from: range.lowerBound)
    default: throw unexpected("a value")
    }
  }

  /// Consumes a literal; records the problem of an invalid one and returns null instead.
  private mutating func parseLiteral(
    isNegative: Bool, from start: Int
  ) throws(ExpressionError) -> Expression {
    let token = current
    try advance()
    var value = Value.null
    do throws(ExpressionError) {
      value = try LiteralDecoder(text, token.range).value(token.kind, isNegative: isNegative)
    } catch {
      problems += error.problems
    }
    return try make(.literal(value), from: start)
  }

  private mutating func parseName(
    isRooted: Bool, from start: Int
  ) throws(ExpressionError) -> Expression {
    let focus = current.range
    let name = spelling(focus)
    if Expression.isReservedWord(name) {
      throw .syntax(
        "`\(name)` is a reserved word", focus,
        help: advice(focus)
          ?? (name == "loop"
            ? "write `index: i` beside the `for` or `repeat`, and use `i`, which counts from 0, or `i + 1`"
            : "choose another name; this one can only stand after a dot, as in a.\(name)"))
    }
    try advance()
    if case .symbol(.openParenthesis) = current.kind {
      let arguments = try parseArguments()
      return try make(.call(name, arguments, isRooted: isRooted), from: start, focus: focus)
    }
    return try make(.identifier(name, isRooted: isRooted), from: start, focus: focus)
  }

  /// Consumes a bracketed list of comma-separated elements.
  ///
  /// - Parameter parseKey: Consumes the key of an entry.
  private mutating func parseElements(
    _ end: Token.Symbol, _ wanted: String,
    _ parseKey: ((inout Parser) throws(ExpressionError) -> Expression)? = nil
  ) throws(ExpressionError) -> [Expression.Element] {
    try advance()
    var elements: [Expression.Element] = []
    while current.kind != .symbol(end) {
      let isOptional = try take(.question)
      let key = try parseKey?(&self)
      let value = try parseExpression()
      elements.append(Expression.Element(key: key, value: value, isOptional: isOptional))
      if try !take(.comma) { break }
    }
    try expect(end, wanted)
    return elements
  }

  // MARK: - Steps

  private mutating func advance() throws(ExpressionError) {
    previousEnd = current.range.upperBound
    current = try lexer.next()
  }

  private mutating func take(_ symbol: Token.Symbol) throws(ExpressionError) -> Bool {
    guard current.kind == .symbol(symbol) else { return false }
    try advance()
    return true
  }

  private mutating func expect(
    _ symbol: Token.Symbol, _ what: String
  ) throws(ExpressionError) {
    if try !take(symbol) { throw unexpected(what) }
  }

  private mutating func enter() throws(ExpressionError) {
    depth += 1
    if depth > Self.maximumDepth { throw tooDeep(current.range) }
  }

  private func make(
    _ kind: Expression.Kind, from start: Int, focus: Range<Int>? = nil
  ) throws(ExpressionError) -> Expression {
    let range = start..<max(start, previousEnd)
    let expression = Expression(kind, range: range, focus: focus)
    // A chain such as `a + b + c` leans left: it deepens the tree but not the recursion.
    if expression.height > Self.maximumDepth { throw tooDeep(range) }
    return expression
  }

  /// Returns the text of a range.
  func spelling(_ range: Range<Int>) -> String {
    String(decoding: text[range], as: UTF8.self)
  }

  // MARK: - Problems

  /// Returns the error of an expression that nests too deeply.
  func tooDeep(_ range: Range<Int>) -> ExpressionError {
    ExpressionError([
      Problem(
        .tooLarge, "the expression nests deeper than \(Self.maximumDepth) levels", at: range,
        help: "split it into several steps")
    ])
  }

  /// Returns the error of an unexpected token, with a likely fix.
  func unexpected(_ wanted: String) -> ExpressionError {
    if current.kind == .end {
      return .syntax(
        "the expression ends where \(wanted) was expected", current.range,
        help: advice(current.range))
    }
    if advises, let problem = SyntaxAdvice(text).braces { return ExpressionError([problem]) }
    let found = spelling(current.range)
    var help: String?
    switch (current.kind, found) {
    case (.identifier, "and"): help = "write `&&`"
    case (.identifier, "or"): help = "write `||`"
    case (.identifier, "not"): help = "write `!`"
    case (.identifier, "is"): help = "write `==`"
    default: break
    }
    return .syntax(
      "expected \(wanted), found `\(found)`", current.range, help: advice(current.range) ?? help)
  }

  /// Returns the likely meaning of the whole text.
  func advice(_ place: Range<Int>) -> String? {
    advises ? SyntaxAdvice(text).help(at: place) : nil
  }
}
