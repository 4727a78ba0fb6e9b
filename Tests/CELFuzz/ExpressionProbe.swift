internal import CEL

/// Runs a text through parser, checker, compiler and evaluator, and checks invariants.
package struct ExpressionProbe {
  /// The number of texts that were expressions.
  package private(set) var parsed = 0
  /// The number of expressions with a value.
  package private(set) var evaluated = 0

  private let environment: Environment
  /// An environment with declared types, some of them nullable.
  private let typed: Environment
  private let limits: EvaluationLimits

  /// Creates a probe with a few variables and small limits.
  package init() {
    var environment = Environment(allowsUndeclaredNames: true)
    environment.variables["a"] = .list(.int)
    environment.variables["self"] = .map(.string, .dyn)
    self.environment = environment
    var typed = Environment()
    typed.variables = [
      "a": .list(.int), "b": .nullable(.string), "x": .nullable(.int), "y": .double,
      "x1": .nullable(.bool), "self": .map(.string, .nullable(.int)),
    ]
    self.typed = typed
    var limits = EvaluationLimits()
    limits.steps = 20_000
    self.limits = limits
  }

  /// Returns the violated invariant; nil if there is none.
  package mutating func fault(in bytes: [UInt8]) -> String? {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let expression = parse(text) else { return nil }
    parsed += 1
    let printed = expression.description
    guard let again = parse(printed) else { return "printed as what does not parse: \(printed)" }
    if again.description != printed { return "printed differently: \(printed) and \(again)" }
    let length = text.utf8.count
    for part in environment.check(expression).parts
    where part.range.lowerBound < 0 || part.range.upperBound > length {
      return "a part lies outside the text: \(part.range)"
    }
    if let fault = nullFault(expression) { return fault }
    return evaluate(expression, again)
  }

  /// Reports an expression that fails on null although the check found no error.
  private func nullFault(_ expression: Expression) -> String? {
    let checked = typed.check(expression)
    guard !checked.hasErrors, checked.parts.allSatisfy({ !"\($0.type)".contains("any") }),
      let program = try? typed.compile(expression)
    else { return nil }
    do throws(EvaluationError) {
      _ = try program.evaluate(Self.nulls, limits: limits)
      return nil
    } catch {
      return error.code == .nullOperand ? "null was let in: \(expression): \(error)" : nil
    }
  }

  private static let nulls: [String: Value] = [
    "a": [3, 1, 2], "b": nil, "x": nil, "y": 2.5, "x1": nil, "self": ["a": nil, "name": 1],
  ]

  private func parse(_ text: String) -> Expression? {
    do throws(ExpressionError) {
      return try Expression.parse(text)
    } catch {
      return nil
    }
  }

  /// Evaluates the expression and its printed form, which must have equal results.
  private mutating func evaluate(_ expression: Expression, _ again: Expression) -> String? {
    let first = value(of: expression)
    let second = value(of: again)
    if first != nil { evaluated += 1 }
    return first == second ? nil : "prints as something else: \(expression)"
  }

  private func value(of expression: Expression) -> String? {
    guard let program = try? environment.compile(expression) else { return nil }
    return (try? program.evaluate(Self.values, limits: limits))?.description
  }

  private static let values: [String: Value] = [
    "a": [3, 1, 2], "b": "text", "x": 7, "y": 2.5,
    "self": ["a": 1, "name": "n", "size": nil],
  ]
}
