import CEL
import Items

/// Values that depend on others: the first that is there, one of two, another type, a part of a
/// time.
extension FilterTranslator {
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
  /// Both are evaluated in any case, so a failure of either is one of the whole.
  func first(_ value: FilterTerm, _ other: FilterTerm) -> FilterTerm? {
    guard value.kind == other.kind, !value.mayFail, !other.mayFail else { return nil }
    return FilterTerm(
      "coalesce(\(value.sql), \(other.sql))", value.kind,
      nulls: value.mayBeNull ? other.nulls : .never, range: value.range.union(other.range))
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
    // NULL can't say which of the two it is.
    if mayFail, mayBeNull { return nil }
    return FilterTerm(
      """
      (CASE \(choice.sql) WHEN 1 THEN \(then.sql) WHEN 0 THEN \(otherwise.sql) END)
      """, then.kind, nulls: mayFail ? .failure : mayBeNull ? .value : .never,
      range: then.range.union(otherwise.range))
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
    case ("int", .double):
      guard doubt("\(value.sql) NOT BETWEEN \(.double(-Self.bound)) AND \(.double(Self.bound))")
      else { return nil }
      return FilterTerm("CAST(\(value.sql) AS INTEGER)", .int, nulls: nulls)
    case ("int", .timestamp):
      return FilterTerm(
        "(\(Self.age(value)) / 1000000 - \(.int(Self.era / 1_000_000)))", .int, nulls: nulls,
        range: Timestamp.earliest.seconds...Timestamp.latest.seconds)
    case ("double", .int):
      return FilterTerm("CAST(\(value.sql) AS REAL)", .double, nulls: nulls)
    case ("string", .int):
      return FilterTerm("CAST(\(value.sql) AS TEXT)", .string, nulls: nulls)
    case ("string", .bool):
      return FilterTerm(
        "(CASE \(value.sql) WHEN 1 THEN 'true' WHEN 0 THEN 'false' END)", .string, nulls: nulls)
    default: return nil
    }
  }

  /// The greatest double below 2^63, where ints end.
  private static let bound = 0x1p63.nextDown

  // MARK: Parts of a time

  /// A part of a moment in UTC, or all of a length in a unit.
  func timePart(_ name: String, _ time: FilterTerm) -> FilterTerm? {
    guard let time = allowed(time) else { return nil }
    let part = time.kind == .duration ? Self.unit(name, time) : Self.clockPart(name, time)
    return part.map { sql, range in
      FilterTerm(sql, .int, nulls: FilterTerm.failing(time), range: range)
    }
  }

  private static func unit(
    _ name: String, _ length: FilterTerm
  ) -> (SQL, ClosedRange<Int64>?)? {
    switch name {
    case "getHours": ("(\(length.sql) / 3600000000)", nil)
    case "getMinutes": ("(\(length.sql) / 60000000)", nil)
    case "getSeconds": ("(\(length.sql) / 1000000)", nil)
    case "getMilliseconds": ("(\(length.sql) % 1000000 / 1000)", -999...999)
    default: nil
    }
  }

  private static func clockPart(
    _ name: String, _ moment: FilterTerm
  ) -> (SQL, ClosedRange<Int64>?)? {
    let age = age(moment)
    func calendar(_ format: String, from first: Int64, to last: Int64) -> (
      SQL, ClosedRange<Int64>?
    ) {
      let seconds: SQL = "\(age) / 1000000 - \(.int(era / 1_000_000))"
      let number: SQL = "CAST(strftime(\(.text(format)), \(seconds), 'unixepoch') AS INTEGER)"
      let isFromZero = first == 0 && format != "%Y"
      return (isFromZero ? "(\(number) - 1)" : number, first...last)
    }
    switch name {
    case "getFullYear": return calendar("%Y", from: 1, to: 9999)
    case "getMonth": return calendar("%m", from: 0, to: 11)
    case "getDate": return calendar("%d", from: 1, to: 31)
    case "getDayOfMonth": return calendar("%d", from: 0, to: 30)
    case "getDayOfYear": return calendar("%j", from: 0, to: 365)
    // The first day of all was a Monday.
    case "getDayOfWeek": return ("((\(age) / 86400000000 + 1) % 7)", 0...6)
    case "getHours": return ("(\(age) / 3600000000 % 24)", 0...23)
    case "getMinutes": return ("(\(age) / 60000000 % 60)", 0...59)
    case "getSeconds": return ("(\(age) / 1000000 % 60)", 0...59)
    case "getMilliseconds": return ("(\(age) / 1000 % 1000)", 0...999)
    default: return nil
    }
  }

  /// Microseconds from the beginning of the year 1 to the epoch.
  private static let era = -Timestamp.earliest.microseconds

  /// Microseconds since the beginning of the year 1, which are never negative: SQLite's division
  /// rounds towards 0.
  private static func age(_ moment: FilterTerm) -> SQL { "(\(moment.sql) + \(.int(era)))" }
}

extension ClosedRange<Int64> {
  /// The range of what lies in either.
  fileprivate func union(_ other: ClosedRange<Int64>) -> ClosedRange<Int64> {
    Swift.min(lowerBound, other.lowerBound)...Swift.max(upperBound, other.upperBound)
  }
}
