import CEL
import Items

extension FilterTranslator {
  /// Notes a case in which SQL may be wrong; false where none can be noted.
  func doubt(_ condition: SQL) -> Bool { doubts?.add(condition) ?? false }

  /// `left + right` and its kin, over the item.
  func arithmetic(
    _ symbol: BinaryOperator, _ left: Expression, _ right: Expression
  ) -> FilterTerm? {
    let a = term(left)
    let b = term(right)
    // Of constants alone the caller makes one.
    if a == nil, b == nil { return nil }
    guard let a = a ?? constant(left).flatMap(literal),
      let b = b ?? constant(right).flatMap(literal)
    else { return nil }
    switch (a.kind, symbol, b.kind) {
    case (.int, _, .int): return integer(symbol, a, b)
    case (.double, _, .double): return symbol == .remainder ? nil : double(symbol, a, b)
    case (.string, .add, .string):
      return FilterTerm("(\(a.sql) || \(b.sql))", .string, nulls: FilterTerm.failing(a, b))
    case (.timestamp, .add, .duration), (.duration, .add, .timestamp),
      (.timestamp, .subtract, .duration):
      return time(symbol, a, b, .timestamp)
    case (.timestamp, .subtract, .timestamp), (.duration, .add, .duration),
      (.duration, .subtract, .duration):
      return time(symbol, a, b, .duration)
    default: return nil
    }
  }

  /// `-operand`, over the item.
  func negation(of expression: Expression) -> FilterTerm? {
    guard expression.range.count <= Self.maximumText, let operand = term(expression) else {
      return nil
    }
    switch operand.kind {
    case .int: return integer(.subtract, FilterTerm("0", .int, range: 0...0), operand)
    case .double:
      return FilterTerm("(- \(operand.sql))", .double, nulls: FilterTerm.failing(operand))
    default: return nil
    }
  }

  /// The SQL of a constant; nil when it has none that can be calculated with.
  func literal(_ value: Value) -> FilterTerm? {
    switch value {
    case .int(let int): FilterTerm("\(.int(int))", .int, range: int...int)
    case .double(let number):
      number.isNaN ? nil : FilterTerm("\(.double(number))", .double)
    // SQLite's functions end a text at a NUL.
    case .string(let text):
      text.utf8.contains(0) ? nil : FilterTerm("\(.text(text))", .string)
    case .bool(let bool): FilterTerm(bool ? "1" : "0", .bool)
    case .timestamp(let moment): literal(.timestamp, moment.microseconds, moment.nanoseconds)
    case .duration(let length): literal(.duration, length.microseconds, length.nanoseconds)
    default: nil
    }
  }

  private func literal(
    _ kind: FilterTerm.Kind, _ microseconds: Int64, _ nanoseconds: Int32
  ) -> FilterTerm? {
    guard nanoseconds % 1_000 == 0, kind.allowed.contains(microseconds) else { return nil }
    return FilterTerm("\(.int(microseconds))", kind, range: microseconds...microseconds)
  }

  // MARK: Kinds

  private func integer(
    _ symbol: BinaryOperator, _ a: FilterTerm, _ b: FilterTerm
  ) -> FilterTerm? {
    let sql: SQL = "(\(a.sql) \(raw: symbol.rawValue) \(b.sql))"
    let range = a.range.result(symbol, b.range)
    if range == nil {
      let isWrong: SQL =
        switch symbol {
        case .remainder:
          "\(b.sql) = 0 OR \(b.sql) = -1 AND \(a.sql) = \(.int(.min))"
        case .divide: "\(b.sql) = 0 OR typeof(\(sql)) = 'real'"
        // What does not fit becomes a REAL.
        default: "typeof(\(sql)) = 'real'"
        }
      guard doubt(isWrong) else { return nil }
    }
    return FilterTerm(sql, .int, nulls: FilterTerm.failing(a, b), range: range)
  }

  private func double(
    _ symbol: BinaryOperator, _ a: FilterTerm, _ b: FilterTerm
  ) -> FilterTerm? {
    let sql: SQL = "(\(a.sql) \(raw: symbol.rawValue) \(b.sql))"
    // SQLite has no NaN and divides by no zero: it gives NULL.
    guard doubt("\(sql) IS NULL AND \(a.sql) IS NOT NULL AND \(b.sql) IS NOT NULL") else {
      return nil
    }
    return FilterTerm(sql, .double, nulls: FilterTerm.failing(a, b))
  }

  private func time(
    _ symbol: BinaryOperator, _ a: FilterTerm, _ b: FilterTerm, _ kind: FilterTerm.Kind
  ) -> FilterTerm? {
    // Both lie within a thousandth of what 64 bits hold, so that SQLite has the exact result.
    guard let range = a.range.result(symbol, b.range) else { return nil }
    var result = FilterTerm(
      "(\(a.sql) \(raw: symbol.rawValue) \(b.sql))", kind, nulls: FilterTerm.failing(a, b))
    result.range = range
    for term in [a, b, result] { guard allowed(term) != nil else { return nil } }
    result.range = range.clamped(to: kind.allowed)
    return result
  }

  /// The term, with a doubt where its values may lie beyond what CEL allows.
  func allowed(_ term: FilterTerm) -> FilterTerm? {
    let allowed = term.kind.allowed
    if allowed.lowerBound <= term.range.lowerBound, term.range.upperBound <= allowed.upperBound {
      return term
    }
    let isBeyond: SQL = """
      \(term.sql) NOT BETWEEN \(.int(allowed.lowerBound)) AND \(.int(allowed.upperBound))
      """
    return doubt(isBeyond) ? term : nil
  }
}

extension ClosedRange<Int64> {
  /// Where the results lie for operands in two ranges; nil when some have none in 64 bits.
  fileprivate func result(
    _ symbol: BinaryOperator, _ other: ClosedRange<Int64>
  ) -> ClosedRange<Int64>? {
    switch symbol {
    case .add:
      return Self.spanning([
        lowerBound.addingReportingOverflow(other.lowerBound),
        upperBound.addingReportingOverflow(other.upperBound),
      ])
    case .subtract:
      return Self.spanning([
        lowerBound.subtractingReportingOverflow(other.upperBound),
        upperBound.subtractingReportingOverflow(other.lowerBound),
      ])
    case .multiply:
      return Self.spanning(
        [lowerBound, upperBound].flatMap { bound in
          [
            bound.multipliedReportingOverflow(by: other.lowerBound),
            bound.multipliedReportingOverflow(by: other.upperBound),
          ]
        })
    // -1 takes the least of all beyond the greatest.
    case .divide, .remainder:
      if other.contains(0) || other.contains(-1) && lowerBound == .min { return nil }
      // Neither is farther from 0 than the dividend, nor has the other sign where that has one.
      if lowerBound == .min { return .min ... .max }
      let farthest = Swift.max(abs(lowerBound), abs(upperBound))
      let isMixed = symbol == .divide && other.lowerBound < 0
      return (lowerBound >= 0 && !isMixed ? 0 : -farthest)...farthest
    default: return nil
    }
  }

  private static func spanning(
    _ results: [(partialValue: Int64, overflow: Bool)]
  ) -> ClosedRange<Int64>? {
    if results.contains(where: \.overflow) { return nil }
    let values = results.map(\.partialValue)
    guard let least = values.min(), let greatest = values.max() else { return nil }
    return least...greatest
  }
}
