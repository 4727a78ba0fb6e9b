extension Environment {
  /// A name in an expression that no macro has bound.
  package struct FreeName: Hashable, Sendable {
    /// The name.
    package let name: String
    /// Where it stands, as UTF-8 offsets into the expression's text.
    package let range: Range<Int>
  }

  /// The free names of an expression, in the order of the text; names of types are left out.
  package func freeNames(of expression: Expression) -> [FreeName] {
    var names: [FreeName] = []
    _ = replacingFreeNames(in: expression) { name in
      if Library.type(named: name.name) == nil || variables[name.name] != nil {
        names.append(name)
      }
      return nil
    }
    return names
  }

  /// The expression with free names replaced where `replacement` gives something else.
  ///
  /// What macros bind, and names that only qualify a function as in `math.abs(x)`, stay as they
  /// are. Replacements take the place of the name they replace.
  package func replacingFreeNames(
    in expression: Expression, _ replacement: (FreeName) -> Expression.Kind?
  ) -> Expression {
    withoutActuallyEscaping(replacement) { replacement in
      var replacer = FreeNameReplacer(environment: self, replacement: replacement)
      return replacer.replace(expression)
    }
  }
}

/// Rebuilds an expression, knowing which names its macros bind.
private struct FreeNameReplacer {
  let environment: Environment
  let replacement: (Environment.FreeName) -> Expression.Kind?
  var bound: [String] = []

  /// The expression with its free names replaced.
  mutating func replace(_ expression: Expression) -> Expression {
    Expression(kind(expression), range: expression.range, focus: expression.focus)
  }

  private mutating func replaceAll(_ expressions: [Expression]) -> [Expression] {
    var result: [Expression] = []
    for expression in expressions { result.append(replace(expression)) }
    return result
  }

  private mutating func kind(_ expression: Expression) -> Expression.Kind {
    switch expression.kind {
    case .literal: return expression.kind
    case .identifier(let name, let isRooted):
      if isRooted || bound.contains(name) { return expression.kind }
      let free = Environment.FreeName(name: name, range: expression.range)
      return replacement(free) ?? expression.kind
    case .select(let operand, let field, let isOptional):
      return .select(replace(operand), field: field, isOptional: isOptional)
    case .index(let operand, let index, let isOptional):
      return .index(replace(operand), replace(index), isOptional: isOptional)
    case .call(let name, let receiver, let arguments, let isRooted):
      return call(name, receiver, arguments, isRooted: isRooted)
    case .unary(let symbol, let operand): return .unary(symbol, replace(operand))
    case .binary(let symbol, let left, let right):
      return .binary(symbol, replace(left), replace(right))
    case .and(let operands): return .and(replaceAll(operands))
    case .or(let operands): return .or(replaceAll(operands))
    case .conditional(let condition, let then, let otherwise):
      return .conditional(
        replace(condition), then: replace(then), otherwise: replace(otherwise))
    case .list(let elements):
      let values = replaceAll(elements.map(\.value))
      return .list(
        zip(values, elements).map { Expression.Element(value: $0, isOptional: $1.isOptional) })
    case .map(let entries):
      let keys = replaceAll(entries.map(\.key))
      let values = replaceAll(entries.map(\.value))
      return .map(
        entries.indices.map {
          Expression.Entry(
            key: keys[$0], value: values[$0], isOptional: entries[$0].isOptional)
        })
    case .object(let name, let fields, let isRooted):
      let values = replaceAll(fields.map(\.value))
      let rebuilt = zip(values, fields).map { value, field in
        Expression.Field(
          name: field.name, nameRange: field.nameRange, value: value, isOptional: field.isOptional)
      }
      return .object(name, rebuilt, isRooted: isRooted)
    }
  }

  private mutating func call(
    _ name: String, _ receiver: Expression?, _ arguments: [Expression], isRooted: Bool
  ) -> Expression.Kind {
    let macro = environment.macro(name, receiver: receiver, argumentCount: arguments.count)
    guard let macro else {
      let isNamespace = receiver.map { isFunctionNamespace($0, name) } ?? false
      let newReceiver = isNamespace ? receiver : receiver.map { replace($0) }
      return .call(name, receiver: newReceiver, replaceAll(arguments), isRooted: isRooted)
    }
    var newReceiver = receiver
    switch macro {
    case .bind, .block, .blockIndex, .blockVariable: break
    default: newReceiver = receiver.map { replace($0) }
    }
    let first = macro.firstScopedArgument(of: arguments.count)
    let count = macro.variableCount(of: arguments.count)
    var rebuilt = Array(arguments.prefix(count))
    if first > count { rebuilt += replaceAll(Array(arguments[count..<first])) }
    let names = arguments.prefix(count).compactMap { environment.variableName($0) }
    bound += names
    rebuilt += replaceAll(Array(arguments.dropFirst(first)))
    bound.removeLast(names.count)
    return .call(name, receiver: newReceiver, rebuilt, isRooted: isRooted)
  }

  /// Whether a receiver only qualifies the name of a function.
  private func isFunctionNamespace(_ receiver: Expression, _ name: String) -> Bool {
    guard let qualifier = receiver.qualifiedName,
      let first = qualifier.split(separator: ".").first, !bound.contains(String(first))
    else { return false }
    return environment.candidates(
      for: "\(qualifier).\(name)", isRooted: receiver.isRootedName
    ).contains { !environment.overloads(of: $0).isEmpty }
  }
}
