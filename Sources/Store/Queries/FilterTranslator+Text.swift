import CEL
import Items

extension FilterTranslator {
  /// A Boolean call: text tests, `has`, and macros over lists.
  func call(_ name: String, _ receiver: Expression?, _ arguments: [Expression]) -> FilterTerm? {
    guard let receiver else { return name == "has" ? presence(arguments) : nil }
    switch (name, arguments.count) {
    case ("isPast", 0): return term(receiver).flatMap(isPast)
    case ("hasValue", 0): return optionalField(receiver).flatMap(presence(of:))
    case ("contains", 1), ("startsWith", 1), ("endsWith", 1):
      guard let text = operand(receiver), text.kind == .string, let part = operand(arguments[0]),
        part.kind == .string
      else { return nil }
      return textTest(name, text, part)
    case ("all", 2), ("exists", 2):
      guard case .identifier(let variable, _) = arguments[0].kind else { return nil }
      return quantified(over: receiver, variable, arguments[1], isUniversal: name == "all")
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

  /// `self.name.startsWith("part")` as a range: texts are ordered by code point.
  private func beginning(_ text: FilterTerm, _ part: String) -> FilterTerm {
    var sql: SQL = "(\(text.sql) >= \(.text(part))"
    if let end = Self.successor(of: part) { sql.append(" AND \(text.sql) < \(.text(end))") }
    sql.append(")")
    var result = FilterTerm(sql, .bool, nulls: FilterTerm.failing(text))
    result.indexUse = indexUse(ofRange: text)
    result.indexed = text.column
    return result
  }

  /// The least text greater than all with a prefix; nil when there is none.
  private static func successor(of text: String) -> String? {
    var scalars = Array(text.unicodeScalars)
    while let last = scalars.popLast() {
      // Texts contain no surrogates, so U+E000 follows U+D7FF.
      let next = last.value == 0xD7FF ? 0xE000 : last.value + 1
      guard let scalar = Unicode.Scalar(next) else { continue }
      var successor = String.UnicodeScalarView(scalars)
      successor.append(scalar)
      return String(successor)
    }
    return nil
  }

  private func textTest(_ name: String, _ text: FilterTerm, _ part: FilterTerm) -> FilterTerm? {
    if name == "startsWith", text.column != nil, case .text(let beginning)? = part.constant {
      return self.beginning(text, beginning)
    }
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
    return FilterTerm(sql, .bool, nulls: FilterTerm.failing(text, part))
  }

  // MARK: Functions

  /// A string method other than a test.
  func textFunction(_ name: String, _ text: FilterTerm, _ arguments: [Expression]) -> FilterTerm? {
    let nulls = FilterTerm.failing(text)
    switch (name, arguments.count) {
    // SQLite's functions fold only ASCII, like these.
    case ("lowerAscii", 0): return FilterTerm("lower(\(text.sql))", .string, nulls: nulls)
    case ("upperAscii", 0): return FilterTerm("upper(\(text.sql))", .string, nulls: nulls)
    case ("trim", 0):
      return FilterTerm("trim(\(text.sql), \(.text(Self.whiteSpace)))", .string, nulls: nulls)
    case ("indexOf", 1):
      guard let part = plainText(arguments[0]) else { return nil }
      return FilterTerm("(instr(\(text.sql), \(.text(part))) - 1)", .int, nulls: nulls)
    case ("replace", 2):
      guard let old = plainText(arguments[0]), !old.isEmpty, let new = plainText(arguments[1]),
        // Texts that grow at every step would exceed all limits.
        new.utf8.count <= old.utf8.count
      else { return nil }
      return FilterTerm("replace(\(text.sql), \(.text(old)), \(.text(new)))", .string, nulls: nulls)
    default: return nil
    }
  }

  /// A constant text without NUL, which would end it in SQLite's functions.
  private func plainText(_ expression: Expression) -> String? {
    if case .string(let text)? = constant(expression), !text.utf8.contains(0) { text } else { nil }
  }

  /// Unicode's white space.
  private static let whiteSpace = """
    \u{9}\u{A}\u{B}\u{C}\u{D}\u{20}\u{85}\u{A0}\u{1680}\u{2000}\u{2001}\u{2002}\u{2003}\u{2004}\
    \u{2005}\u{2006}\u{2007}\u{2008}\u{2009}\u{200A}\u{2028}\u{2029}\u{202F}\u{205F}\u{3000}
    """

  // MARK: Sizes

  /// `size(self.name)` and `self.name.size()`, for texts and lists.
  func size(_ receiver: Expression?, _ arguments: [Expression]) -> FilterTerm? {
    guard arguments.count + (receiver == nil ? 0 : 1) == 1,
      let operand = receiver ?? arguments.first
    else { return nil }
    if let list = list(operand) {
      return FilterTerm("json_array_length(\(list.column))", .int, nulls: list.nulls)
    }
    guard let text = term(operand), text.kind == .string else { return nil }
    return FilterTerm("length(\(text.sql))", .int, nulls: FilterTerm.failing(text))
  }

  /// `coalesce(a, b, …)`.
  func coalesced(_ arguments: [Expression]) -> FilterTerm? {
    guard let last = arguments.last, var result = operand(last) else { return nil }
    for argument in arguments.dropLast().reversed() {
      guard let value = operand(argument), let chosen = first(value, result) else { return nil }
      result = chosen
    }
    return result
  }

  /// The first of two values that is not null.
  ///
  /// Both are always evaluated, so a failure of either is one of the whole.
  func first(_ value: FilterTerm, _ other: FilterTerm) -> FilterTerm? {
    guard value.kind == other.kind, !value.mayFail, !other.mayFail else { return nil }
    return FilterTerm(
      "coalesce(\(value.sql), \(other.sql))", value.kind,
      nulls: value.mayBeNull ? other.nulls : .never)
  }

  /// `choice ? then : otherwise`.
  func conditional(
    _ choice: Expression, _ then: Expression, _ otherwise: Expression
  ) -> FilterTerm? {
    guard let choice = condition(choice), let then = operand(then),
      let otherwise = operand(otherwise), then.kind == otherwise.kind
    else { return nil }
    let mayFail = choice.mayFail || then.mayFail || otherwise.mayFail
    let mayBeNull = then.mayBeNull || otherwise.mayBeNull
    // NULL cannot mean both.
    if mayFail, mayBeNull { return nil }
    return FilterTerm(
      Self.choice(choice, then, otherwise), then.kind,
      nulls: mayFail ? .failure : mayBeNull ? .value : .never)
  }

  /// `int(value)`, `double(value)` and `string(value)`.
  func conversion(to type: String, of expression: Expression) -> FilterTerm? {
    guard let value = term(expression) else { return nil }
    let nulls = FilterTerm.failing(value)
    switch (type, value.kind) {
    case ("int", .int), ("double", .double), ("string", .string):
      var same = value
      same.nulls = nulls
      return same
    case ("int", .timestamp):
      return FilterTerm(
        "(\(Self.age(value)) / 1000000 - \(.int(Self.era / 1_000_000)))", .int, nulls: nulls)
    case ("double", .int): return FilterTerm("CAST(\(value.sql) AS REAL)", .double, nulls: nulls)
    case ("string", .int): return FilterTerm("CAST(\(value.sql) AS TEXT)", .string, nulls: nulls)
    case ("string", .bool):
      return FilterTerm(
        "(CASE \(value.sql) WHEN 1 THEN 'true' WHEN 0 THEN 'false' END)", .string, nulls: nulls)
    default: return nil
    }
  }

  // MARK: Parts of a time

  /// A part of a moment in UTC, or a whole duration in a unit.
  func timePart(_ name: String, _ time: FilterTerm) -> FilterTerm? {
    (time.kind == .duration ? Self.unit(name, time.sql) : Self.clockPart(name, time)).map {
      FilterTerm($0, .int, nulls: FilterTerm.failing(time))
    }
  }

  private static func unit(_ name: String, _ length: SQL) -> SQL? {
    switch name {
    case "getHours": "(\(length) / 3600000000)"
    case "getMinutes": "(\(length) / 60000000)"
    case "getSeconds": "(\(length) / 1000000)"
    case "getMilliseconds": "(\(length) % 1000000 / 1000)"
    default: nil
    }
  }

  private static func clockPart(_ name: String, _ moment: FilterTerm) -> SQL? {
    let age = age(moment)
    func calendar(_ format: String) -> SQL {
      let seconds: SQL = "\(age) / 1000000 - \(.int(era / 1_000_000))"
      return "CAST(strftime(\(.text(format)), \(seconds), 'unixepoch') AS INTEGER)"
    }
    return switch name {
    case "getFullYear": calendar("%Y")
    case "getMonth": "(\(calendar("%m")) - 1)"
    case "getDate": calendar("%d")
    case "getDayOfMonth": "(\(calendar("%d")) - 1)"
    case "getDayOfYear": "(\(calendar("%j")) - 1)"
    // The first day of year 1 was a Monday.
    case "getDayOfWeek": "((\(age) / 86400000000 + 1) % 7)"
    case "getHours": "(\(age) / 3600000000 % 24)"
    case "getMinutes": "(\(age) / 60000000 % 60)"
    case "getSeconds": "(\(age) / 1000000 % 60)"
    case "getMilliseconds": "(\(age) / 1000 % 1000)"
    default: nil
    }
  }

  /// Microseconds from the start of year 1 to the epoch.
  private static let era = -Timestamp.earliest.microseconds

  /// Microseconds since the start of year 1, which are never negative: SQLite's division rounds
  /// towards zero.
  private static func age(_ moment: FilterTerm) -> SQL { "(\(moment.sql) + \(.int(era)))" }
}
