extension Checker {
  /// Returns the type without null, and reports a nullable one; `reason` says why null is not allowed.
  mutating func present(
    _ type: CELType, _ part: Expression, for reason: String, member: Expression? = nil
  ) -> CELType {
    guard case .nullable(let wrapped) = types.resolve(type) else { return type }
    let present = wrapped.withoutNull
    reportNull(
      part, "`\(excerpt(part))` may be null, and \(reason)",
      help: member.map { waysToMember($0, of: part, types.resolve(present)) }
        ?? waysOut(part, types.resolve(present)))
    return present
  }

  /// Reports a null or nullable argument, or one with null elements, for a function that does not accept null.
  mutating func presentArgument(
    _ given: CELType, _ part: Expression, wanted: [CELType], of name: String
  ) {
    if wanted.contains(where: { $0.admitsNull && !(name.hasPrefix("math.") && $0 == .dyn) }) {
      return
    }
    let given = types.resolve(given)
    if given == .null {
      reportNull(part, "`\(name)` does not accept null", help: "give it a value")
    } else if case .nullable = given {
      _ = present(given, part, for: "`\(name)` does not accept null")
    } else if wanted.allSatisfy({ hasNullWithin(given, where: $0) }) {
      let text = excerpt(part)
      reportNull(
        part, "`\(text)` may contain null, and `\(name)` does not accept null",
        help: "leave null out with `\(text).filter(x, x != null)`, "
          + "or give a default with `coalesce`")
    }
  }

  /// The parts of an operand that are not null where a query matches, since an operation on null
  /// has no result there: the operand, and what its methods are called on.
  func absorbed(in operand: Expression) -> [String] {
    guard absorbsNull else { return [] }
    var found: [String] = []
    var next: Expression? = operand
    while let part = next {
      if case .nullable = checkedType(of: part) { found.append(part.description) }
      next = nil
      if case .call(let name, let receiver?, _, _) = part.kind,
        environment.overloads(of: name).allSatisfy({
          $0.style == .method && $0.parameters.first?.admitsNull == false
        })
      {
        next = receiver
      }
    }
    return found
  }

  /// Whether elements may be null although the wanted element type does not admit null.
  private func hasNullWithin(_ given: CELType, where wanted: CELType) -> Bool {
    guard case .list(let element) = given, case .list(let other) = wanted else { return false }
    if case .nullable = types.resolve(element) { return !other.admitsNull }
    return hasNullWithin(types.resolve(element), where: other)
  }

  // MARK: - Suggestions

  /// Suggests how to handle a nullable value.
  private func waysOut(_ part: Expression, _ type: CELType) -> String {
    let text = excerpt(part)
    if type == .bool {
      return "write `\(text) == true`, or `coalesce(\(text), false)`, "
        + "or test it first: `\(text) != null && …`"
    }
    let other = Self.plainValue(of: type)
    var help = "write `coalesce(\(text), \(other))`, or test it first: `\(text) != null ? … : …`"
    if case .select(let operand, let field, false) = part.kind {
      help += ", or use `\(excerpt(operand)).?\(field).orValue(\(other))`"
    }
    return help
  }

  /// Suggests how to access a member of a nullable value.
  private func waysToMember(
    _ member: Expression, of part: Expression, _ type: CELType
  ) -> String {
    let text = excerpt(part)
    let optional: Expression
    var other = "…"
    switch member.kind {
    case .select(let operand, let field, _):
      if let type = record(of: type)?[field]?.type.withoutNull { other = Self.plainValue(of: type) }
      optional = Expression(.select(operand, field: field, isOptional: true))
    case .index(let operand, let index, _):
      optional = Expression(.index(operand, index, isOptional: true))
    default: optional = member
    }
    return "write `\(excerpt(optional)).orValue(\(other))`, "
      + "or test it first: `\(text) != null ? \(excerpt(member)) : …`, "
      + "or give a default with `coalesce(\(text), …)`"
  }

  /// Returns a plausible default value of a type.
  private static func plainValue(of type: CELType) -> String {
    switch type {
    case .string: "\"\""
    case .int: "0"
    case .uint: "0u"
    case .double: "0.0"
    case .list: "[]"
    case .map: "{}"
    case .duration: "duration(\"0s\")"
    default: "…"
    }
  }

  /// Returns the source of an expression, shortened for a message.
  func excerpt(_ expression: Expression) -> String { EvaluationError.Reason.excerpt(expression) }
}
