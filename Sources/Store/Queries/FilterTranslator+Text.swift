import CEL

extension FilterTranslator {
  /// A call that gives a truth value: tests of text, `has`, and macros over lists.
  func call(
    _ name: String, _ receiver: Expression?, _ arguments: [Expression]
  ) -> FilterTerm? {
    guard let receiver else { return name == "has" ? presence(arguments) : nil }
    switch (name, arguments.count) {
    case ("contains", 1), ("startsWith", 1), ("endsWith", 1):
      guard let text = term(receiver), text.kind == .string,
        case .string(let part)? = constant(arguments[0])
      else { return nil }
      return textTest(name, text, part)
    case ("all", 2), ("exists", 2):
      guard case .identifier(let variable, _) = arguments[0].kind else { return nil }
      return quantified(
        over: receiver, variable, arguments[1], isUniversal: name == "all")
    default: return nil
    }
  }

  /// `has(self.name)`.
  private func presence(_ arguments: [Expression]) -> FilterTerm? {
    guard arguments.count == 1,
      case .select(let operand, let field, isOptional: false) = arguments[0].kind, isItem(operand)
    else { return nil }
    if property(field) != nil { return FilterTerm("(t.\(name: field) IS NOT NULL)", .bool) }
    return ["id", "ref", "uid", "entity", "createdAt", "updatedAt", "isSaved"].contains(field)
      ? FilterTerm("1", .bool) : nil
  }

  private func textTest(_ name: String, _ text: FilterTerm, _ part: String) -> FilterTerm? {
    let count = SQLValue.int(Int64(part.unicodeScalars.count))
    let nulls = FilterTerm.failing(text)
    // Every text has the empty one in it, but null has nothing.
    if part.isEmpty { return FilterTerm("(length(\(text.sql)) >= 0)", .bool, nulls: nulls) }
    return switch name {
    case "contains":
      FilterTerm("(instr(\(text.sql), \(.text(part))) > 0)", .bool, nulls: nulls)
    case "startsWith":
      FilterTerm("(substr(\(text.sql), 1, \(count)) = \(.text(part)))", .bool, nulls: nulls)
    default:
      FilterTerm("(substr(\(text.sql), -\(count)) = \(.text(part)))", .bool, nulls: nulls)
    }
  }

  /// A function from text to text.
  func textFunction(
    _ name: String, _ receiver: Expression?, _ arguments: [Expression]
  ) -> FilterTerm? {
    guard arguments.isEmpty, let receiver, ["lowerAscii", "upperAscii"].contains(name),
      let text = term(receiver), text.kind == .string
    else { return nil }
    // SQLite folds ASCII alone, as these do.
    let function = name == "lowerAscii" ? "lower" : "upper"
    return FilterTerm(
      "\(raw: function)(\(text.sql))", .string, nulls: FilterTerm.failing(text))
  }

  /// `size(self.name)` and `self.name.size()`, of text or a list.
  func size(_ name: String, _ receiver: Expression?, _ arguments: [Expression]) -> FilterTerm? {
    guard name == "size", arguments.count + (receiver == nil ? 0 : 1) == 1,
      let operand = receiver ?? arguments.first
    else { return nil }
    if let text = term(operand) {
      guard text.kind == .string else { return nil }
      return FilterTerm("length(\(text.sql))", .int, nulls: FilterTerm.failing(text))
    }
    guard let list = list(operand) else { return nil }
    return FilterTerm("json_array_length(\(list.column))", .int, nulls: list.nulls)
  }
}
