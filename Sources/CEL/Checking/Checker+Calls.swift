internal import Source

extension Checker {
  /// Infers the type of a call of a macro or of the matching overload.
  mutating func call(
    _ origin: Expression, _ name: String, _ receiver: Expression?, arguments: [Expression],
    isRooted: Bool
  ) -> CELType {
    if let macro = environment.macro(name, receiver: receiver, argumentCount: arguments.count) {
      return expand(macro, origin, receiver, arguments: arguments)
    }
    // No variable begins with a capital letter, so this is a module of another language.
    if case .identifier(let module, _)? = receiver?.kind, module.first?.isUppercase == true,
      ForeignName.function(name, of: module, arguments) != nil
    {
      return unknown(origin, name, receiver, arguments: arguments)
    }
    if let callee = environment.callee(
      name, receiver, arguments, isRooted: isRooted,
      isLocal: receiver.map(beginsWithLocal) ?? false)
    {
      return resolve(origin, callee.name, callee.overloads, arguments: callee.arguments)
    }
    return unknown(origin, name, receiver, arguments: arguments)
  }

  private mutating func unknown(
    _ origin: Expression, _ name: String, _ receiver: Expression?, arguments: [Expression]
  ) -> CELType {
    // The arguments may be those of a mistyped macro, whose variables are unknown.
    let given = (receiver.map { [$0] } ?? arguments).map { types.resolve(check($0)).withoutNull }
    let isMethod = receiver != nil
    var help: String?
    if case .identifier(let module, _)? = receiver?.kind,
      let advice = ForeignName.function(name, of: module, arguments)
    {
      help = advice
    } else if let receiver,
      environment.overloads(of: name).contains(where: {
        $0.style == .global && $0.takes(arguments.count + 1)
      })
    {
      let all = ([receiver] + arguments).map(\.description).joined(separator: ", ")
      help = "write `\(name)(\(all))`"
    } else if !isMethod, arguments.count > 1, ["max", "min"].contains(name) {
      help = ForeignName.function(name, arguments)
    } else if let other = environment.overloads(of: name).first {
      help =
        methodAdvice(name, arguments, isMethod ? [] : given) ?? "it is written `\(other.signature)`"
    } else if let receiver, let form = ForeignName.macro(name, on: excerpt(receiver), arguments) {
      return report(
        .wrongArguments, "`.\(name)()` takes a name for each element, and an expression with it",
        at: origin.focus, help: form)
    } else if let receiver {
      help = ForeignName.method(name, on: receiver, type: given[0], arguments: arguments)
    } else {
      help = ForeignName.function(name, arguments)
    }
    if help == nil {
      let names = environment.functionNames(like: name, style: isMethod ? .method : .global)
      help =
        Suggestion.nearest(to: name, in: names).map { "did you mean `\($0)`?" }
        ?? (hasFunction("now") ? "`errand help functions` lists the functions" : nil)
    }
    let what = isMethod ? "unknown function `.\(name)()`" : "unknown function `\(name)`"
    return report(.unknownFunction, what, at: origin.focus, help: help)
  }

  /// Suggests the method of the same name if the first argument is known.
  private func methodAdvice(
    _ name: String, _ arguments: [Expression], _ given: [CELType]
  ) -> String? {
    guard let first = arguments.first, let type = given.first,
      environment.overloads(of: name).contains(where: {
        $0.style == .method && $0.takes(arguments.count)
      })
    else { return nil }
    if let format = formatAdvice(name, first, Array(arguments.dropFirst())) { return format }
    switch type {
    case .list, .map:
      let others = Array(arguments.dropFirst())
      if let here = ForeignName.method(name, on: first, type: type, arguments: others) {
        return here
      }
    default: break
    }
    let rest = arguments.dropFirst().map(\.description).joined(separator: ", ")
    let call = "`\(excerpt(first)).\(name)(\(rest))`"
    guard ["sum", "min", "max", "avg", "average", "mean"].contains(name) else {
      return "write \(call)"
    }
    let mapped = "`\(excerpt(first)).map(x, x.\(number(in: type) ?? "amount")).\(name)(\(rest))`"
    var element = type
    if case .list(let part) = type { element = types.resolve(part).withoutNull }
    switch (type, element) {
    case (.list, .object), (.list, .record), (.list, .map): return "write \(mapped)"
    case (_, .dyn), (_, .parameter):
      return "write \(call), or for a property of each \(mapped)"
    default: return "write \(call)"
    }
  }

