import CEL
import Items
import JSON

extension FilterTranslator {
  /// A list property of the item.
  struct ItemList {
    let property: PropertySchema
    let column: SQL
    /// The kind of its elements; nil when their JSON is not a plain value.
    let kind: FilterTerm.Kind?
    /// The meaning of a NULL list.
    let nulls: FilterTerm.Nulls

    /// The list, with null replaced by an empty list.
    var orEmpty: ItemList {
      guard nulls == .failure else { return self }
      return ItemList(
        property: property, column: "coalesce(\(column), '[]')", kind: kind, nulls: .never)
    }
  }

  /// The list property that an expression refers to, possibly with an empty default; nil for other
  /// expressions.
  func list(_ expression: Expression) -> ItemList? {
    switch expression.kind {
    case .select(let operand, let field, isOptional: false):
      return isItem(operand) ? list(field: field) : nil
    case .call("orValue", let receiver?, let arguments, isRooted: false):
      guard arguments.count == 1, isEmptyList(arguments[0]) else { return nil }
      return optionalField(receiver).flatMap(list(field:))?.orEmpty
    case .call("coalesce", nil, let arguments, isRooted: false):
      guard arguments.count == 2, isEmptyList(arguments[1]) else { return nil }
      return list(arguments[0])?.orEmpty
    default: return nil
    }
  }

  private func list(field: String) -> ItemList? {
    guard let property = property(field), case .list(let element) = property.type else {
      return nil
    }
    // JSON encodes infinite numbers as strings, and Booleans as keywords.
    let isPlain = element != .bool && element != .double
    return ItemList(
      property: property, column: "t.\(name: field)", kind: isPlain ? Self.kind(of: element) : nil,
      nulls: property.isOptional ? .failure : .never)
  }

  private func isEmptyList(_ expression: Expression) -> Bool {
    if case .list(let values)? = constant(expression) { values.isEmpty } else { false }
  }

  /// `element in place`.
  func containment(of element: Expression, in place: Expression) -> FilterTerm? {
    if let list = list(place) {
      guard let value = constant(element) else { return nil }
      return contains(list, oneOf: [value])
    }
    guard let term = term(element), case .list(let values)? = constant(place),
      let columns = columns(values, term.kind)
    else { return nil }
    return isOneOf(columns, orNull: values.contains(where: \.isNull), term)
  }

  /// The column values of constants other than null; nil when one is unknown.
  private func columns(_ values: [Value], _ kind: FilterTerm.Kind) -> [SQLValue]? {
    var columns: [SQLValue] = []
    for value in values where !value.isNull {
      switch match(kind, value) {
      case .unknown: return nil
      case .never: continue
      case .column(let column): columns.append(column)
      }
    }
    return columns
  }

  /// `value in self.list`, for any of several values.
  private func contains(_ list: ItemList, oneOf values: [Value]) -> FilterTerm? {
    guard let kind = list.kind, let columns = columns(values, kind) else { return nil }
    if columns.isEmpty { return orFailure("0", list) }
    guard table.hasListTable(list.property.name) else {
      let isListed: SQL = "e.value IN (\(SQL.values(columns)))"
      return orFailure(
        "EXISTS (SELECT 1 FROM json_each(\(list.column)) AS e WHERE \(isListed))", list)
    }
    var term = orFailure(Anchor.hasElement(of: columns, list.property.name, in: table), list)
    term.anchors = columns.map { .element(list.property.name, $0) }
    if columns.count == 1 { term.required = term.anchors }
    return term
  }

  private func orFailure(_ sql: SQL, _ list: ItemList) -> FilterTerm {
    guard list.nulls == .failure else { return FilterTerm(sql, .bool) }
    return FilterTerm(
      "(CASE WHEN \(list.column) IS NULL THEN NULL ELSE \(sql) END)", .bool, nulls: .failure)
  }

  /// `term in [values]`, where null is a value.
  func isOneOf(_ columns: [SQLValue], orNull: Bool, _ term: FilterTerm) -> FilterTerm? {
    if columns.isEmpty, !orNull || !term.mayBeNull { return unequal(term) }
    guard let values = Self.list(of: columns) else { return nil }
    let isListed: SQL = columns.isEmpty ? "0" : "\(term.sql) IN (\(values))"
    if term.mayBeNull, orNull { return FilterTerm("(\(term.sql) IS NULL OR \(isListed))", .bool) }
    let isThere: SQL = term.mayBeNull ? "\(term.sql) IS NOT NULL AND " : ""
    let nulls: FilterTerm.Nulls = term.mayFail ? .failure : .never
    return chosen(FilterTerm("(\(isThere)\(isListed))", .bool, nulls: nulls), of: term, columns)
  }

