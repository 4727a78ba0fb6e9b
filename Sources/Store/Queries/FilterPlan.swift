import CEL
import Items

/// A filter divided into parts that run as SQL and parts evaluated for each item.
struct FilterPlan {
  /// The conditions in SQL.
  private var conditions: [FilterTerm] = []
  /// Whether the SQL conditions are the whole filter.
  var isExact: Bool { inProcess.isEmpty }
  /// The parts that run as SQL.
  private(set) var inSQL: [Expression] = []
  /// The parts evaluated for each item.
  private(set) var inProcess: [Expression] = []
  /// Elements of indexed lists that every match has.
  private(set) var required: [Anchor] = []
  /// Two or more values, at least one of which every match has; empty if unknown.
  private(set) var anchors: [Anchor] = []

  /// The maximum length of a condition; SQLite limits the nesting of expressions.
  static let maximumBytes = 3_000
  private static let maximumParts = 100
  private static let maximumAnchors = 8

  /// - Parameter isPushed: Whether any part may run as SQL.
  init(_ filter: Filter, table: EntityTable, context: StoreContext, isPushed: Bool = true) {
    for part in Self.conjuncts(of: filter.program.expression) {
      let translator = FilterTranslator(filter, table: table, context: context)
      guard isPushed, inSQL.count < Self.maximumParts, let term = translator.condition(part) else {
        inProcess.append(part)
        continue
      }
      inSQL.append(part)
      // The first failing part decides the error. After a part that is evaluated in process, a
      // failure must therefore keep the row: only false excludes it.
      let isDecisive = isExact || !term.mayFail
      if term.truth != true {
        conditions.append(isDecisive ? term : FilterTerm("((\(term.sql)) IS NOT 0)", .bool))
      }
      guard isDecisive else { continue }
      required += term.required
      if anchors.isEmpty, (2...Self.maximumAnchors).contains(term.anchors.count) {
        anchors = term.anchors
      }
    }
  }

  /// The best index use among the conditions.
  var indexUse: FilterTerm.IndexUse { conditions.map(\.indexUse).max() ?? .none }

  /// The properties whose indexes serve conditions, in order.
  var indexed: [String] {
    var names: [String] = []
    for case let name? in conditions.map(\.servingIndex) where !names.contains(name) {
      names.append(name)
    }
    return names
  }

  /// The conditions of a row.
  ///
  /// - Parameter element: A value that the rows are known to have, whose condition is omitted.
  func conditions(besides element: Anchor? = nil) -> [SQL] {
    conditions.filter { element == nil || $0.element != element }.map(\.sql)
  }

  /// The conditions of a row, using the index of one property and no other.
  func conditions(byIndexOf property: String) -> [SQL] {
    conditions.map { condition in
      if condition.servingIndex == property { return condition.likely }
      // SQLite uses no index for `IS TRUE`.
      return condition.servingIndex == nil ? condition.sql : "(\(condition.sql) IS TRUE)"
    }
  }

  /// The conditions served by the index of one property.
  func likelyConditions(on property: String) -> [SQL] {
    conditions.filter { $0.servingIndex == property }.map(\.likely)
  }

  /// Indexed conditions, at least one of which holds for every excluded row; nil if not all are
  /// indexed.
  var exclusions: [SQL]? {
    let known = conditions.compactMap(\.exclusion)
    return isExact && known.count == conditions.count ? known : nil
  }

  /// The conditions served by the index by date.
  var dateConditions: [SQL] { conditions.filter(\.isDate).map(\.sql) }

  /// The operands of a conjunction.
  private static func conjuncts(of expression: Expression) -> [Expression] {
    guard case .and(let operands) = expression.kind else { return [expression] }
    return operands.flatMap(conjuncts)
  }
}

/// The SQL translation of an expression, with known facts about its values.
struct FilterTerm {
  /// The CEL type of the values.
  enum Kind: Hashable {
    case int, double, string, bool, timestamp, duration
    /// A day as text; in CEL, the timestamp of its midnight.
    case date
    /// A day as text, or a moment as text in UTC; in CEL, the timestamp of either.
    case when
    /// The id of an item of an entity.
    case reference(String)
  }

  /// The meaning of NULL.
  enum Nulls {
    /// NULL does not occur.
    case never
    /// The value null.
    case value
    /// The failure of an operation on null.
    case failure
  }

  /// The values of one term for which a condition is true.
  struct Choice {
    let subject: SQL
    let kind: Kind
    let nulls: Nulls
    let column: String?
    let values: [SQLValue]
  }

  /// The SQL, usable as an operand without further parentheses.
  var sql: SQL
  var kind: Kind
  var nulls: Nulls
  /// The column, when the term is just that.
  var column: String?
  /// Values that a row has whenever the condition is true.
  var required: [Anchor] = []
  /// Values, at least one of which a row has whenever the condition is true; empty if unknown.
  var anchors: [Anchor] = []
  /// The condition as a list of values of one term, if it is one.
  var choice: Choice?
  /// The way an index of a property could find matching rows.
  var indexUse = IndexUse.none
  /// The property with that index.
  var indexed: String?
  /// A condition for exactly the rows that do not match, when an index finds them.
  var exclusion: SQL?
  /// Whether this is `createdAt` or a bound on it, served by the index by date.
  var isDate = false

  /// The way an index serves a condition.
  enum IndexUse: Comparable {
    case none
    /// Looks up several values; rows are not in order of date.
    case several
    /// Looks up one value; rows are in order of date.
    case one
  }

  init(_ sql: SQL, _ kind: Kind, nulls: Nulls = .never) {
    self.sql = sql
    self.kind = kind
    self.nulls = nulls
  }

  /// The meaning of NULL for operations that fail when any operand is null.
  static func failing(_ operands: FilterTerm...) -> Nulls {
    operands.contains { $0.nulls != .never } ? .failure : .never
  }

  /// The value of a constant term; nil for any other.
  var constant: SQLValue? { sql.text == "?" ? sql.bindings.first : nil }

  /// Whether the condition is true for every row or for none; nil when that depends on the row.
  var truth: Bool? { sql.text == "1" ? true : sql.text == "0" ? false : nil }

  /// The negated condition.
  var negated: FilterTerm {
    var result = FilterTerm("(NOT \(sql))", .bool, nulls: nulls)
    if indexUse != .none, !mayFail { result.exclusion = sql }
    return result
  }

  /// The element that this condition requires and nothing else.
  var element: Anchor? { anchors == required ? anchors.first : nil }
  /// The property whose index finds the rows.
  var servingIndex: String? { indexUse == .none ? nil : indexed }
  /// The condition with a hint that the index finds few rows; SQLite would only guess.
  var likely: SQL { "likelihood(\(sql), 0.001)" }

  /// Whether NULL means a failure.
  var mayFail: Bool { nulls == .failure }
  /// Whether NULL means the value null.
  var mayBeNull: Bool { nulls == .value }
}
