extension Compiler {
  /// The node of a call, of a macro or of a function's overloads.
  mutating func call(
    _ origin: Expression, _ name: String, _ receiver: Expression?, _ arguments: [Expression],
    isRooted: Bool
  ) throws(ExpressionError) -> any Node {
    if let macro = environment.macro(name, receiver: receiver, argumentCount: arguments.count) {
      return try expand(macro, origin, receiver, arguments)
    }
    let callee = environment.callee(
      name, receiver, arguments, isRooted: isRooted,
      isLocal: receiver.map(beginsWithLocal) ?? false)
    guard let callee else {
      return FailureNode(error: EvaluationError(.unknownFunction(name), at: origin))
    }
    return call(origin, callee.name, callee.overloads, try compileAll(callee.arguments))
  }

  /// A call of the overloads that take this many arguments.
  private mutating func call(
    _ origin: Expression, _ name: String, _ overloads: [Function], _ arguments: [any Node]
  ) -> any Node {
    let fitting = overloads.filter { $0.takes(arguments.count) }
    let site = CallSite(
      name: name, overloads: fitting.isEmpty ? overloads : fitting, origin: origin)
    if fitting.isEmpty {
      return FailureNode(
        error: EvaluationError(
          .stated(.noMatchingOverload, Self.wrongCount(name, arguments.count, overloads)),
          at: origin))
    }
    if let special = Library.specialised(name, arguments, site) { return special }
    let node = Self.node(site, arguments)
    guard fitting.allSatisfy(\.isPure) else {
      isPure = false
      return node
    }
    return fold(node, arguments)
  }

  /// The node for a number of arguments; the common ones go without an array for each call.
  private static func node(_ site: CallSite, _ arguments: [any Node]) -> any Node {
    switch arguments.count {
    case 0:
      if let function = site.overloads.first, case .nullary(let body) = function.body {
        return NullaryCallNode(body: body, origin: site.origin)
      }
    case 1:
      var overloads: [UnaryCallNode.Overload] = []
      for function in site.overloads {
        guard case .unary(let body) = function.body else { break }
        overloads.append(.init(type: function.parameters[0], body: body))
      }
      if overloads.count == site.overloads.count {
        return UnaryCallNode(overloads: overloads, argument: arguments[0], call: site)
      }
    case 2:
      var overloads: [BinaryCallNode.Overload] = []
      for function in site.overloads {
        guard case .binary(let body) = function.body else { break }
        overloads.append(
          .init(first: function.parameters[0], second: function.parameters[1], body: body))
      }
      if overloads.count == site.overloads.count {
        return BinaryCallNode(
          overloads: overloads, first: arguments[0], second: arguments[1], call: site)
      }
    default: break
    }
    return CallNode(arguments: arguments, call: site)
  }

  /// Says that no overload takes so many arguments.
  static func wrongCount(_ name: String, _ count: Int, _ overloads: [Function]) -> String {
    let signatures = overloads.map { "`\($0.signature)`" }.joined(separator: " or ")
    return "`\(name)` can't take this number of arguments; it is \(signatures)"
  }
}
