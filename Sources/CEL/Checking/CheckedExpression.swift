/// The result of type-checking an expression.
package struct CheckedExpression: Sendable {
  /// A subexpression and its type.
  package struct Part: Sendable {
    /// Its UTF-8 offsets in the expression's text.
    package let range: Range<Int>
    /// Its type.
    package internal(set) var type: CELType
  }

  /// The type of the whole expression; `dyn` if a problem leaves it open.
  package let type: CELType
  /// Errors and warnings, in source order.
  package var problems: [Problem]
  /// The expressions that are non-null if this one is true, as written: `link.title`.
  package let whenTrue: Set<String>
  /// The expressions that are non-null if this one is false.
  package let whenFalse: Set<String>
  /// The facts about a list's elements, with `@` for the element: `@.title` is not null; and
  /// `.@element` if there is one.
  package let elements: Set<String>
  /// The value of a condition that is always the same; nil if it varies.
  package let constant: Bool?
  /// The positions of the overloads chosen by the types of the arguments, among those that take as
  /// many, by the ranges of the calls; calls of the first one are left out.
  package let overloads: [Range<Int>: Int]
  /// All subexpressions with their types, in pre-order.
  package let parts: [Part]

  /// Whether any of the problems is an error.
  package var hasErrors: Bool { problems.contains { $0.severity == .error } }
}

extension Environment {
  /// Infers the types of an expression and its parts, and finds errors.
  ///
  /// `variables` are added to those of the environment and shadow them.
  package func check(
    _ expression: Expression, variables: [String: CELType] = [:],
    options: CheckOptions = CheckOptions()
  ) -> CheckedExpression {
    if let problem = expression.excessiveHeight {
      return CheckedExpression(
        type: .dyn, problems: [problem], whenTrue: [], whenFalse: [], elements: [],
        constant: nil, overloads: [:], parts: [])
    }
    var environment = self
    for (name, type) in variables { environment.variables[name] = type }
    var checker = Checker(environment, options)
    var type = checker.check(expression)
    if let need = options.need { type = checker.present(type, expression, for: need) }
    if checker.hasElement(expression) { checker.outcome.elements.insert(Checker.elementFact) }
    return checker.finish(type)
  }
}
