import CEL
import Items
import JSON

extension FilterTranslator {
  /// A list that an item has.
  struct ItemList {
    let property: PropertySchema
    let column: SQL
    /// What its elements are; nil where their JSON is no plain value.
    let kind: FilterTerm.Kind?
    /// What NULL in its place means.
    let nulls: FilterTerm.Nulls

    /// The list, or the empty one where it is null.
    var orEmpty: ItemList {
      guard case .failure = nulls else { return self }
      return ItemList(
        property: property, column: "coalesce(\(column), '[]')", kind: kind, nulls: .never)
    }
  }

  /// The list property that an expression names, or the empty list where that is null; nil when it
  /// is none.
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
    // JSON has no form of its own for an infinite number, and one for truth.
    let isPlain = element != .bool && element != .double
    return ItemList(
      property: property, column: "t.\(name: field)",
      kind: isPlain ? Self.kind(of: element) : nil,
      nulls: property.isOptional ? .failure : .never)
  }

  private func isEmptyList(_ expression: Expression) -> Bool {
    if case .list(let values)? = constant(expression) { values.isEmpty } else { false }
  }

  /// `element in place`.
  func containment(of element: Expression, in place: Expression) -> FilterTerm? {
    if let list = list(place) {
      guard let value = constant(element) else { return nil }
      return contains(list, value)
    }
    guard let term = term(element), case .list(let values)? = constant(place) else { return nil }
    return isOneOf(values, term)
  }

  /// `value in self.list`.
  private func contains(_ list: ItemList, _ value: Value) -> FilterTerm? {
    guard let kind = list.kind else { return nil }
    if value.isNull { return absence(in: list) }
    switch match(kind, value) {
    case .unknown: return nil
    case .never: return absence(in: list)
    case .column(let column):
      guard table.hasListTable(list.property.name) else {
        return orFailure(
          "EXISTS (SELECT 1 FROM json_each(\(list.column)) AS e WHERE e.value = \(column))", list)
      }
      var term = orFailure(
        Anchor.hasElement(of: [column], list.property.name, in: table), list)
      term.anchors = [.element(list.property.name, column)]
      term.required = term.anchors
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
    var columns: [SQLValue] = []
    var hasNull = false
    for value in values {
      if value.isNull {
        hasNull = true
        continue
      }
      switch match(term.kind, value) {
      case .unknown: return nil
      case .never: continue
      case .column(let column): columns.append(column)
      }
    }
    return isOneOf(columns, orNull: hasNull, term)
  }

  private func isOneOf(_ columns: [SQLValue], orNull: Bool, _ term: FilterTerm) -> FilterTerm? {
    guard let values = Self.list(of: columns) else { return nil }
    let isListed: SQL = columns.isEmpty ? "0" : "\(term.sql) IN (\(values))"
    let result: FilterTerm
    switch term.nulls {
    case .never: result = FilterTerm("(\(isListed))", .bool)
    case .value where orNull:
      return FilterTerm("(\(term.sql) IS NULL OR \(isListed))", .bool)
    case .value: result = FilterTerm("(\(term.sql) IS NOT NULL AND \(isListed))", .bool)
    case .failure where columns.isEmpty:
      return FilterTerm(
        "(CASE WHEN \(term.sql) IS NULL THEN NULL ELSE 0 END)", .bool, nulls: .failure)
    case .failure: result = FilterTerm("(\(isListed))", .bool, nulls: .failure)
    }
    return chosen(result, of: term, columns)
  }

  /// Values as `IN` takes them: many of them as one, which SQLite makes a tree of.
  private static func list(of columns: [SQLValue]) -> SQL? {
    if columns.count <= maximumList {
      return SQL.values(columns)
    }
    var values: [Value] = []
    values.reserveCapacity(columns.count)
    for column in columns {
      switch column {
      case .int(let int): values.append(.int(int))
      case .text(let text) where !text.utf8.contains(0): values.append(.string(text))
      // JSON has other digits for doubles, and no NUL.
      default: return nil
      }
    }
    guard let json = try? JSONWriter().text(of: .list(values)) else { return nil }
    return "SELECT value FROM json_each(\(.text(json)))"
  }

  /// A condition that names the values of a term for which it holds.
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

  /// `a == 1 || a == 2 || a in [3, 4]` as one list, for which an index serves.
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
    var terms: [FilterTerm] = []
    var length = 0
    for value in values {
      var inner = self
      inner.elements[variable] = nil
      inner.bound[variable] = value
      guard let term = inner.condition(body) else { return nil }
      terms.append(term)
      length += term.sql.text.utf8.count
      // Macros within macros would grow without end.
      guard length <= FilterPlan.maximumBytes else { return nil }
    }
    guard let first = terms.first else { return FilterTerm(isUniversal ? "1" : "0", .bool) }
    if terms.count == 1 { return first }
    if !isUniversal, let choice = choice(of: terms) { return choice }
    let nulls: FilterTerm.Nulls = terms.contains(where: \.mayFail) ? .failure : .never
    let word = isUniversal ? " AND " : " OR "
    var joined = FilterTerm(
      "(\(SQL.joined(terms.map(\.sql), separator: word)))", .bool, nulls: nulls)
    if isUniversal {
      joined.required = terms.flatMap(\.required)
    } else if !terms.contains(where: \.anchors.isEmpty) {
      joined.anchors = terms.flatMap(\.anchors)
    }
    return joined
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
    case .equal:
      guard isVariable(left) != isVariable(right),
        let value = inner.constant(isVariable(left) ? right : left)
      else { return nil }
      return contains(list, value)
    case .in:
      guard isVariable(left), case .list(let values)? = inner.constant(right),
        values.count <= Self.maximumList
      else { return nil }
      var columns: [SQLValue] = []
      for value in values {
        switch value.isNull ? .never : match(kind, value) {
        case .unknown: return nil
        case .never: continue
        case .column(let column): columns.append(column)
        }
      }
      if columns.isEmpty { return absence(in: list) }
      var term = orFailure(Anchor.hasElement(of: columns, list.property.name, in: table), list)
      term.anchors = columns.map { .element(list.property.name, $0) }
      return term
    default: return nil
    }
  }

  private func quantified(
    over list: ItemList, _ variable: String, _ body: Expression, isUniversal: Bool
  ) -> FilterTerm? {
    // One level: an element's name in SQL is the same at every level.
    guard elements.isEmpty, let kind = list.kind else { return nil }
    var inner = self
    inner.bound[variable] = nil
    inner.elements[variable] = FilterTerm("e.value", kind)
    // With a body that cannot fail, the macro fails only for a list that is null.
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
