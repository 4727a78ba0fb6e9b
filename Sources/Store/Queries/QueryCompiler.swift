import CEL
import Items

/// Turns a query into statements.
struct QueryCompiler {
  let table: EntityTable
  private let context: StoreContext
  /// Whether an expression of the text index has more matches than can be sorted in no time.
  var isCommon: (String) throws -> Bool = { _ in false }
  /// How many rows a statement has, up to a limit; nil for more.
  var count: (SQL, _ limit: Int) throws -> Int? = { _, _ in 0 }
  /// Whether the newest matches of a search may be looked for in the order of arrival.
  var walksArrivals = true

  /// Whether the rows are only counted: in no order, and without their columns.
  var isCounted = false
  /// What the words of the query ask for.
  var search: SearchPlan?
  /// Whether parts of the filter may run as SQL.
  var pushesFilter = true

  init(_ table: EntityTable, context: StoreContext) {
    self.table = table
    self.context = context
  }

  /// The statement; nil when nothing can match.
  ///
  /// - Parameter after: The item after which the result goes on.
  func compile(_ query: Query, after: Record? = nil) throws -> CompiledQuery? {
    let plan = query.filter.map {
      FilterPlan($0, table: table, context: context, isPushed: pushesFilter)
    }
    var result = CompiledQuery(source: .statement, sql: "", plan: plan)
    if let plan, !plan.isExact { result.filter = query.filter }
    var conditions: [SQL] = []
    if let search {
      if search.isEmpty { return nil }
      if search.match != nil, query.sort.isEmpty,
        let match = search.expression(and: required(by: plan))
      {
        conditions += (plan?.conditions() ?? []) + search.conditions(probing: true)
        result.source = .ranking(search, match: match, among: try fewRows(of: plan, search))
        result.sql = "\(raw: table.select) WHERE t.id = ?"
        for condition in conditions { result.sql.append(" AND \(condition)") }
        result.limit = query.limit
        return result
      }
    }
    let match = search?.expression()
    if let search, let match, walksArrivals, after == nil, result.filter == nil,
      let limit = query.limit, limit <= NewestMatches.limit,
      query.sort.isEmpty || query.sort == [SortKey("createdAt", descending: true)]
    {
      conditions = search.conditions(probing: true) + (plan?.conditions() ?? [])
      let matches = matches(of: match, conditions)
      result.source = .arrivals(probe: probe(search.isMatch(match), conditions))
      result.sql = "\(matches) ORDER BY f.rowid DESC"
      result.limit = limit
      return result
    }
    if isCounted, let search, let match, let sql = try counted(match, search, plan) {
      result.sql = sql
      return result
    }
    let isWalked = try isWalked(query) && (match.map { try isCommon($0) } ?? true)
    let element = match == nil ? plan?.required.first : nil
    conditions += search?.conditions(probing: isWalked) ?? []
    let whole = conditions + (plan?.conditions(besides: element) ?? [])
    if match == nil, let plan, isMerged(query, plan, whole) {
      result.sql = try merged(query, plan.anchors, whole, after)
    } else if match == nil, element == nil {
      switch try access(to: query, plan, conditions) {
      case .order(let index):
        result.sql = try walk(query, along: index, whole, after, isLimited: result.filter == nil)
      case .values(let rare): result.sql = try select(query, from: RowSource(table), rare, after)
      case .any: result.sql = try select(query, from: RowSource(table), whole, after)
      }
    } else {
      result.sql = try statement(
        query, search, match: match, isWalked: isWalked, element: element, whole, after)
    }
    if let limit = query.limit {
      if result.filter == nil {
        result.sql.append(" LIMIT \(.int(Int64(limit)))")
      } else {
        result.limit = limit
      }
    }
    return result
  }

  /// How many rows a filter may exclude that are looked up before the matches are counted.
  private static let fewExcluded = 5_000

  /// The numbers of all matches without those that a filter excludes: no row of a match is looked at;
  /// nil where that is not certain, or where it excludes many.
  private func counted(_ match: String, _ search: SearchPlan, _ plan: FilterPlan?) throws -> SQL? {
    guard search.conditions(probing: false).isEmpty else { return nil }
    var sql: SQL = """
      SELECT f.rowid FROM \(name: table.searchName) AS f \
      WHERE \(name: table.searchName) MATCH \(.text(match))
      """
    guard let plan else { return sql }
    guard let exclusions = plan.exclusions else { return nil }
    if exclusions.isEmpty { return sql }
    let excluded: SQL = """
      SELECT t.id FROM \(name: table.name) AS t \
      WHERE \(SQL.joined(exclusions, separator: " OR "))
      """
    guard try count(excluded, Self.fewExcluded) != nil else { return nil }
    sql.append(" AND +f.rowid NOT IN (\(excluded))")
    return sql
  }

