extension Parser {
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
      return problem(
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
    return problem(
      "expected \(wanted), found `\(found)`", current.range, help: advice(current.range) ?? help)
  }

  /// What was most likely meant by the whole text.
  func advice(_ place: Range<Int>) -> String? {
    advises ? SyntaxAdvice(text).help(at: place) : nil
  }

  /// A problem of syntax by itself.
  func problem(
    _ message: String, _ range: Range<Int>, help: String? = nil
  ) -> ExpressionError {
    ExpressionError([Problem(.syntax, message, at: range, help: help)])
  }

  /// Whether no value may have the name.
  static func isReserved(_ name: String) -> Bool {
    switch name {
    case "as", "break", "const", "continue", "else", "for", "function", "if", "import", "let",
      "loop", "package", "namespace", "return", "var", "void", "while":
      true
    default: false
    }
  }
}
