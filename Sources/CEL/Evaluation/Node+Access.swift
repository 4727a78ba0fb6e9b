/// `operand.field` and `operand.?field`.
struct SelectNode: Node {
  /// What it is applied to.
  let operand: any Node
  /// The name of the field.
  let field: String
  /// Whether it was written with a question mark.
  let isOptional: Bool
  /// Where it stands in the expression.
  let origin: Expression

  func evaluate(_ frame: inout Frame) throws(EvaluationError) -> Value {
    let value = try operand.evaluate(&frame)
    if isOptional, value.isNull { return .optional(.none) }
    switch value {
    case .optional(let optional):
      guard let wrapped = optional.wrapped else { return .optional(.none) }
      return try Access.optionalField(field, of: wrapped, at: origin)
    case _ where isOptional: return try Access.optionalField(field, of: value, at: origin)
    case .map(let map):
      if let found = map[field] { return found }
      throw EvaluationError(.noSuchKey(.string(field)), at: origin)
    case .object(let object):
      if let found = object.field(field) { return found }
      throw EvaluationError(
        .noSuchField(field, type: object.typeName, known: object.fieldNames), at: origin)
    default: throw EvaluationError(.noFields(value.kindName), at: origin)
    }
  }

  var cost: Int { 1 + operand.cost }
}

/// `has(operand.field)`.
struct HasNode: Node {
  /// What it is applied to.
  let operand: any Node
  /// The name of the field.
  let field: String
  /// Where it stands in the expression.
  let origin: Expression

  func evaluate(_ frame: inout Frame) throws(EvaluationError) -> Value {
    var value = try operand.evaluate(&frame)
    if case .optional(let optional) = value {
      guard let wrapped = optional.wrapped else { return .bool(false) }
      value = wrapped
    }
    switch value {
    case .map(let map): return .bool(map[field] != nil)
    case .object(let object): return .bool(try has(object))
    default: throw EvaluationError(.noFields(value.kindName), at: origin)
    }
  }

  private func has(_ object: any ObjectValue) throws(EvaluationError) -> Bool {
    if object.hasField(field) { return true }
    if object.field(field) != nil { return false }
    throw EvaluationError(
      .noSuchField(field, type: object.typeName, known: object.fieldNames), at: origin)
  }

  var cost: Int { 1 + operand.cost }
}

/// `operand[index]` and `operand[?index]`.
struct IndexNode: Node {
  /// What it is applied to.
  let operand: any Node
  /// The index.
  let index: any Node
  /// Whether it was written with a question mark.
  let isOptional: Bool
  /// Where it stands in the expression.
  let origin: Expression

  func evaluate(_ frame: inout Frame) throws(EvaluationError) -> Value {
    let value = try operand.evaluate(&frame)
    let key = try index.evaluate(&frame)
    if case .optional(let optional) = value {
      guard let wrapped = optional.wrapped else { return .optional(.none) }
      let found = try Access.element(key, of: wrapped, at: origin)
      return .optional(found.map(OptionalValue.init) ?? .none)
    }
    if isOptional, value.isNull { return .optional(.none) }
    let found = try Access.element(key, of: value, at: origin)
    if isOptional { return .optional(found.map(OptionalValue.init) ?? .none) }
    if let found { return found }
    if case .list(let list) = value {
      throw EvaluationError(
        .outOfRange(Access.position(key) ?? -1, count: list.count), at: origin)
    }
    throw EvaluationError(.noSuchKey(key), at: origin)
  }

  var cost: Int { 1 + operand.cost + index.cost }
}

/// Finds parts of values.
enum Access {
  /// The element of a list, or the value of a key; nil when there is none.
  static func element(
    _ key: Value, of value: Value, at origin: Expression
  ) throws(EvaluationError) -> Value? {
    switch value {
    case .list(let list):
      guard let position = position(key) else {
        throw EvaluationError(.badIndex(key.kindName), at: origin)
      }
      guard position >= 0, position < Int64(list.count) else { return nil }
      return list[Int(position)]
    case .map(let map): return map[key]
    case .object(let object):
      guard case .string(let name) = key else {
        throw EvaluationError(.notIndexable(value.kindName), at: origin)
      }
      return object.field(name)
    default: throw EvaluationError(.notIndexable(value.kindName), at: origin)
    }
  }

  /// The position that a number stands for; nil for one that is not whole.
  static func position(_ key: Value) -> Int64? {
    switch key {
    case .int(let value): value
    case .uint(let value): Int64(clamping: value)
    case .double(let value): Int64(exactly: value)
    default: nil
    }
  }

  /// The field of what an optional holds, as an optional.
  static func optionalField(
    _ field: String, of value: Value, at origin: Expression
  ) throws(EvaluationError) -> Value {
    switch value {
    case .map(let map): return .optional(map[field].map(OptionalValue.init) ?? .none)
    case .object(let object):
      guard object.hasField(field), let found = object.field(field) else {
        return .optional(.none)
      }
      return .optional(OptionalValue(found))
    default: throw EvaluationError(.noFields(value.kindName), at: origin)
    }
  }
}
