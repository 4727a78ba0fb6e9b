/// What a check found out about an expression.
package struct CheckedExpression: Sendable {
  /// A part of the expression and its type.
  package struct Part: Sendable {
    /// Where it stands, as UTF-8 offsets into the expression's text.
    package let range: Range<Int>
    /// Its type.
    package let type: CELType
  }

  /// The type of the whole; `dyn` where a problem leaves it open.
  package let type: CELType
  /// What is wrong or doubtful, in the order of the text.
  package var problems: [Problem]
  /// What is not null where the expression is true, as it is written: `link.title`.
  package let whenTrue: Set<String>
  /// What is not null where it is false.
  package let whenFalse: Set<String>
  /// Parts of a list's elements that are not null, with `@` for the element: `@.title`.
  package let elements: Set<String>
  /// What a condition is whatever its values are; nil when that depends on them.
  package let constant: Bool?
  /// All parts with their types, each before its own parts.
  package let parts: [Part]

  /// Whether there is more wrong than what a warning says.
  package var hasErrors: Bool { problems.contains { $0.severity == .error } }
}

extension Environment {
  /// Finds the types of an expression and of its parts, and what is wrong with them.
  ///
  /// `variables` are declared beside those of the environment, and hide those of the same name.
  package func check(
    _ expression: Expression, variables: [String: CELType] = [:],
    options: CheckOptions = CheckOptions()
  ) -> CheckedExpression {
    if let problem = expression.excessiveHeight {
      return CheckedExpression(
        type: .dyn, problems: [problem], whenTrue: [], whenFalse: [], elements: [],
        constant: nil, parts: [])
    }
    var environment = self
    for (name, type) in variables { environment.variables[name] = type }
    var checker = Checker(environment, options)
    var type = checker.check(expression)
    if let need = options.need { type = checker.present(type, expression, for: need) }
    return checker.finish(type)
  }
}
