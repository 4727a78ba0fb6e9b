extension Expression {
  /// Parses the text of an expression.
  ///
  /// - Throws: `ExpressionError` with the problems that were found.
  package static func parse(
    _ text: String, options: ParsingOptions = ParsingOptions()
  ) throws(ExpressionError) -> Expression {
    guard text.utf8.count <= options.maximumLength else {
      throw ExpressionError([
        Problem(
          .tooLarge, "the expression is longer than \(options.maximumLength) bytes", at: 0..<0)
      ])
    }
    var parser = try Parser(Array(text.utf8), options)
    return try parser.parseAll()
  }

  /// Whether no variable may have a name: a literal or a reserved word (CEL specification, "Syntax").
  package static func isReserved(_ name: String) -> Bool {
    switch name {
    case "true", "false", "null", "in": true
    default: isReservedWord(name)
    }
  }

  /// Whether a name that is no literal is reserved.
  static func isReservedWord(_ name: String) -> Bool {
    switch name {
    case "as", "break", "const", "continue", "else", "for", "function", "if", "import", "let",
      "loop", "package", "namespace", "return", "var", "void", "while":
      true
    default: false
    }
  }
}

/// Builds the tree of an expression, by precedence climbing.
struct Parser {
  private var lexer: Lexer
  /// The text as UTF-8.
  let text: [UInt8]
  /// How deep an expression may nest.
  let maximumDepth: Int
  /// Whether a problem says what was most likely meant.
  let advises: Bool
  /// The token that comes next.
  private(set) var current: Token
  private var previousEnd = 0
  private var depth = 0
  /// The problems inside of literals, after which parsing can go on.
  private var problems: [Problem] = []

  /// Begins at the start of a text.
  init(
    _ text: [UInt8], _ options: ParsingOptions, advises: Bool = true
  ) throws(ExpressionError) {
    self.text = text
    self.advises = advises
    maximumDepth = options.maximumDepth
    lexer = Lexer(
      text, allowsLineEndsInStrings: options.allowsLineEndsInStrings, advises: advises)
    current = try lexer.next()
  }

  /// Whether a text is an expression.
  static func parses(_ text: String) -> Bool {
    var parser = try? Parser(Array(text.utf8), ParsingOptions(), advises: false)
    return (try? parser?.parseAll()) != nil
  }

  /// Consumes everything as one expression.
  mutating func parseAll() throws(ExpressionError) -> Expression {
    if current.kind == .end { throw .syntax("an expression is missing", 0..<text.count) }
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
    let condition = try parseLogic(.symbol(.or)) { .or($0) }
    guard case .symbol(.question) = current.kind else { return condition }
    let focus = current.range
    try advance()
    let then = try parseLogic(.symbol(.or)) { .or($0) }
    try expect(.colon, "`:` and the value for when the condition is false")
    let otherwise = try parseExpression()
    return try make(
      .conditional(condition, then: then, otherwise: otherwise), from: start, focus: focus)
  }

  /// Consumes a run of `||`, or of `&&`, as one node.
  private mutating func parseLogic(
    _ symbol: Token.Kind, _ kind: ([Expression]) -> Expression.Kind
  ) throws(ExpressionError) -> Expression {
    let start = current.range.lowerBound
    let first = try parseLogicOperand(symbol)
    guard current.kind == symbol else { return first }
    let focus = current.range
    var operands = [first]
    while current.kind == symbol {
      try advance()
      operands.append(try parseLogicOperand(symbol))
    }
    return try make(kind(operands), from: start, focus: focus)
  }

  private mutating func parseLogicOperand(
    _ symbol: Token.Kind
  ) throws(ExpressionError) -> Expression {
    symbol == .symbol(.or)
      ? try parseLogic(.symbol(.and)) { .and($0) } : try parseBinary(minimum: 3)
  }

  private mutating func parseBinary(minimum: Int) throws(ExpressionError) -> Expression {
    let start = current.range.lowerBound
    var left = try parseUnary()
    while let symbol = current.binaryOperator, symbol.precedence >= minimum {
      let focus = current.range
      try advance()
      let right = try parseBinary(minimum: symbol.precedence + 1)
      left = try make(.binary(symbol, left, right), from: start, focus: focus)
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
      let literal = try parseNumber(isNegative: true, from: start)
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
        operand = try make(
          .object(name, parseFields(), isRooted: operand.isRootedName), from: start,
          focus: operand.range)
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

  /// Consumes the name of a field, which may stand in backticks.
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
    case .int, .uint, .double: return try parseNumber(isNegative: false, from: range.lowerBound)
    case .string, .bytes:
      let isBytes = current.kind == .bytes
      try advance()
      return literal(range) { decoder throws(ExpressionError) in
        isBytes ? .bytes(try decoder.bytes()) : .string(try decoder.string())
      }
    case .keyword:
      let literal: Value
      switch spelling(range) {
      case "true": literal = .bool(true)
      case "false": literal = .bool(false)
      case "null": literal = .null
      default: throw unexpected("a value")
      }
      try advance()
      return Expression(.literal(literal), range: range)
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
    case .symbol(.openBracket): return try parseList()
    case .symbol(.openBrace): return try parseMap()
    default: throw unexpected("a value")
    }
  }

