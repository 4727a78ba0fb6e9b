extension Environment {
  /// A name in an expression that is not bound by a macro.
  package struct FreeName: Hashable, Sendable {
    /// The name.
    package let name: String
    /// Its UTF-8 offsets in the expression's text.
    package let range: Range<Int>
  }

  /// Returns the free names of an expression in source order, without names of types.
  package func freeNames(of expression: Expression) -> [FreeName] {
    var names: [FreeName] = []
    _ = replacingFreeNames(in: expression) { name in
      if FunctionLibrary.type(named: name.name) == nil || variables[name.name] != nil {
        names.append(name)
      }
      return nil
    }
    return names
  }

  /// Returns the expression with each free name replaced by the non-nil result of `replacement`.
  ///
  /// Macro variables, and qualifiers of function names as in `math.abs(x)`, are kept. A replacement gets the source
  /// range of the name it replaces.
  package func replacingFreeNames(
    in expression: Expression, _ replacement: (FreeName) -> Expression.Kind?
  ) -> Expression {
    withoutActuallyEscaping(replacement) { replacement in
      var replacer = FreeNameReplacer(environment: self, replacement: replacement)
      return replacer.replace(expression)
    }
  }
}

/// Rebuilds an expression, tracking the names bound by its macros.
private struct FreeNameReplacer {
  let environment: Environment
  let replacement: (Environment.FreeName) -> Expression.Kind?
  var bound: [String] = []

  /// Returns the expression with its free names replaced.
  mutating func replace(_ expression: Expression) -> Expression {
    let kind: Expression.Kind =
      switch expression.kind {
      case .identifier(let name, isRooted: false) where !bound.contains(name):
        replacement(.init(name: name, range: expression.range)) ?? expression.kind
      case .call(let name, let receiver, let arguments, let isRooted):
        call(name, receiver, arguments, isRooted: isRooted)
      default: expression.kind.mappingParts { replace($0) }
      }
    return Expression(kind, range: expression.range, focus: expression.focus)
  }

  private mutating func call(
    _ name: String, _ receiver: Expression?, _ arguments: [Expression], isRooted: Bool
  ) -> Expression.Kind {
    let macro = environment.macro(name, receiver: receiver, argumentCount: arguments.count)
    guard let macro else {
      let isNamespace = receiver.map { isFunctionNamespace($0, name) } ?? false
      let newReceiver = isNamespace ? receiver : receiver.map { replace($0) }
      return .call(name, receiver: newReceiver, arguments.map { replace($0) }, isRooted: isRooted)
    }
    var newReceiver = receiver
    switch macro {
    case .bind, .block, .blockIndex, .blockVariable: break
    default: newReceiver = receiver.map { replace($0) }
    }
    let first = macro.firstScopedArgument(of: arguments.count)
    let count = macro.variableCount(of: arguments.count)
    var rebuilt = Array(arguments.prefix(count))
    rebuilt += arguments[count..<first].map { replace($0) }
    let names = arguments.prefix(count).compactMap { environment.variableName($0) }
    bound += names
    rebuilt += arguments.dropFirst(first).map { replace($0) }
    bound.removeLast(names.count)
    return .call(name, receiver: newReceiver, rebuilt, isRooted: isRooted)
  }

  /// Whether a receiver is only the qualifier of a function name.
  private func isFunctionNamespace(_ receiver: Expression, _ name: String) -> Bool {
    guard let qualifier = receiver.qualifiedName,
      let first = qualifier.split(separator: ".").first, !bound.contains(String(first))
    else { return false }
    return environment.candidates(
      for: "\(qualifier).\(name)", isRooted: receiver.isRootedName
    ).contains { !environment.overloads(of: $0).isEmpty }
  }
}
