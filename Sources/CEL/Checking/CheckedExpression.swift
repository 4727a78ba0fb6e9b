/// What a check found out about an expression.
public struct CheckedExpression: Sendable {
  /// A part of the expression and its type.
  public struct Part: Sendable {
    /// Where it stands, as UTF-8 offsets into the expression's text.
    public let range: Range<Int>
    /// Its type.
    public let type: CELType
  }

  /// The type of the whole; `dyn` where a problem leaves it open.
  public let type: CELType
  /// What is wrong, in the order of the text.
  public let problems: [Problem]
  /// All parts with their types, each before its own parts.
  public let parts: [Part]
}

extension Environment {
  /// Finds the types of an expression and of its parts, and what is wrong with them.
  ///
  /// `variables` are declared beside those of the environment, and hide those of the same name.
  public func check(
    _ expression: Expression, variables: [String: CELType] = [:]
  ) -> CheckedExpression {
    if let problem = expression.excessiveHeight {
      return CheckedExpression(type: .dyn, problems: [problem], parts: [])
    }
    var environment = self
    for (name, type) in variables { environment.variables[name] = type }
    var checker = Checker(environment)
    let type = checker.check(expression)
    return checker.finish(type)
  }
}
