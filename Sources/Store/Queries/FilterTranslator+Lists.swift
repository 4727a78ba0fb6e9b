import CEL

extension FilterTranslator {
  /// A list that an item has.
  struct ItemList {
    let property: PropertySchema
    let column: SQL
    let kind: FilterTerm.Kind
    /// What NULL in its place means.
    let nulls: FilterTerm.Nulls
  }

  /// The list property that an expression names; nil when it is none with plain elements.
  func list(_ expression: Expression) -> ItemList? {
    guard case .select(let operand, let field, isOptional: false) = expression.kind,
      isItem(operand), let property = property(field), case .list(let element) = property.type,
      // JSON has no form of its own for an infinite number, and one for truth.
      let kind = Self.kind(of: element), element != .bool, element != .double
    else { return nil }
    return ItemList(
      property: property, column: "t.\(name: field)", kind: kind,
      nulls: property.isOptional ? .failure : .never)
  }

  /// `element in place`.
  func containment(of element: Expression, in place: Expression) -> FilterTerm? {
    if let list = list(place) {
      guard let value = constant(element) else { return nil }
      return contains(list, value)
    }
    guard let term = term(element), case .list(let values)? = constant(place),
      values.count <= Self.maximumList
    else { return nil }
    return isOneOf(values, term)
  }

  /// `value in self.list`.
  private func contains(_ list: ItemList, _ value: Value) -> FilterTerm? {
    if value.isNull { return absence(in: list) }
    switch match(list.kind, value) {
    case .unknown: return nil
    case .never: return absence(in: list)
    case .column(let column):
      guard table.hasListTable(list.property.name) else {
        return orFailure(
          "EXISTS (SELECT 1 FROM json_each(\(list.column)) AS e WHERE e.value = \(column))", list)
      }
      var term = orFailure(
        """
        EXISTS (SELECT 1 FROM \(name: table.listName(list.property.name)) AS l \
        WHERE l.value = \(column) AND l.createdAt = t.createdAt AND l.id = t.id)
        """, list)
      term.elements = [.init(property: list.property.name, value: column)]
      return term
    }
  }

  /// False wherever the list is there.
  private func absence(in list: ItemList) -> FilterTerm { orFailure("0", list) }

  private func orFailure(_ sql: SQL, _ list: ItemList) -> FilterTerm {
    guard case .failure = list.nulls else { return FilterTerm(sql, .bool) }
    return FilterTerm(
      "(CASE WHEN \(list.column) IS NULL THEN NULL ELSE \(sql) END)", .bool, nulls: .failure)
  }

  /// `term in [values]`, in which null is a value.
  private func isOneOf(_ values: [Value], _ term: FilterTerm) -> FilterTerm? {
    var columns: [SQL] = []
    var hasNull = false
    for value in values {
      if value.isNull {
        hasNull = true
        continue
      }
      switch match(term.kind, value) {
      case .unknown: return nil
      case .never: continue
      case .column(let column): columns.append("\(column)")
      }
    }
    let isListed: SQL =
      columns.isEmpty ? "0" : "\(term.sql) IN (\(SQL.joined(columns, separator: ", ")))"
    switch term.nulls {
    case .never: return FilterTerm("(\(isListed))", .bool)
    case .value:
      return FilterTerm(
        "(CASE WHEN \(term.sql) IS NULL THEN \(raw: hasNull ? "1" : "0") ELSE \(isListed) END)",
        .bool)
    case .failure:
      return FilterTerm(
        "(CASE WHEN \(term.sql) IS NULL THEN NULL ELSE \(isListed) END)", .bool, nulls: .failure)
    }
  }

  // MARK: Macros

  /// `list.all(variable, body)` and `list.exists(variable, body)`.
  func quantified(
    over expression: Expression, _ variable: String, _ body: Expression, isUniversal: Bool
  ) -> FilterTerm? {
    if let list = list(expression) {
      return quantified(over: list, variable, body, isUniversal: isUniversal)
    }
    guard case .list(let values)? = constant(expression), values.count <= Self.maximumList else {
      return nil
    }
    var terms: [FilterTerm] = []
    for value in values {
      var inner = self
      inner.elements[variable] = nil
      inner.bound[variable] = value
      guard let term = inner.condition(body) else { return nil }
      terms.append(term)
    }
    if terms.isEmpty { return FilterTerm(isUniversal ? "1" : "0", .bool) }
    var nulls = FilterTerm.Nulls.never
    for term in terms { if case .failure = FilterTerm.failing(term) { nulls = .failure } }
    let word = isUniversal ? " AND " : " OR "
    var joined = FilterTerm(
      "(\(SQL.joined(terms.map(\.sql), separator: word)))", .bool, nulls: nulls)
    if isUniversal { joined.elements = terms.flatMap(\.elements) }
    return joined
  }

  private func quantified(
    over list: ItemList, _ variable: String, _ body: Expression, isUniversal: Bool
  ) -> FilterTerm? {
    // One level: an element's name in SQL is the same at every level.
    guard elements.isEmpty else { return nil }
    var inner = self
    inner.bound[variable] = nil
    inner.elements[variable] = FilterTerm("e.value", list.kind)
    // With a body that cannot fail, the macro fails only for a list that is null.
    guard let term = inner.condition(body), case .never = term.nulls else { return nil }
    let rows: SQL = "SELECT 1 FROM json_each(\(list.column)) AS e WHERE "
    return orFailure(
      isUniversal ? "NOT EXISTS (\(rows)NOT \(term.sql))" : "EXISTS (\(rows)\(term.sql))", list)
  }

  /// `self.list == []` and `self.list != []`.
  func emptinessTest(
    _ symbol: BinaryOperator, _ left: Expression, _ right: Expression
  ) -> FilterTerm? {
    guard symbol == .equal || symbol == .notEqual, let list = list(left) ?? list(right),
      case .list(let values)? = constant(self.list(left) == nil ? left : right), values.isEmpty
    else { return nil }
    let isEmpty: SQL = "(\(list.column) IS '[]')"
    return FilterTerm(symbol == .equal ? isEmpty : "NOT \(isEmpty)", .bool)
  }
}