  /// Returns the first numeric field of a list's elements.
  private func number(in list: CELType) -> String? {
    guard case .list(let element) = list,
      case .object = types.resolve(element).withoutNull
    else { return nil }
    return record(of: types.resolve(element).withoutNull)?.fields.first { field in
      [.int, .double].contains(field.type.withoutNull)
    }?.name
  }

  /// Returns the result type of the matching overload, or the common type if open types leave several.
  private mutating func resolve(
    _ origin: Expression, _ name: String, _ overloads: [Function], arguments: [Expression]
  ) -> CELType {
    let receiver = overloads[0].style == .method ? arguments.first : nil
    var given: [CELType] = []
    var elements: Set<String> = []
    for argument in arguments {
      given.append(check(argument))
      if given.count == 1, receiver != nil { elements = outcome.elements }
    }
    outcome = Outcome()
    // These functions keep some or all of the elements.
    if ["slice", "sort", "reverse", "distinct", "values"].contains(name) {
      outcome.elements = elements
    }
    if name == "hasValue" { outcome.whenTrue = Self.held(receiver) }
    let fitting = overloads.filter { $0.takes(arguments.count) }
    if fitting.isEmpty {
      return report(
        .wrongArguments, Self.wrongCount(name, arguments.count, overloads), at: origin.focus,
        help: (name == "slice"
          ? ForeignName.method(
            name, on: arguments[0], type: types.resolve(given[0]).withoutNull,
            arguments: Array(arguments.dropFirst())) : nil)
          ?? ForeignName.usage(name, arguments) ?? listAdvice(name, arguments, overloads)
          ?? Self.signatures(overloads))
    }
    var result: CELType?
    var chosen: [Function] = []
    for (position, function) in fitting.enumerated() {
      var names: [String: CELType] = [:]
      let wanted = function.parameters(for: arguments.count).map {
        types.instantiate($0, &names)
      }
      guard types.assign(given, to: wanted) else { continue }
      let type = types.resolve(types.instantiate(function.result, &names))
      chosen.append(function)
      if let known = result {
        if known != type { result = .dyn }
      } else {
        result = type
      }
      // With all types known, the first match is the one that will be called.
      if given.allSatisfy({ types.resolve($0).isKnown }) {
        if chosen.count == 1, position > 0 { self.overloads[origin.range] = position }
        break
      }
    }
    if result != nil, let problem = refusal(of: name, chosen, arguments, given) {
      report(problem)
    }
    for (index, argument) in arguments.enumerated() where !chosen.isEmpty {
      let wanted = chosen.map { $0.parameters(for: arguments.count)[index] }
      presentArgument(given[index], argument, wanted: wanted, of: name)
    }
    if result == .bool {
      let facts = absorbed(in: origin)
      outcome.whenTrue?.formUnion(facts)
    }
    if !chosen.isEmpty, chosen.allSatisfy(\.isNullOnlyWhenEmpty) {
      know(origin, asElementOf: elements, mayBeAbsent: true)
    }
    if let type = result, let list = receiver, chosen.allSatisfy(\.isNullOnlyWhenEmpty),
      hasElement(list), case .nullable(let element) = type
    {
      return element
    }
    // `coalesce` is non-null if any of its arguments is.
    if name == "coalesce", let type = result,
      given.contains(where: { types.resolve($0).isNeverNull })
    {
      return type.withoutNull
    }
    return result ?? mismatch(origin, name, fitting, arguments: arguments, given: given)
  }