  private mutating func parseNumber(
    isNegative: Bool, from start: Int
  ) throws(ExpressionError) -> Expression {
    let token = current
    try advance()
    let number = literal(token.range) { decoder throws(ExpressionError) in
      try decoder.number(token.kind, isNegative: isNegative)
    }
    return try make(number.kind, from: start)
  }

  /// A literal; null in place of one that is broken, which is remembered.
  private mutating func literal(
    _ range: Range<Int>, _ decode: (LiteralDecoder) throws(ExpressionError) -> Value
  ) -> Expression {
    do throws(ExpressionError) {
      return Expression(.literal(try decode(LiteralDecoder(text, range))), range: range)
    } catch {
      problems += error.problems
      return Expression(.literal(.null), range: range)
    }
  }

  private mutating func parseName(
    isRooted: Bool, from start: Int
  ) throws(ExpressionError) -> Expression {
    let focus = current.range
    let name = spelling(focus)
    if Expression.isReservedWord(name) {
      throw .syntax(
        "`\(name)` is a reserved word", focus,
        help: advice(focus) ?? "it can only stand after a dot, as in a.\(name)")
    }
    try advance()
    if case .symbol(.openParenthesis) = current.kind {
      let arguments = try parseArguments()
      return try make(.call(name, arguments, isRooted: isRooted), from: start, focus: focus)
    }
    return try make(.identifier(name, isRooted: isRooted), from: start, focus: focus)
  }

  private mutating func parseList() throws(ExpressionError) -> Expression {
    let start = current.range.lowerBound
    var elements: [Expression.Element] = []
    try parseItems(.closeBracket, "`,` or `]`") { parser, isOptional throws(ExpressionError) in
      let value = try parser.parseExpression()
      elements.append(Expression.Element(value: value, isOptional: isOptional))
    }
    return try make(.list(elements), from: start)
  }

  private mutating func parseMap() throws(ExpressionError) -> Expression {
    let start = current.range.lowerBound
    var entries: [Expression.Entry] = []
    try parseItems(.closeBrace, "`,` or `}`") { parser, isOptional throws(ExpressionError) in
      let key = try parser.parseExpression()
      try parser.expect(.colon, "`:` and a value after the key")
      let value = try parser.parseExpression()
      entries.append(Expression.Entry(key: key, value: value, isOptional: isOptional))
    }
    return try make(.map(entries), from: start)
  }

  private mutating func parseFields() throws(ExpressionError) -> [Expression.Field] {
    var fields: [Expression.Field] = []
    try parseItems(.closeBrace, "`,` or `}`") { parser, isOptional throws(ExpressionError) in
      let range = parser.current.range
      let name = try parser.parseFieldName("the name of a field")
      try parser.expect(.colon, "`:` and a value after the field")
      let value = try parser.parseExpression()
      fields.append(
        Expression.Field(name: name, nameRange: range, value: value, isOptional: isOptional))
    }
    return fields
  }

  /// Consumes a bracket, what stands between commas up to the one that closes it, and that one.
  private mutating func parseItems(
    _ end: Token.Symbol, _ wanted: String,
    _ parseItem: (inout Parser, _ isOptional: Bool) throws(ExpressionError) -> Void
  ) throws(ExpressionError) {
    try advance()
    while current.kind != .symbol(end) {
      try parseItem(&self, take(.question))
      if try !take(.comma) { break }
    }
    try expect(end, wanted)
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
    if depth > maximumDepth { throw tooDeep(current.range) }
  }

  private func make(
    _ kind: Expression.Kind, from start: Int, focus: Range<Int>? = nil
  ) throws(ExpressionError) -> Expression {
    let range = start..<max(start, previousEnd)
    let expression = Expression(kind, range: range, focus: focus)
    // A chain such as `a + b + c` leans to the left: it deepens the tree, not the recursion.
    if expression.height > maximumDepth { throw tooDeep(range) }
    return expression
  }

  /// The text of a range.
  func spelling(_ range: Range<Int>) -> String {
    String(decoding: text[range], as: UTF8.self)
  }

  // MARK: - Problems

  /// The problem of an expression that nests too deeply.
  func tooDeep(_ range: Range<Int>) -> ExpressionError {
    ExpressionError([
      Problem(
        .tooLarge, "the expression nests deeper than \(maximumDepth) levels", at: range,
        help: "split it into several steps")
    ])
  }

  /// The problem of a token that can't stand where it does, with what was most likely meant.
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

  /// The most likely meaning of the whole text.
  func advice(_ place: Range<Int>) -> String? {
    advises ? SyntaxAdvice(text).help(at: place) : nil
  }
}
