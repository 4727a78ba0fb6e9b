internal import Source

extension Checker {
  /// Infers the type of a name.
  mutating func name(_ origin: Expression, _ name: String, isRooted: Bool) -> CELType {
    if !isRooted, let local = local(name) { return local }
    if let type = meaning(name, isRooted: isRooted) { return type }
    if environment.allowsUndeclaredNames { return .dyn }
    return report(
      .unknownName, "unknown name `\(name)`", at: origin.focus,
      help: environment.advice(onName: name) ?? Suggestion.help(for: name, in: namesInReach))
  }

  /// Infers the type of a field, or of a qualified name that looks like one.
  mutating func select(
    _ origin: Expression, _ operand: Expression, _ field: String, isOptional: Bool
  ) -> CELType {
    if !isOptional, let name = origin.qualifiedName, !beginsWithLocal(origin),
      let type = meaning(name, isRooted: origin.isRootedName)
    {
      return type
    }
    var operandType = types.resolve(check(operand))
    if !isOptional {
      operandType = present(
        operandType, operand, for: "null has no field `\(field)`", member: origin)
      if missing(field, in: operand, at: origin) { return .dyn }
    }
    return selection(origin, field, of: operandType, isOptional: isOptional)
  }

  /// Infers the type of a field for `has` and for selection.
  mutating func selection(
    _ origin: Expression, _ field: String, of operand: CELType, isOptional: Bool
  ) -> CELType {
    func wrap(_ type: CELType) -> CELType { isOptional ? .optional(type) : type }
    let operand = opened(operand)
    switch operand {
    case .dyn: return wrap(.dyn)
    case .map(let key, let value):
      guard types.assign(.string, to: key) else {
        return report(
          .wrongType, "the keys of this map are \(name(key)), not text", at: origin.focus,
          help: "use an index, such as [1]")
      }
      return wrap(value)
    case .optional(let wrapped):
      return selection(origin, field, of: types.resolve(wrapped), isOptional: true)
    case .object, .record:
      guard let record = record(of: operand) else { return wrap(.dyn) }
      let isObject = operand == .object(record.name)
      guard let found = record[field] else {
        return report(
          .unknownField,
          isObject
            ? "`\(record.name)` has no field `\(field)`" : "\(record.name) has no `\(field)`",
          at: origin.focus,
          help: pathAdvice(origin, field, in: record)
            ?? Suggestion.help(for: field, in: record.names))
      }
      if found.isPresumed { presumed.insert(origin.description) }
      // A null field counts as absent, as in `has`.
      let isSet = found.isPresumed || isObject && isOptional
      return wrap(isSet ? found.type.withoutNull : found.type)
    default:
      return report(
        .unknownField, "\(name(operand)) has no fields, so there is no `\(field)`",
        at: origin.focus, help: fieldAdvice(origin, field, of: operand))
    }
  }

  /// Returns the fields of a type; nil if they are unknown.
  func record(of type: CELType) -> RecordType? {
    switch type {
    case .object(let name): environment.objectType(named: name)?.record
    case .record(let record): record
    default: nil
    }
  }

  /// Infers the type of an indexed element.
  mutating func index(
    _ origin: Expression, _ operand: Expression, _ index: Expression, isOptional: Bool
  ) -> CELType {
    var operandType = types.resolve(check(operand))
    if !isOptional {
      know(origin, asElementOf: outcome.elements, mayBeAbsent: false)
      operandType = present(
        operandType, operand, for: "null has no elements", member: origin)
    }
    let indexType = present(check(index), index, for: "null is not an index")
    if !isOptional, missing(origin, in: operand, at: index) { return .dyn }
    func wrap(_ type: CELType) -> CELType { isOptional ? .optional(type) : type }
    if case .optional(let wrapped) = operandType {
      return .optional(element(origin, of: types.resolve(wrapped), index, indexType))
    }
    return wrap(element(origin, of: operandType, index, indexType))
  }

  private mutating func element(
    _ origin: Expression, of operand: CELType, _ index: Expression, _ indexType: CELType
  ) -> CELType {
    let operand = opened(operand)
    switch operand {
    case .dyn: return .dyn
    case .list(let element):
      if case .literal(.string(let digits)) = index.kind, Int64(digits) != nil {
        return report(
          .wrongType, "the index of a list must be int, not string", at: index.range,
          help: "write `\(digits)`")
      }
      guard expect(indexType, .int, "the index of a list must be int", at: index) else {
        return .dyn
      }
      if case .literal(.int(let position)) = index.kind, position < 0 {
        return report(
          .wrongArguments, "a list has no element \(position): the first one is 0",
          at: index.range, help: endAdvice(origin, position), mending: origin.range)
      }
      return element
    case .record:
      if case .literal(.string(let field)) = index.kind {
        return selection(origin, field, of: operand, isOptional: false)
      }
      return element(origin, of: operand.withoutRecord, index, indexType)
    case .map(let key, let value):
      return expect(indexType, key, "the keys of this map are \(name(key))", at: index)
        ? value : .dyn
    default:
      return report(
        .wrongType, "cannot index \(name(operand))", at: origin.range,
        help: letterAdvice(origin, of: operand))
    }
  }

  /// Infers the type of an object construction.
  mutating func object(
    _ origin: Expression, _ name: String, _ fields: [Expression.Element], isRooted: Bool
  ) -> CELType {
    guard let type = environment.objectType(name, isRooted: isRooted) else {
      for field in fields { _ = check(field.value) }
      return report(.unknownName, "unknown type `\(name)`", at: origin.focus)
    }
    for field in fields {
      var given = check(field.value)
      guard let wanted = type.record[field.name]?.type else {
        report(
          .unknownField, "`\(type.name)` has no field `\(field.name)`",
          at: field.key?.range ?? origin.range,
          help: Suggestion.help(for: field.name, in: type.record.names))
        continue
      }
      if !wanted.admitsNull {
        given = present(given, field.value, for: "`\(field.name)` does not accept null")
      }
      expect(
        given, field.isOptional ? .optional(wanted) : wanted,
        "`\(field.name)` must be \(wanted)", at: field.value)
    }
    return .object(type.name)
  }

  // MARK: - Meanings

  /// Returns the type without `?`, and binds an open type to `dyn`.
  mutating func opened(_ type: CELType) -> CELType {
    let type = type.withoutNull
    guard case .parameter = type else { return type }
    _ = types.assign(.dyn, to: type)
    return .dyn
  }

  /// Returns the type of a declared variable, or of a type used as a value.
  private func meaning(_ name: String, isRooted: Bool) -> CELType? {
    switch environment.meaning(of: name, isRooted: isRooted) {
    case .variable(_, let type): type
    case .type(_, let type): .type(type)
    case nil: nil
    }
  }

  /// Whether a chain of names begins with a macro's variable.
  func beginsWithLocal(_ expression: Expression) -> Bool {
    expression.firstName.flatMap(local) != nil
  }
}
