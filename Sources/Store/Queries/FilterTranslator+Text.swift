import CEL
import Items

extension FilterTranslator {
  /// A call that gives a truth value: tests of text, `has`, and macros over lists.
  func call(
    _ name: String, _ receiver: Expression?, _ arguments: [Expression]
  ) -> FilterTerm? {
    guard let receiver else { return name == "has" ? presence(arguments) : nil }
    switch (name, arguments.count) {
    case ("hasValue", 0): return optionalField(receiver).flatMap(presence(of:))
    case ("contains", 1), ("startsWith", 1), ("endsWith", 1):
      guard let text = operand(receiver), text.kind == .string else { return nil }
      if case .string(let part)? = constant(arguments[0]) { return textTest(name, text, part) }
      guard let part = term(arguments[0]), part.kind == .string else { return nil }
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
    return presence(of: field)
  }

  private func presence(of field: String) -> FilterTerm? {
    if property(field) != nil { return FilterTerm("(t.\(name: field) IS NOT NULL)", .bool) }
    return ["id", "ref", "uid", "entity", "createdAt", "updatedAt", "isSaved"].contains(field)
      ? FilterTerm("1", .bool) : nil
  }

  // MARK: Tests

  private func textTest(_ name: String, _ text: FilterTerm, _ part: String) -> FilterTerm? {
    let count = SQLValue.int(Int64(part.unicodeScalars.count))
    let nulls = FilterTerm.failing(text)
    // Every text has the empty one in it, but null has nothing.
    if part.isEmpty { return FilterTerm("(length(\(text.sql)) >= 0)", .bool, nulls: nulls) }
    switch name {
    case "contains":
      return FilterTerm("(instr(\(text.sql), \(.text(part))) > 0)", .bool, nulls: nulls)
    case "startsWith" where text.column != nil:
      // Texts are in the order of their code points, and those with a beginning side by side.
      var sql: SQL = "(\(text.sql) >= \(.text(part))"
      if let end = Self.successor(of: part) { sql.append(" AND \(text.sql) < \(.text(end))") }
      sql.append(")")
      var result = FilterTerm(sql, .bool, nulls: nulls)
      result.indexUse = indexUse(ofRange: text)
      result.indexed = text.column
      return result
    case "startsWith":
      return FilterTerm(
        "(substr(\(text.sql), 1, \(count)) = \(.text(part)))", .bool, nulls: nulls)
    default:
      return FilterTerm("(substr(\(text.sql), -\(count)) = \(.text(part)))", .bool, nulls: nulls)
    }
  }

  /// The least text after all that begin with one; nil when there is none.
  private static func successor(of text: String) -> String? {
    var scalars = Array(text.unicodeScalars)
    while let last = scalars.popLast() {
      // No text has surrogates, so U+E000 comes right after U+D7FF.
      let next = last.value == 0xD7FF ? 0xE000 : last.value + 1
      guard let scalar = Unicode.Scalar(next) else { continue }
      var successor = String.UnicodeScalarView(scalars)
      successor.append(scalar)
      return String(successor)
    }
    return nil
  }

  private func textTest(_ name: String, _ text: FilterTerm, _ part: FilterTerm) -> FilterTerm? {
    let nulls = FilterTerm.failing(text, part)
    let sql: SQL =
      switch name {
      case "contains": "(instr(\(text.sql), \(part.sql)) > 0)"
      case "startsWith": "(substr(\(text.sql), 1, length(\(part.sql))) = \(part.sql))"
      default:
        """
        (length(\(text.sql)) >= length(\(part.sql)) AND \
        substr(\(text.sql), length(\(text.sql)) - length(\(part.sql)) + 1) = \(part.sql))
        """
      }
    return FilterTerm(sql, .bool, nulls: nulls)
  }

  // MARK: Functions

  /// A method of a text, the tests aside.
  func textFunction(
    _ name: String, _ text: FilterTerm, _ arguments: [Expression]
  ) -> FilterTerm? {
    let nulls = FilterTerm.failing(text)
    switch (name, arguments.count) {
    // SQLite folds ASCII alone, as these do.
    case ("lowerAscii", 0): return FilterTerm("lower(\(text.sql))", .string, nulls: nulls)
    case ("upperAscii", 0): return FilterTerm("upper(\(text.sql))", .string, nulls: nulls)
    case ("trim", 0):
      return FilterTerm("trim(\(text.sql), \(.text(Self.whiteSpace)))", .string, nulls: nulls)
    case ("charAt", 1):
      guard let position = position(arguments[0], in: text) else { return nil }
      return FilterTerm("substr(\(text.sql), \(.int(position + 1)), 1)", .string, nulls: nulls)
    case ("substring", 1):
      guard let start = position(arguments[0], in: text) else { return nil }
      return FilterTerm("substr(\(text.sql), \(.int(start + 1)))", .string, nulls: nulls)
    case ("substring", 2):
      guard case .int(let start)? = constant(arguments[0]), start >= 0,
        let end = position(arguments[1], in: text), start <= end
      else { return nil }
      return FilterTerm(
        "substr(\(text.sql), \(.int(start + 1)), \(.int(end - start)))", .string, nulls: nulls)
    case ("indexOf", 1):
      guard let part = plainText(arguments[0]) else { return nil }
      return FilterTerm(
        "(instr(\(text.sql), \(.text(part))) - 1)", .int, nulls: nulls,
        range: -1...Self.maximumSize)
    case ("replace", 2):
      guard let old = plainText(arguments[0]), !old.isEmpty, let new = plainText(arguments[1])
      else { return nil }
      // Texts that grow at every step would end far beyond what either world can hold.
      let growth = Int64(new.utf8.count / old.utf8.count)
      if new.utf8.count > old.utf8.count,
        !doubt("length(\(text.sql)) > \(.int(Self.maximumGrown / max(growth, 1)))")
      {
        return nil
      }
      return FilterTerm(
        "replace(\(text.sql), \(.text(old)), \(.text(new)))", .string, nulls: nulls)
    default: return nil
    }
  }

  /// How long texts may become in SQL, in characters.
  private static let maximumGrown: Int64 = 1 << 20

  /// A fixed position, beyond which a text may end.
  private func position(_ expression: Expression, in text: FilterTerm) -> Int64? {
    guard case .int(let position)? = constant(expression),
      (0...Self.maximumSize).contains(position)
    else { return nil }
    if position == 0 { return position }
    return doubt("length(\(text.sql)) < \(.int(position))") ? position : nil
  }

  /// A fixed text without NUL, at which SQLite's functions would end it.
  private func plainText(_ expression: Expression) -> String? {
    guard case .string(let text)? = constant(expression), !text.utf8.contains(0) else {
      return nil
    }
    return text
  }

  /// What Unicode counts as white space.
  private static let whiteSpace = """
    \u{9}\u{A}\u{B}\u{C}\u{D}\u{20}\u{85}\u{A0}\u{1680}\u{2000}\u{2001}\u{2002}\u{2003}\u{2004}\
    \u{2005}\u{2006}\u{2007}\u{2008}\u{2009}\u{200A}\u{2028}\u{2029}\u{202F}\u{205F}\u{3000}
    """

  // MARK: Sizes

  /// `size(self.name)` and `self.name.size()`, of text or a list.
  func size(_ receiver: Expression?, _ arguments: [Expression]) -> FilterTerm? {
    guard arguments.count + (receiver == nil ? 0 : 1) == 1,
      let operand = receiver ?? arguments.first
    else { return nil }
    if let list = list(operand) {
      return FilterTerm(
        "json_array_length(\(list.column))", .int, nulls: list.nulls, range: 0...Self.maximumSize)
    }
    guard let text = term(operand), text.kind == .string else { return nil }
    return FilterTerm(
      "length(\(text.sql))", .int, nulls: FilterTerm.failing(text), range: 0...Self.maximumSize)
  }

  /// More characters or elements than a value of SQLite can have.
  private static let maximumSize: Int64 = 1 << 31
}
