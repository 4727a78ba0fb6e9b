import CEL
import Items

extension FilterTranslator {
  /// `left == right` and its kin.
  func comparison(
    _ symbol: BinaryOperator, _ left: Expression, _ right: Expression
  ) -> FilterTerm? {
    switch (term(left), term(right)) {
    case (let left?, let right?): return compare(symbol, left, right)
    case (let term?, nil):
      guard let value = constant(right) else { return nil }
      return compare(symbol, term, value)
    case (nil, let term?):
      guard let value = constant(left), let turned = symbol.turned else { return nil }
      return compare(turned, term, value)
    case (nil, nil):
      return nullTest(symbol, left, right) ?? emptinessTest(symbol, left, right)
    }
  }

  /// `self.name == null` and `self.name != null`, for lists and maps, too.
  private func nullTest(
    _ symbol: BinaryOperator, _ left: Expression, _ right: Expression
  ) -> FilterTerm? {
    guard symbol == .equal || symbol == .notEqual else { return nil }
    for (place, value) in [(left, right), (right, left)] {
      guard case .select(let operand, let field, isOptional: false) = place.kind,
        isItem(operand), property(field) != nil, constant(value)?.isNull == true
      else { continue }
      return FilterTerm(
        "(t.\(name: field) IS\(raw: symbol == .equal ? "" : " NOT") NULL)", .bool)
    }
    return nil
  }

  // MARK: Two columns

  private func compare(
    _ symbol: BinaryOperator, _ left: FilterTerm, _ right: FilterTerm
  ) -> FilterTerm? {
    let left = right.kind == .double ? left.asDouble : left
    let right = left.kind == .double ? right.asDouble : right
    // A day and a moment are compared in process, where the day's midnight is known.
    guard left.kind == right.kind else { return nil }
    switch symbol {
    case .equal, .notEqual:
      let term = equality(left, right)
      return symbol == .equal ? term : term.negated
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      if case .reference = left.kind { return nil }
      return FilterTerm(
        "(\(left.sql) \(raw: symbol.rawValue) \(right.sql))", .bool,
        nulls: FilterTerm.failing(left, right))
    default: return nil
    }
  }

  private func equality(_ left: FilterTerm, _ right: FilterTerm) -> FilterTerm {
    let failures = [left, right].filter { if case .failure = $0.nulls { true } else { false } }
    guard !failures.isEmpty else { return FilterTerm("(\(left.sql) IS \(right.sql))", .bool) }
    let conditions = failures.map { term -> SQL in "\(term.sql) IS NULL" }
    return FilterTerm(
      """
      (CASE WHEN \(SQL.joined(conditions, separator: " OR ")) THEN NULL \
      ELSE \(left.sql) IS \(right.sql) END)
      """, .bool, nulls: .failure)
  }

  // MARK: A column and a constant

  /// `term symbol value`.
  func compare(_ symbol: BinaryOperator, _ term: FilterTerm, _ value: Value) -> FilterTerm? {
    var term = term
    if case .double = value { term = term.asDouble }
    switch symbol {
    case .equal: return equality(term, value)
    // Which an index can tell, unlike a negation.
    case .notEqual where value.isNull && term.mayBeNull:
      return FilterTerm("(\(term.sql) IS NOT NULL)", .bool)
    case .notEqual:
      return equality(term, value)?.negated
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      guard let bound = order(symbol, term.kind, value) else { return nil }
      var result = FilterTerm(
        "(\(term.sql) \(raw: bound.symbol.rawValue) \(bound.value))", .bool,
        nulls: FilterTerm.failing(term))
      result.indexUse = indexUse(ofRange: term)
      result.indexed = term.column
      result.isDate = term.isDate
      return result
    default: return nil
    }
  }

  /// How an index serves a condition on the order of a term.
  func indexUse(ofRange term: FilterTerm) -> FilterTerm.IndexUse {
    guard let name = term.column else { return .none }
    return table.indexedColumns.contains { $0.name == name } ? .several : .none
  }

  /// `term == value`, in which null is a value.
  func equality(_ term: FilterTerm, _ value: Value) -> FilterTerm? {
    if value.isNull {
      switch term.nulls {
      case .never: return FilterTerm("0", .bool)
      case .value: return FilterTerm("(\(term.sql) IS NULL)", .bool)
      case .failure: return unequal(term)
      }
    }
    switch match(term.kind, value) {
    case .unknown: return nil
    case .never: return unequal(term)
    case .column(let column):
      var result: FilterTerm
      switch term.nulls {
      case .value: result = FilterTerm("(\(term.sql) IS \(column))", .bool)
      case .never: result = FilterTerm("(\(term.sql) = \(column))", .bool)
      case .failure: result = FilterTerm("(\(term.sql) = \(column))", .bool, nulls: .failure)
      }
      return chosen(result, of: term, [column])
    }
  }

