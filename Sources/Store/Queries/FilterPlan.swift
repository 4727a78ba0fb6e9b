import CEL
import Items

/// How a filter is divided: what runs as SQL, and what is left to be evaluated for each item.
struct FilterPlan {
  /// A condition in SQL.
  private struct Condition {
    let sql: SQL
    /// The element that it asks for and nothing else.
    let element: Anchor?
    let indexUse: FilterTerm.IndexUse
    /// The property of the index that finds its rows.
    let indexed: String?
    /// What holds for just the other rows, where an index finds them.
    let exclusion: SQL?
    /// Whether it is a bound of the date of creation.
    let isDate: Bool

    /// The condition with the word that the index finds few rows; else SQLite guesses.
    var likely: SQL { "likelihood(\(sql), 0.001)" }
  }

  private var conditions: [Condition] = []
  /// Whether the condition in SQL is all there is.
  var isExact: Bool { inProcess.isEmpty }
  /// The parts that run as SQL.
  private(set) var inSQL: [Expression] = []
  /// The parts that must be evaluated for each item.
  private(set) var inProcess: [Expression] = []
  /// Elements of indexed lists that every item has that matches.
  private(set) var required: [Anchor] = []
  /// Values of which every item has one that matches; at least two, or none when none are known.
  private(set) var anchors: [Anchor] = []

  /// The longest condition that is made; SQLite limits how deep one may nest.
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
      // Of two parts that fail the first one counts, and one before may end the run: only where
      // this part is false is it certain then that nothing else matters.
      let isDecisive = isExact || !term.mayFail
      if term.truth != true {
        conditions.append(
          Condition(
            sql: isDecisive ? "(\(term.sql))" : "((\(term.sql)) IS NOT 0)",
            element: isDecisive && term.anchors == term.required ? term.anchors.first : nil,
            indexUse: isDecisive ? term.indexUse : .none,
            indexed: isDecisive && term.indexUse != .none ? term.indexed : nil,
            exclusion: isDecisive ? term.exclusion : nil, isDate: isDecisive && term.isDate))
      }
      guard isDecisive else { continue }
      required += term.required
      if anchors.isEmpty, (2...Self.maximumAnchors).contains(term.anchors.count) {
        anchors = term.anchors
      }
    }
  }

  /// How an index could find what matches.
  var indexUse: FilterTerm.IndexUse { conditions.map(\.indexUse).max() ?? .none }

  /// The properties whose indexes serve conditions, in their order.
  var indexed: [String] {
    var names: [String] = []
    for case let name? in conditions.map(\.indexed) where !names.contains(name) {
      names.append(name)
    }
    return names
  }

  /// What must hold for a row.
  ///
  /// - Parameter element: What every row that is looked at has, so that it need not be asked for.
  func conditions(besides element: Anchor? = nil) -> [SQL] {
    conditions.filter { element == nil || $0.element != element }.map(\.sql)
  }

  /// What must hold for a row, by the index of one property and no other.
  func conditions(byIndexOf property: String) -> [SQL] {
    conditions.map { condition in
      if condition.indexed == property { return condition.likely }
      // A test of its truth is no comparison that an index could serve.
      return condition.indexed == nil ? condition.sql : "(\(condition.sql) IS TRUE)"
    }
  }

  /// What the index of one property has to find.
  func likelyConditions(on property: String) -> [SQL] {
    conditions.filter { $0.indexed == property }.map(\.likely)
  }

  /// What holds for a row that the filter does not let pass, one of them at least, where indexes find
  /// these rows; nil where they do not.
  var exclusions: [SQL]? {
    let known = conditions.compactMap(\.exclusion)
    return isExact && known.count == conditions.count ? known : nil
  }

  /// What the index of dates has to find.
  var dateConditions: [SQL] { conditions.filter(\.isDate).map(\.sql) }

  /// The parts that must all hold.
  private static func conjuncts(of expression: Expression) -> [Expression] {
    guard case .and(let operands) = expression.kind else { return [expression] }
    return operands.flatMap(conjuncts)
  }
}

/// A piece of SQL that stands for an expression, with what is known of its values.
struct FilterTerm {
  /// What the values are, in the terms of CEL.
  enum Kind: Hashable {
    case int, double, string, bool, timestamp, duration
    /// A day as text, which in CEL is the timestamp of its midnight.
    case date
    /// The number of an item of the entity.
    case reference(String)
  }

  /// What NULL means.
  enum Nulls {
    /// It does not occur.
    case never
    /// The value null.
    case value
    /// The failure of an operation that met null.
    case failure
  }

  /// The values of one term for which a condition holds.
  struct Choice {
    let subject: SQL
    let kind: Kind
    let nulls: Nulls
    let column: String?
    let values: [SQLValue]
  }

  /// The SQL, which stands as an operand of any operator without more brackets.
  var sql: SQL
  var kind: Kind
  var nulls: Nulls
  /// The name of the column that it is as it stands.
  var column: String?
  /// Values of which a row has all wherever the condition holds.
  var required: [Anchor] = []
  /// Values of which a row has at least one wherever the condition holds; empty when none are known.
  var anchors: [Anchor] = []
  /// What the condition says, where it only names values of one term.
  var choice: Choice?
  /// How an index of a property could find the rows for which the condition holds.
  var indexUse = IndexUse.none
  /// The property of that index.
  var indexed: String?
  /// What holds for just those rows for which the condition does not, where an index finds them.
  var exclusion: SQL?
  /// Whether it is the date of creation, or a bound of that, which the index of dates finds.
  var isDate = false

  /// How an index serves a condition.
  enum IndexUse: Comparable {
    case none
    /// By several of its values, in no order of dates.
    case several
    /// By one value, whose rows are in the order of their dates.
    case one
  }

  init(_ sql: SQL, _ kind: Kind, nulls: Nulls = .never) {
    self.sql = sql
    self.kind = kind
    self.nulls = nulls
  }

  /// Joins what NULL means for operations that fail when any operand is null.
  static func failing(_ operands: FilterTerm...) -> Nulls {
    for operand in operands {
      if case .never = operand.nulls { continue }
      return .failure
    }
    return .never
  }

  /// Whether the condition holds for every row, or for none; nil when that depends on the row.
  var truth: Bool? { sql.text == "1" ? true : sql.text == "0" ? false : nil }

  /// The condition that holds where this one does not.
  var negated: FilterTerm {
    var result = FilterTerm("(NOT \(sql))", .bool, nulls: nulls)
    if indexUse != .none, !mayFail { result.exclusion = sql }
    return result
  }

  /// Whether NULL means a failure.
  var mayFail: Bool { if case .failure = nulls { true } else { false } }
  /// Whether NULL means the value null.
  var mayBeNull: Bool { if case .value = nulls { true } else { false } }
}
