import CEL

/// How a filter is divided: what runs as SQL, and what is left to be evaluated for each item.
struct FilterPlan {
  /// The condition in SQL; nil when nothing can be said in it.
  private(set) var condition: SQL?
  /// Whether the condition in SQL is all there is.
  var isExact: Bool { inProcess.isEmpty }
  /// The parts that run as SQL.
  private(set) var inSQL: [Expression] = []
  /// The parts that must be evaluated for each item.
  private(set) var inProcess: [Expression] = []
  /// What must stand in indexed lists of every item that matches.
  private(set) var elements: [FilterTerm.ListElement] = []

  /// The longest condition that is made; SQLite limits how deep one may nest.
  private static let maximumBytes = 3_000
  private static let maximumParts = 100

  init(_ filter: Filter, table: EntityTable, context: StoreContext) {
    let translator = FilterTranslator(filter, table: table, context: context)
    var conditions: [SQL] = []
    for part in Self.conjuncts(of: filter.program.expression) {
      guard inSQL.count < Self.maximumParts, let term = translator.condition(part),
        term.sql.text.utf8.count <= Self.maximumBytes
      else {
        inProcess.append(part)
        continue
      }
      inSQL.append(part)
      elements += term.elements
      if case .failure = FilterTerm.failing(term), !inProcess.isEmpty {
        // Of two parts that fail the first one counts, and the one before may end the run: only
        // where this part is false is it certain that nothing else matters.
        conditions.append("((\(term.sql)) IS NOT 0)")
      } else {
        conditions.append("(\(term.sql))")
      }
    }
    if !conditions.isEmpty { condition = SQL.joined(conditions, separator: " AND ") }
  }

  /// The parts that must all hold.
  private static func conjuncts(of expression: Expression) -> [Expression] {
    guard case .and(let operands) = expression.kind else { return [expression] }
    return operands.flatMap(conjuncts)
  }
}
