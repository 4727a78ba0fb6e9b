import CEL
import Items

extension FilterTranslator {
  /// Translates a comparison such as `left == right`; nil when SQL cannot express it.
  func comparison(
    _ symbol: BinaryOperator, _ left: Expression, _ right: Expression
  ) -> FilterTerm? {
    switch (term(left), term(right)) {
    case (let leftTerm?, let rightTerm?):
      if let found = compare(symbol, leftTerm, rightTerm) { return found }
      // A constant of another kind, such as a default for a day.
      if let value = constant(right) { return compare(symbol, leftTerm, value) }
      guard let value = constant(left), let turned = symbol.turned else { return nil }
      return compare(turned, rightTerm, value)
    case (let term?, nil):
      guard let value = constant(right) else { return nil }
      return compare(symbol, term, value)
    case (nil, let term?):
      guard let value = constant(left), let turned = symbol.turned else { return nil }
      return compare(turned, term, value)
    case (nil, nil): return nullTest(symbol, left, right) ?? emptinessTest(symbol, left, right)
    }
  }

  /// `self.name == null` and `self.name != null`, also for lists and maps.
  private func nullTest(
    _ symbol: BinaryOperator, _ left: Expression, _ right: Expression
  ) -> FilterTerm? {
    guard symbol == .equal || symbol == .notEqual else { return nil }
    for (place, value) in [(left, right), (right, left)] {
      guard case .select(let operand, let field, isOptional: false) = place.kind,
        isItem(operand), property(field) != nil, constant(value)?.isNull == true
      else { continue }
      return FilterTerm("(t.\(name: field) IS\(raw: symbol == .equal ? "" : " NOT") NULL)", .bool)
    }
    return nil
  }

  // MARK: Two columns

  private func compare(
    _ symbol: BinaryOperator, _ left: FilterTerm, _ right: FilterTerm
  ) -> FilterTerm? {
    let left = right.kind == .double ? left.asDouble : left
    let right = left.kind == .double ? right.asDouble : right
    // A day and a moment are compared in process, where the time zone is known.
    guard left.kind == right.kind, left.kind != .when else { return nil }
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
    let failures = [left, right].filter(\.mayFail)
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
    // An index serves this, unlike a negation.
    case .notEqual where value.isNull && term.mayBeNull:
      return FilterTerm("(\(term.sql) IS NOT NULL)", .bool)
    case .notEqual: return equality(term, value)?.negated
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      if term.kind == .when {
        guard case .timestamp(let moment) = value else { return nil }
        return order(symbol, whenOf: term, moment)
      }
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

  /// The index use of a range condition.
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
    if term.kind == .when {
      guard case .timestamp(let moment) = value else { return unequal(term) }
      return equality(ofWhen: term, moment)
    }
    switch match(term.kind, value) {
    case .unknown: return nil
    case .never: return unequal(term)
    case .column(let column):
      let equals: SQL = term.mayBeNull ? "IS" : "="
      return chosen(
        FilterTerm(
          "(\(term.sql) \(equals) \(column))", .bool, nulls: term.mayFail ? .failure : .never),
        of: term, [column])
    }
  }

  /// A condition that is false for every value of the term.
  func unequal(_ term: FilterTerm) -> FilterTerm {
    guard term.mayFail else { return FilterTerm("0", .bool) }
    return FilterTerm(
      "(CASE WHEN \(term.sql) IS NULL THEN NULL ELSE 0 END)", .bool, nulls: .failure)
  }

  /// The column value of a constant.
  enum Match {
    /// An exact column value.
    case column(SQLValue)
    /// No column of the kind equals the constant.
    case never
    /// Unknown.
    case unknown
  }

  /// The column value that equals a constant.
  func match(_ kind: FilterTerm.Kind, _ value: Value) -> Match {
    switch (kind, value) {
    case (.int, .int(let int)): .column(.int(int))
    case (.int, .uint(let uint)): Int64(exactly: uint).map { .column(.int($0)) } ?? .unknown
    case (.int, .double(let number)):
      // CEL rounds the integer here, which matters only where doubles skip integers.
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
      context.world.midnight(context.world.dateText(moment)) == moment
        ? .column(.text(context.world.dateText(moment))) : .never
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

  /// The comparison of a column with a constant that the column may not represent exactly.
  private func order(
    _ symbol: BinaryOperator, _ kind: FilterTerm.Kind, _ value: Value
  ) -> (symbol: BinaryOperator, value: SQLValue)? {
    switch (kind, value) {
    case (_, .double(let number)) where number.isNaN: return nil
    case (.int, _), (.double, _), (.string, .string), (.bool, .bool):
      guard case .column(let column) = match(kind, value) else { return nil }
      return (symbol, column)
    case (.timestamp, .timestamp(let moment)):
      return (symbol.beyond(isExact: moment.nanoseconds % 1000 == 0), .int(moment.microseconds))
    case (.duration, .duration(let length)):
      return (symbol.beyond(isExact: length.nanoseconds % 1000 == 0), .int(length.microseconds))
    case (.date, .timestamp(let moment)):
      let day = context.world.dateText(moment)
      // Days are compared as text, which is correct for four-digit years.
      guard day.utf8.count == 10, let midnight = context.world.midnight(day) else { return nil }
      return (symbol.beyond(isExact: midnight == moment), .text(day))
    default: return nil
    }
  }
}

extension FilterTerm {
  /// An int term as a double, rounded as in CEL's comparisons.
  fileprivate var asDouble: FilterTerm {
    kind == .int ? FilterTerm("CAST(\(sql) AS REAL)", .double, nulls: nulls) : self
  }
}

extension BinaryOperator {
  /// Whether the operator compares or tests membership.
  var givesTruth: Bool {
    switch self {
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .in: true
    case .add, .subtract, .multiply, .divide, .remainder: false
    }
  }

  /// The operator with its operands swapped; nil when there is none.
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

  /// The operator for a bound that was rounded down: unless b is exact, x < b is x <= ⌊b⌋, and x >=
  /// b is x > ⌊b⌋.
  func beyond(isExact: Bool) -> BinaryOperator {
    if isExact { return self }
    return self == .less || self == .lessOrEqual ? .lessOrEqual : .greater
  }
}
