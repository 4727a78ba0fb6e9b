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
  var isExact: Bool { inProcess.isEmpty && checkedAgain.isEmpty }
  /// The parts that run as SQL.
  private(set) var inSQL: [Expression] = []
  /// The parts that run as SQL, which lets some rows pass that it cannot decide: what it lets pass
  /// is evaluated once more.
  private(set) var checkedAgain: [Expression] = []
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
      let doubts = FilterDoubts()
      let translator = FilterTranslator(filter, table: table, context: context, doubts: doubts)
      guard isPushed, inSQL.count + checkedAgain.count < Self.maximumParts,
        let term = translator.condition(part)
      else {
        inProcess.append(part)
        continue
      }
      let sql = doubts.passing(term.sql)
      guard sql.text.utf8.count <= Self.maximumBytes else {
        inProcess.append(part)
        continue
      }
      // Of two parts that fail the first one counts, and one before may end the run: only where
      // this part is false is it certain then that nothing else matters.
      let isDecisive = isExact || !term.mayFail
      let isPlain = isDecisive && doubts.conditions.isEmpty
      if term.truth != true {
        conditions.append(
          Condition(
            sql: isDecisive ? "(\(sql))" : "((\(sql)) IS NOT 0)",
            element: isPlain && term.anchors == term.required ? term.anchors.first : nil,
            indexUse: isPlain ? term.indexUse : .none,
            indexed: isPlain && term.indexUse != .none ? term.indexed : nil,
            exclusion: isPlain ? term.exclusion : nil, isDate: isPlain && term.isDate))
      }
      if doubts.conditions.isEmpty {
        inSQL.append(part)
        guard isDecisive else { continue }
        required += term.required
        if anchors.isEmpty, (2...Self.maximumAnchors).contains(term.anchors.count) {
          anchors = term.anchors
        }
      } else {
        checkedAgain.append(part)
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
