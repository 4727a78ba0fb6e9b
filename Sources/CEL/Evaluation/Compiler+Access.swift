extension Compiler {
  /// Compiles a field access, or a qualified name that looks like one.
  mutating func select(
    _ origin: Expression, _ operand: Expression, _ field: String, isOptional: Bool
  ) throws(ExpressionError) -> Node {
    if !isOptional, let name = origin.qualifiedName, !beginsWithLocal(origin),
      let node = qualified(origin, name, isRooted: origin.isRootedName)
    {
      return node
    }
    let part = try compile(operand)
    let access = FieldAccess(name: field, origin: origin)
    return fold([part]) { frame throws(EvaluationError) in
      let value = try part.evaluate(&frame)
      switch value {
      case .optional(let optional):
        return try optional.wrapped.map(access.optional) ?? .optional(.none)
      case .null where isOptional: return .optional(.none)
      case _ where isOptional: return try access.optional(value)
      default:
        if let found = try access.find(in: value) { return found }
        throw access.missing(in: value)
      }
    }
  }

  /// Compiles `has(operand.field)`.
  mutating func has(_ argument: Expression) throws(ExpressionError) -> Node {
    guard case .select(let operand, let field, false) = argument.kind else {
      throw Self.problem(
        "`has` takes a field, as in has(self.title)", argument, help: "compare with null instead")
    }
    let part = try compile(operand)
    let access = FieldAccess(name: field, origin: argument)
    return fold([part]) { frame throws(EvaluationError) in
      let value = try part.evaluate(&frame)
      guard case .optional(let optional) = value else { return .bool(try access.exists(in: value)) }
      return .bool(try optional.wrapped.map(access.exists) ?? false)
    }
  }

  /// Compiles `operand[index]` and `operand[?index]`.
  mutating func index(
    _ origin: Expression, _ operand: Expression, _ index: Expression, isOptional: Bool
  ) throws(ExpressionError) -> Node {
    let operand = try compile(operand)
    let index = try compile(index)
    return fold([operand, index]) { frame throws(EvaluationError) in
      let value = try operand.evaluate(&frame)
      let key = try index.evaluate(&frame)
      switch value {
      case .optional(let optional):
        guard let wrapped = optional.wrapped else { return value }
        return .optional(OptionalValue(try wrapped.element(key, at: origin)))
      case .null where isOptional: return .optional(.none)
      default: break
      }
      let found = try value.element(key, at: origin)
      if isOptional { return .optional(OptionalValue(found)) }
      if let found { return found }
      guard case .list(let list) = value else {
        throw EvaluationError(.noSuchKey(key, in: value), at: origin)
      }
      let elements = list.count == 1 ? "1 element" : "\(list.count) elements"
      let words = "index \(key.position ?? -1) is out of range: the list has \(elements)"
      throw EvaluationError(.stated(.invalidArgument, words), at: origin)
    }
  }
}

/// A field name to look up in values.
private struct FieldAccess: Sendable {
  let name: String
  let origin: Expression

  /// Returns the field of a map or an object; nil if absent.
  func find(in value: Value) throws(EvaluationError) -> Value? {
    switch value {
    case .map(let map): return map[name]
    case .object(let object): return object.field(name)
    default:
      throw EvaluationError(
        .unfit("cannot take a field of", kind: value.kindName), at: origin, help: advice(on: value))
    }
  }

  /// The advice for a text that is JSON.
  private func advice(on value: Value) -> String? {
    guard case .string(let text) = value, let first = text.utf8.first(where: { $0 > 0x20 }),
      "{[".utf8.contains(first)
    else { return nil }
    return "it is text that has not been parsed: `parseJson(…)`, or `{json: …}` as a fake's reply"
  }

  /// Returns the field as an optional, which is empty if the field is not set.
  func optional(_ value: Value) throws(EvaluationError) -> Value {
    if case .object(let object) = value, !object.hasField(name) { return .optional(.none) }
    return .optional(OptionalValue(try find(in: value)))
  }

  /// Returns whether a value has the field and it is set.
  func exists(in value: Value) throws(EvaluationError) -> Bool {
    if case .object(let object) = value, object.hasField(name) { return true }
    let found = try find(in: value)
    guard case .object = value else { return found != nil }
    if found == nil { throw missing(in: value) }
    return false
  }

  /// Returns the error for a value without the field.
  func missing(in value: Value) -> EvaluationError {
    guard case .object(let object) = value else {
      return EvaluationError(.noSuchKey(.string(name), in: value), at: origin)
    }
    return EvaluationError(
      .noSuchField(name, type: object.typeName, known: object.fieldNames), at: origin)
  }
}

extension Value {
  /// Returns the element of a list or the value of a key; nil if absent.
  fileprivate func element(_ key: Value, at origin: Expression) throws(EvaluationError) -> Value? {
    switch (self, key) {
    case (.list(let list), _):
      guard let position = key.position else {
        throw EvaluationError(.unfit("cannot index a list with", kind: key.kindName), at: origin)
      }
      guard position >= 0, position < Int64(list.count) else { return nil }
      return list[Int(position)]
    case (.map(let map), _): return map[key]
    case (.object(let object), .string(let name)): return object.field(name)
    default: throw EvaluationError(.unfit("cannot index", kind: kindName), at: origin)
    }
  }

  /// The list index that a number stands for; nil if it is not an integer.
  fileprivate var position: Int64? {
    switch self {
    case .int(let value): value
    case .uint(let value): Int64(clamping: value)
    case .double(let value): Int64(exactly: value)
    default: nil
    }
  }
}