  private func statement(
    _ query: Query, _ search: SearchPlan?, match: String?, isWalked: Bool, element: Anchor?,
    _ conditions: [SQL], _ after: Record?
  ) throws -> SQL {
    var conditions = conditions
    var source = RowSource(table)
    if let search, let match, isWalked {
      // Most rows match, so the first of them in the order wanted are soon found.
      conditions.append(search.isMatch(match))
    } else if let match {
      source = RowSource(table, matching: match)
    } else if let element {
      source = RowSource(table, at: element)
    }
    return try select(query, from: source, conditions, after)
  }

  /// The rows of a source in the order that a query wants.
  func select(
    _ query: Query, from source: RowSource, _ conditions: [SQL], _ after: Record?
  ) throws -> SQL {
    if isCounted { return try select(query, from: source, conditions, [], after) }
    var order = try order(of: query, in: source)
    var sql = try select(query, from: source, conditions, order, after)
    // A term given twice would keep SQLite from walking the index of the order: it would sort all
    // items of one date.
    if query.sort.contains(where: { $0.property == "createdAt" }) {
      order.remove(at: order.count - 2)
    }
    sql.append(" ORDER BY \(SQL.joined(order.map(\.sql), separator: ", "))")
    return sql
  }

  /// The order that a query wants; the newest first where its keys don't decide.
  func order(of query: Query, in source: RowSource) throws -> [SortTerm] {
    let order = try query.sort.map { key in
      key.property == "createdAt"
        ? SortTerm(source.date, descending: key.isDescending) : try SortTerm(key, in: table)
    }
    return order + [
      SortTerm(source.date, descending: true), SortTerm(source.number, descending: true),
    ]
  }

  /// The rows of a source, in no order.
  ///
  /// - Parameter order: The order in which they must come after `after`.
  func select(
    _ query: Query, from source: RowSource, _ conditions: [SQL], _ order: [SortTerm],
    _ after: Record?
  ) throws -> SQL {
    var conditions = conditions
    if let condition = source.condition { conditions.insert(condition, at: 0) }
    if let after {
      conditions.append(try SortTerm.following(after, order, query.sort, in: table, context))
    }
    let columns = isCounted ? source.number : "\(raw: source.columns)"
    var sql: SQL = "SELECT \(columns) FROM \(source.tables)"
    if !conditions.isEmpty { sql.append(" WHERE \(SQL.joined(conditions, separator: " AND "))") }
    return sql
  }

  /// Number, date and whether it is wanted of the row whose number is appended, if it is a match.
  private func probe(_ isMatch: SQL, _ conditions: [SQL]) -> SQL {
    """
    SELECT t.id, t.createdAt, (\(all(conditions))) FROM \(name: table.name) AS t \
    WHERE \(isMatch) AND t.id = 
    """
  }

  func all(_ conditions: [SQL]) -> SQL {
    conditions.isEmpty ? "1" : SQL.joined(conditions, separator: " AND ")
  }

  /// Number, date and whether it is wanted of each match.
  private func matches(of match: String, _ conditions: [SQL]) -> SQL {
    """
    SELECT t.id, t.createdAt, (\(all(conditions))) \
    FROM \(name: table.searchName) AS f CROSS JOIN \(name: table.name) AS t ON t.id = f.rowid \
    WHERE \(name: table.searchName) MATCH \(.text(match))
    """
  }

  /// Whether an index gives the order of a query that wants only the first few.
  private func isWalked(_ query: Query) throws -> Bool {
    guard query.limit != nil, query.sort.count <= 1 else { return false }
    guard let key = query.sort.first else { return true }
    if ["id", "createdAt"].contains(key.property) { return true }
    return table.indexedColumns.contains { property in
      if case .enumeration = property.type { return false }
      return property.name == key.property && !property.isOptional
    }
  }

  /// What a filter demands of the text index, which then finds fewer matches.
  private func required(by plan: FilterPlan?) -> [String] {
    (plan?.required ?? []).compactMap { anchor in
      guard case .element(let property, .text(let text)) = anchor else { return nil }
      return table.phrase(text, in: property)
    }
  }
}

/// A query in the terms of the database, and what is left to do for each row.
struct CompiledQuery {
  /// How the rows are found.
  enum Source {
    /// By one statement in the order wanted.
    case statement
    /// By the rank of a search; the statement reads the row of an id, its first parameter. Where
    /// the rest of the query leaves few items, another one gives their numbers.
    case ranking(SearchPlan, match: String, among: SQL?)
    /// By the order of arrival of a search's matches, whose dates follow it nearly always; the
    /// statement gives the number and the date of each match and whether it is wanted, newest first,
    /// and the other the same of the number that is appended to it.
    case arrivals(probe: SQL)
  }

  var source: Source
  /// The statement, whose columns are those of `EntityTable.columns`.
  var sql: SQL
  /// The filter to be evaluated for each row; nil when the statement says it all.
  var filter: Filter?
  /// How many items at most, when the statement does not limit them.
  var limit: Int?
  /// How the filter was divided.
  var plan: FilterPlan?
}
