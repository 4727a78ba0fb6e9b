internal import CEL

/// Runs cases of the conformance suite.
package enum ConformanceRunner {
  /// Runs a case and returns the failure; nil if it passed.
  package static func failure(of one: ConformanceCase) -> String? {
    do {
      return try run(one)
    } catch {
      if case .failure? = one.outcome { return nil }
      return "failed: \(error)"
    }
  }

  private static func run(_ one: ConformanceCase) throws -> String? {
    let environment = try environment(for: one)
    let expression = try Expression.parse(one.expression)
    if !one.disablesCheck {
      let checked = environment.check(expression, options: CheckOptions(refusesFailures: false))
      if checked.hasErrors { throw ExpressionError(checked.problems) }
      if let text = one.deducedType {
        let wanted = try TypeText.type(of: TypeText.parse(text))
        if checked.type != wanted { return "has type \(checked.type), not \(wanted)" }
      }
    }
    if one.checksOnly { return nil }
    let value = try environment.compile(expression).evaluate(one.bindings)
    switch one.outcome {
    case .value(let wanted): return isSame(value, wanted) ? nil : "gave \(value), not \(wanted)"
    case .failure: return "gave \(value), and must fail"
    case nil: return nil
    }
  }

  /// Creates the environment of a case from its bindings and declarations.
  private static func environment(for one: ConformanceCase) throws -> Environment {
    var environment = Environment()
    environment.container = one.container
    environment.knowsBlocks = one.file == "block_ext"
    environment.expandsMacros = !one.disablesMacros
    environment.add(RequiredMessage.type)
    for name in one.bindings.keys { environment.variables[name] = .dyn }
    for text in one.declarations {
      for declaration in try TypeText.declarations(text) {
        switch declaration {
        case .variable(let name, let type): environment.variables[name] = type
        case .function(let function): environment.add(function)
        }
      }
    }
    return environment
  }

  /// Returns whether two values are identical, including their types; NaN equals NaN.
  private static func isSame(_ a: Value, _ b: Value) -> Bool {
    switch (a, b) {
    case (.double(let x), .double(let y)): x == y || x.isNaN && y.isNaN
    case (.list(let x), .list(let y)):
      x.count == y.count && zip(x, y).allSatisfy { isSame($0, $1) }
    case (.map(let x), .map(let y)):
      x.count == y.count
        && y.entries.allSatisfy { entry in x[entry.key].map { isSame($0, entry.value) } ?? false }
    default: a.typeName == b.typeName && a == b
    }
  }
}