  /// Returns the expressions that are non-null if the optional of a field has a value.
  private static func held(_ receiver: Expression?) -> Set<String> {
    guard case .select(let operand, let field, isOptional: true)? = receiver?.kind else {
      return []
    }
    return [
      operand.description, Expression(.select(operand, field: field)).description,
    ]
  }

  private mutating func mismatch(
    _ origin: Expression, _ name: String, _ overloads: [Function], arguments: [Expression],
    given: [CELType]
  ) -> CELType {
    let isMethod = overloads[0].style == .method
    // Numbers are for the function of this name that other languages have.
    let areNumbers =
      !given.isEmpty && given.allSatisfy { [.int, .double].contains(types.resolve($0)) }
    let usage =
      ForeignName.usage(name, arguments)
      ?? (areNumbers && !isMethod ? ForeignName.function(name, arguments) : nil)
    if overloads.count == 1 {
      let wanted = overloads[0].parameters(for: arguments.count)
      for (index, type) in wanted.enumerated() {
        var names: [String: CELType] = [:]
        let instance = types.instantiate(type, &names)
        if types.assign(given[index], to: instance) { continue }
        let wish = isMethod && index == 0 ? "is for \(type)" : "takes \(type) here"
        let what = "`\(name)` \(wish), not \(self.name(given[index]))"
        let advice =
          index == 0 && isMethod
          ? formatAdvice(name, arguments[0], Array(arguments.dropFirst()))
            ?? receiverAdvice(name, arguments, given) : nil
        return report(
          .wrongArguments, what, at: arguments[index].range,
          help: advice ?? usage
            ?? conversion(of: arguments[index], from: given[index], to: type).map {
              Self.call(name, arguments, isMethod: isMethod, replacing: index, with: $0)
            }.map { "write `\($0)`" } ?? Self.signatures(overloads), mending: origin.range)
      }
    }
    let kinds = given.dropFirst(isMethod ? 1 : 0).map { self.name($0) }
    let what = kinds.isEmpty ? "" : " with \(kinds.joined(separator: ", "))"
    let receiver = isMethod ? " on \(self.name(given[0]))" : ""
    return report(
      .wrongArguments, "`\(name)` cannot be called\(receiver)\(what)", at: origin.range,
      help: usage
        ?? formatAdvice(name, arguments[0], Array(arguments.dropFirst()))
        ?? Self.signatures(overloads))
  }

  /// Returns an argument as a value of another plain type; nil if there is no such conversion.
  private func conversion(of argument: Expression, from given: CELType, to wanted: CELType)
    -> String?
  {
    switch (types.resolve(given), wanted) {
    case (.string, .int), (.string, .double):
      guard case .literal(.string(let digits)) = argument.kind else {
        return "\(wanted)(\(argument))"
      }
      let isNumber = wanted == .int ? Int64(digits) != nil : Double(digits) != nil
      return isNumber ? digits : nil
    case (.double, .int): return "int(\(argument))"
    case (.int, .double):
      return Self.isLiteral(argument) ? "\(argument).0" : "double(\(argument))"
    case (.int, .string), (.double, .string), (.bool, .string): return "string(\(argument))"
    default: return nil
    }
  }

  /// Returns the text of a call with one argument replaced.
  private static func call(
    _ name: String, _ arguments: [Expression], isMethod: Bool, replacing index: Int,
    with text: String
  ) -> String {
    var texts = arguments.map(\.description)
    texts[index] = text
    guard isMethod else { return "\(name)(\(texts.joined(separator: ", ")))" }
    let receiver = index == 0 ? text : operandText(arguments[0])
    return "\(receiver).\(name)(\(texts.dropFirst().joined(separator: ", ")))"
  }