  /// Values as an operand of `IN`: many of them as one binding, which SQLite turns into a tree.
  private static func list(of columns: [SQLValue]) -> SQL? {
    if columns.count <= maximumList { return SQL.values(columns) }
    var values: [Value] = []
    values.reserveCapacity(columns.count)
    for column in columns {
      switch column {
      case .int(let int): values.append(.int(int))
      case .text(let text) where !text.utf8.contains(0): values.append(.string(text))
      // JSON formats doubles differently and has no NUL.
      default: return nil
      }
    }
    guard let json = try? JSONWriter().text(of: .list(values)) else { return nil }
    return "SELECT value FROM json_each(\(.text(json)))"
  }

  /// A condition with the values of a term for which it is true.
  func chosen(_ condition: FilterTerm, of term: FilterTerm, _ values: [SQLValue]) -> FilterTerm {
    var result = condition
    result.choice = FilterTerm.Choice(
      subject: term.sql, kind: term.kind, nulls: term.nulls, column: term.column, values: values)
    if let name = term.column, table.indexedColumns.contains(where: { $0.name == name }) {
      result.anchors = values.map { .column(name, $0) }
      result.indexUse = values.count == 1 ? .one : .several
      result.indexed = name
    }
    return result
  }

  /// `a == 1 || a == 2 || a in [3, 4]` as one list, which an index can serve.
  func choice(of terms: [FilterTerm]) -> FilterTerm? {
    guard let first = terms.first?.choice else { return nil }
    var values: [SQLValue] = []
    for term in terms {
      guard let choice = term.choice, choice.subject == first.subject else { return nil }
      values += choice.values
    }
    var subject = FilterTerm(first.subject, first.kind, nulls: first.nulls)
    subject.column = first.column
    return isOneOf(values, orNull: false, subject)
  }

  // MARK: Macros

  /// `list.all(variable, body)` and `list.exists(variable, body)`.
  func quantified(
    over expression: Expression, _ variable: String, _ body: Expression, isUniversal: Bool
  ) -> FilterTerm? {
    if let list = list(expression) {
      if !isUniversal, let term = containment(in: list, variable, body) { return term }
      return quantified(over: list, variable, body, isUniversal: isUniversal)
    }
    guard case .list(let values)? = constant(expression), values.count <= Self.maximumList else {
      return nil
    }
    var length = 0
    return joined(values, isUniversal: isUniversal) { value in
      var inner = self
      inner.elements[variable] = nil
      inner.bound[variable] = value
      guard let term = inner.condition(body) else { return nil }
      length += term.sql.text.utf8.count
      // Nested macros would grow without bound.
      return length <= FilterPlan.maximumBytes ? term : nil
    }
  }

  /// `self.list.exists(x, x == value)` and `self.list.exists(x, x in [values])` of an indexed list.
  private func containment(
    in list: ItemList, _ variable: String, _ body: Expression
  ) -> FilterTerm? {
    func isVariable(_ expression: Expression) -> Bool {
      if case .identifier(variable, isRooted: false) = expression.kind { true } else { false }
    }
    guard let kind = list.kind, table.hasListTable(list.property.name),
      case .binary(let symbol, let left, let right) = body.kind
    else { return nil }
    var inner = self
    inner.bound[variable] = nil
    inner.elements[variable] = FilterTerm("NULL", kind)
    switch symbol {
    case .equal where isVariable(left) != isVariable(right):
      guard let value = inner.constant(isVariable(left) ? right : left) else { return nil }
      return contains(list, oneOf: [value])
    case .in where isVariable(left):
      guard case .list(let values)? = inner.constant(right), values.count <= Self.maximumList
      else { return nil }
      return contains(list, oneOf: values)
    default: return nil
    }
  }

  private func quantified(
    over list: ItemList, _ variable: String, _ body: Expression, isUniversal: Bool
  ) -> FilterTerm? {
    // Only one level: elements have the same SQL name at every level.
    guard elements.isEmpty, let kind = list.kind else { return nil }
    var inner = self
    inner.bound[variable] = nil
    inner.elements[variable] = FilterTerm("e.value", kind)
    // If the body cannot fail, the macro fails only for a null list.
    guard let term = inner.condition(body), case .never = term.nulls else { return nil }
    let rows: SQL = "SELECT 1 FROM json_each(\(list.column)) AS e WHERE "
    return orFailure(
      isUniversal ? "(NOT EXISTS (\(rows)NOT \(term.sql)))" : "EXISTS (\(rows)\(term.sql))", list)
  }

  /// `self.list == []` and `self.list != []`.
  func emptinessTest(
    _ symbol: BinaryOperator, _ left: Expression, _ right: Expression
  ) -> FilterTerm? {
    guard symbol == .equal || symbol == .notEqual, let list = list(left) ?? list(right),
      case .list(let values)? = constant(self.list(left) == nil ? left : right), values.isEmpty
    else { return nil }
    let isEmpty: SQL = "(\(list.column) IS '[]')"
    return FilterTerm(symbol == .equal ? isEmpty : "(NOT \(isEmpty))", .bool)
  }
}
