internal import Source

extension Checker {
  /// The type of what a name means.
  mutating func name(_ origin: Expression, _ name: String, isRooted: Bool) -> CELType {
    if !isRooted, let local = local(name) { return local }
    if let type = meaning(name, isRooted: isRooted) { return type }
    if environment.allowsUndeclaredNames { return .dyn }
    return report(
      .unknownName, "unknown name `\(name)`", at: origin.focus,
      help: environment.advice(onName: name) ?? Suggestion.help(for: name, in: namesInReach))
  }

  /// The type of a field, or of a qualified name that looks like one.
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

  /// The type of a field, as `has` and selection see it.
  mutating func selection(
    _ origin: Expression, _ field: String, of operand: CELType, isOptional: Bool
  ) -> CELType {
    func wrap(_ type: CELType) -> CELType { isOptional ? .optional(type) : type }
    switch operand {
    case .dyn: return wrap(.dyn)
    case .parameter:
      _ = types.assign(.dyn, to: operand)
      return wrap(.dyn)
    case .nullable(let type):
      return selection(origin, field, of: type, isOptional: isOptional)
    case .map(let key, let value):
      guard types.assign(.string, to: key) else {
        return report(
          .wrongType, "the keys of this map are \(name(key)), not text", at: origin.focus,
          help: "use an index, such as [1]")
      }
      return wrap(value)
    case .record(let record):
      guard let found = record[field] else {
        return report(
          .unknownField, "\(record.name) has no `\(field)`", at: origin.focus,
          help: Suggestion.help(for: field, in: record.fields.map(\.name)))
      }
      if found.isPresumed {
        presumed.insert(origin.description)
        return wrap(found.type.withoutNull)
      }
      return wrap(found.type)
    case .optional(let wrapped):
      return selection(origin, field, of: types.resolve(wrapped), isOptional: true)
    case .object(let name):
      guard let type = environment.objectType(named: name) else { return wrap(.dyn) }
      guard let fieldType = type.type(of: field) else {
        return report(
          .unknownField, "`\(name)` has no field `\(field)`", at: origin.focus,
          help: Suggestion.help(for: field, in: type.fields.map(\.name)))
      }
      if type.presumed.contains(field) {
        presumed.insert(origin.description)
        return wrap(fieldType.withoutNull)
      }
      // A field that is null counts as one that is not there, as `has` sees it.
      return isOptional ? .optional(fieldType.withoutNull) : fieldType
    default:
      return report(
        .unknownField, "\(name(operand)) has no fields, so there is no `\(field)`",
        at: origin.focus, help: fieldAdvice(origin, field, of: operand))
    }
  }

  /// The type of an element.
  mutating func index(
    _ origin: Expression, _ operand: Expression, _ index: Expression, isOptional: Bool
  ) -> CELType {
    var operandType = types.resolve(check(operand))
    if !isOptional {
      operandType = present(
        operandType, operand, for: "null has no elements", member: origin)
    }
    let indexType = present(check(index), index, for: "no element has it for an index")
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
    switch operand {
    case .dyn: return .dyn
    case .parameter:
      _ = types.assign(.dyn, to: operand)
      return .dyn
    case .nullable(let type): return element(origin, of: type, index, indexType)
    case .list(let element):
      if !types.assign(indexType, to: .int) {
        return report(
          .wrongType, "the index of a list must be int, not \(name(indexType))", at: index.range)
      }
      if case .literal(.int(let position)) = index.kind, position < 0 {
        return report(
          .wrongArguments, "a list has no element \(position): the first one is 0",
          at: index.range, help: endAdvice(origin, position))
      }
      return element
    case .record:
      if case .literal(.string(let field)) = index.kind {
        return selection(origin, field, of: operand, isOptional: false)
      }
      return element(origin, of: operand.withoutRecord, index, indexType)
    case .map(let key, let value):
      if !types.assign(indexType, to: key) {
        return report(
          .wrongType, "the keys of this map are \(name(key)), not \(name(indexType))",
          at: index.range)
      }
      return value
    default: return report(.wrongType, "can't index \(name(operand))", at: origin.range)
    }
  }

  /// The type of an object under construction.
  mutating func object(
    _ origin: Expression, _ name: String, _ fields: [Expression.Field], isRooted: Bool
  ) -> CELType {
    let candidates = environment.candidates(for: name, isRooted: isRooted)
    let known = environment
    guard let type = candidates.lazy.compactMap({ known.objectType(named: $0) }).first else {
      for field in fields { _ = check(field.value) }
      return report(.unknownName, "unknown type `\(name)`", at: origin.focus)
    }
    for field in fields {
      var given = check(field.value)
      guard let wanted = type.type(of: field.name) else {
        _ = report(
          .unknownField, "`\(type.name)` has no field `\(field.name)`", at: field.nameRange,
          help: Suggestion.help(for: field.name, in: type.fields.map(\.name)))
        continue
      }
      if !wanted.admitsNull {
        given = present(given, field.value, for: "`\(field.name)` takes no null")
      }
      if !types.assign(given, to: field.isOptional ? .optional(wanted) : wanted) {
        _ = report(
          .wrongType, "`\(field.name)` must be \(wanted), not \(self.name(given))",
          at: field.value.range)
      }
    }
    return .object(type.name)
  }

  // MARK: - Meanings

  /// The type of a declared variable, or of a type used as a value.
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