  /// False wherever the term has a value.
  private func unequal(_ term: FilterTerm) -> FilterTerm {
    guard case .failure = term.nulls else { return FilterTerm("0", .bool) }
    return FilterTerm(
      "(CASE WHEN \(term.sql) IS NULL THEN NULL ELSE 0 END)", .bool, nulls: .failure)
  }

  /// How a constant stands in a column.
  enum Match {
    /// As this.
    case column(SQLValue)
    /// No column of the kind is equal to it.
    case never
    /// That is not known.
    case unknown
  }

  /// The column that is equal to a constant.
  func match(_ kind: FilterTerm.Kind, _ value: Value) -> Match {
    switch (kind, value) {
    case (.int, .int(let int)): .column(.int(int))
    case (.int, .uint(let uint)): Int64(exactly: uint).map { .column(.int($0)) } ?? .unknown
    case (.int, .double(let number)):
      // CEL rounds the integer for this, which shows only where doubles skip integers.
      number.isNaN ? .never : abs(number) < 0x1p53 ? .column(.double(number)) : .unknown
    case (.double, .int(let int)): .column(.double(Double(int)))
    case (.double, .uint(let uint)): .column(.double(Double(uint)))
    case (.double, .double(let number)): number.isNaN ? .never : .column(.double(number))
    case (.string, .string(let text)): .column(.text(text))
    case (.bool, .bool(let bool)): .column(.int(bool ? 1 : 0))
    case (.timestamp, .timestamp(let moment)):
      moment.nanoseconds % 1000 == 0 ? .column(.int(moment.microseconds)) : .never
    case (.duration, .duration(let length)):
      length.nanoseconds % 1000 == 0 ? .column(.int(length.microseconds)) : .never
    case (.date, .timestamp(let moment)):
      midnight(dateText(moment)) == moment ? .column(.text(dateText(moment))) : .never
    case (.reference(let entity), .object(let object)):
      if let item = object as? Item {
        item.entity == entity ? item.id.map { .column(.int($0)) } ?? .unknown : .never
      } else {
        .unknown
      }
    case (_, .optional), (_, .object), (_, .null): .unknown
    default: .never
    }
  }

  /// The order of a column and a constant that the column may not hold exactly.
  private func order(
    _ symbol: BinaryOperator, _ kind: FilterTerm.Kind, _ value: Value
  ) -> (symbol: BinaryOperator, value: SQLValue)? {
    switch (kind, value) {
    case (_, .double(let number)) where number.isNaN: return nil
    case (.int, _), (.double, _), (.string, .string), (.bool, .bool):
      guard case .column(let column) = match(kind, value) else { return nil }
      return (symbol, column)
    case (.timestamp, .timestamp(let moment)):
      let isExact = moment.nanoseconds % 1000 == 0
      return (symbol.beyond(isExact: isExact), .int(moment.microseconds))
    case (.duration, .duration(let length)):
      let isExact = length.nanoseconds % 1000 == 0
      return (symbol.beyond(isExact: isExact), .int(length.microseconds))
    case (.date, .timestamp(let moment)):
      let day = dateText(moment)
      // Days are compared as text, which is their order for years of four digits.
      guard day.utf8.count == 10, let midnight = midnight(day) else { return nil }
      return (symbol.beyond(isExact: midnight == moment), .text(day))
    default: return nil
    }
  }
}

extension FilterTerm {
  /// The term as a double where it is an int, rounded as CEL rounds it to compare the two.
  fileprivate var asDouble: FilterTerm {
    kind == .int ? FilterTerm("CAST(\(sql) AS REAL)", .double, nulls: nulls) : self
  }
}

extension BinaryOperator {
  /// Whether it compares, or looks for a value.
  var givesTruth: Bool {
    switch self {
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .in: true
    case .add, .subtract, .multiply, .divide, .remainder: false
    }
  }

  /// The operator with its operands exchanged; nil for one that has no such form.
  fileprivate var turned: BinaryOperator? {
    switch self {
    case .equal, .notEqual: self
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    default: nil
    }
  }

  /// The operator for a bound rounded down: x < b is x <= ⌊b⌋, and x >= b is x > ⌊b⌋, where b is
  /// no whole step.
  fileprivate func beyond(isExact: Bool) -> BinaryOperator {
    if isExact { return self }
    return self == .less || self == .lessOrEqual ? .lessOrEqual : .greater
  }
}