  /// Rewrites `"{} x".format(a)` with `%s` and a list.
  private func formatAdvice(_ name: String, _ text: Expression, _ rest: [Expression]) -> String? {
    guard name == "format", case .literal(.string(let pattern)) = text.kind, !rest.isEmpty else {
      return nil
    }
    let pieces = pattern.split(separator: "{", omittingEmptySubsequences: false)
    let here = pieces.dropFirst().reduce(String(pieces[0])) { line, piece in
      "\(line)%s\(piece.drop { $0 != "}" }.dropFirst())"
    }
    return
      "write `\(LiteralText.quoted(here)).format([\(rest.map(\.description).joined(separator: ", "))])`"
  }

  /// Suggests a list for several arguments of a function that takes one list of them.
  private func listAdvice(
    _ name: String, _ arguments: [Expression], _ overloads: [Function]
  ) -> String? {
    if let first = arguments.first,
      let format = formatAdvice(name, first, Array(arguments.dropFirst()))
    {
      return format
    }
    let isMethod = overloads[0].style == .method
    let given = arguments.dropFirst(isMethod ? 1 : 0)
    let takesList = overloads.contains { function in
      if function.parameters.count == (isMethod ? 2 : 1), case .list? = function.parameters.last {
        return true
      }
      return false
    }
    guard given.count > 1, takesList else { return nil }
    let list = "[\(given.map(\.description).joined(separator: ", "))]"
    return "write `\(isMethod ? excerpt(arguments[0]) + "." : "")\(name)(\(list))`"
  }

  /// Suggests a fix for a method that exists for another type only.
  private func receiverAdvice(
    _ name: String, _ arguments: [Expression], _ given: [CELType]
  ) -> String? {
    let type = types.resolve(given[0]).withoutNull
    switch type {
    case .list, .map:
      return ForeignName.method(
        name, on: arguments[0], type: type, arguments: Array(arguments.dropFirst()))
    case .string where name == "join" && arguments.count == 2:
      // As in Python, where the separator comes first.
      return "write `\(arguments[1]).join(\(arguments[0]))`"
    case .string where name == "slice":
      return ForeignName.method(
        name, on: arguments[0], type: type, arguments: Array(arguments.dropFirst()))
    case .int, .uint, .double, .bool:
      let rest = arguments.dropFirst().map(\.description).joined(separator: ", ")
      return "write `string(\(arguments[0])).\(name)(\(rest))`"
    default: return nil
    }
  }

  private static func wrongCount(
    _ name: String, _ count: Int, _ overloads: [Function]
  ) -> String {
    let receivers = overloads[0].style == .method ? 1 : 0
    let counts = Set(overloads.map { $0.parameters.count - receivers }).sorted()
    let wanted = counts.map(String.init).joined(separator: " or ")
    return
      "`\(name)` takes \(wanted) \(counts == [1] ? "argument" : "arguments"), not \(count - receivers)"
  }

  private static func signatures(_ overloads: [Function]) -> String {
    let shown = overloads.prefix(4).map { "`\($0.signature)`" }
    return "it is \(shown.joined(separator: " or "))" + (overloads.count > 4 ? " or …" : "")
  }
}

extension Function {
  /// Returns the types of `count` parameters, the last one repeated if variadic.
  func parameters(for count: Int) -> [CELType] {
    guard let last = parameters.last, count > parameters.count else { return parameters }
    return parameters + Array(repeating: last, count: count - parameters.count)
  }
}

extension Environment {
  /// Returns the names of functions of a style, and of macros, that resemble `name`.
  func functionNames(like name: String, style: Function.Style) -> [String] {
    let macros = ["all", "exists", "exists_one", "map", "filter", "sortBy", "transformList"]
    let names =
      FunctionLibrary.functionNames + Array(functions.keys) + deferredNames()
    // Building all overloads would dominate the time of reporting an error.
    let fitting = Suggestion.possible(for: name, in: names).filter {
      overloads(of: $0).contains { $0.style == style }
    }
    return style == .method ? fitting + macros + iterations.map(\.name) : fitting + ["has"]
  }

  /// Suggests the likely meaning of an unknown name: a function, or a value of another language.
  package func advice(onName name: String) -> String? {
    if let advice = ForeignName.value(name) { return advice }
    let overloads = overloads(of: name).filter { $0.style == .global }
    if overloads.contains(where: { $0.takes(0) }) { return "it is a function: write `\(name)()`" }
    return overloads.first.map { "it is a function: `\($0.signature)`" }
  }
}
