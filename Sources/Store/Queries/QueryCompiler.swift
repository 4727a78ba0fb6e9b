import CEL
import Items

/// Compiles a query to SQL.
struct QueryCompiler {
  let table: EntityTable
  let connection: Connection
  let context: StoreContext
  /// Whether the newest matches of a search may be found in the order of row ids.
  let walksArrivals: Bool
  /// Whether the rows are only counted: unordered, and without columns.
  let isCounted: Bool
  /// The search plan of the query's words.
  var search: SearchPlan?
  /// Whether parts of the filter may run as SQL.
  var pushesFilter = true

  /// Whether an FTS expression has too many matches for a full sort.
  private func isCommon(_ match: String) throws -> Bool {
    try RankedSearch.count(match, table, connection, limit: Self.sortableRows + 1)
      > Self.sortableRows
  }

  /// The number of rows of a statement, up to a limit; nil for more.
  func count(_ rows: SQL, _ limit: Int) throws -> Int? {
    let count = try connection.number(
      "SELECT count(*) FROM (\(rows) LIMIT \(.int(Int64(limit + 1))))")
    return count.flatMap { $0 <= limit ? Int($0) : nil }
  }

  /// The compiled query; nil when nothing can match.
  ///
  /// - Parameter after: The item after which the results continue.
  func compile(_ query: Query, after: Record? = nil) throws -> CompiledQuery? {
    let plan = query.filter.map {
      FilterPlan($0, table: table, context: context, isPushed: pushesFilter)
    }
    var result = CompiledQuery(source: .statement, sql: "", plan: plan)
    if let plan, !plan.isExact { result.filter = query.filter }
    var conditions = query.during.map { [table.condition(during: $0)] } ?? []
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
      result.sql = try merged(query, plan.anchors, whole, after: after)
    } else if match == nil, element == nil {
      switch try access(to: query, plan, conditions) {
      case .order(let index):
        result.sql = try walk(query, along: index, whole, after, isLimited: result.filter == nil)
      case .values(let rare): result.sql = try select(query, from: RowSource(table), rare, after)
      case .any: result.sql = try select(query, from: RowSource(table), whole, after)
      }
    } else {
      var source = RowSource(table)
      var whole = whole
      if let search, let match, isWalked {
        // Most rows match, so the first ones in order are found quickly.
        whole.append(search.isMatch(match))
      } else if let match {
        source = RowSource(table, matching: match)
      } else if let element {
        source = RowSource(table, at: element)
      }
      result.sql = try select(query, from: source, whole, after)
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

  /// The maximum number of excluded rows that are looked up to count matches.
  private static let fewExcluded = 5_000

  /// The ids of all matches without those that a filter excludes, so that no matching row is read;
  /// nil when that is not possible, or too many are excluded.
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

  /// The rows of a source in the order of a query.
  func select(
    _ query: Query, from source: RowSource, _ conditions: [SQL], _ after: Record?
  ) throws -> SQL {
    if isCounted { return try select(query, from: source, conditions, [], after: after) }
    var order = try order(of: query, in: source)
    var sql = try select(query, from: source, conditions, order, after: after)
    // With a repeated term SQLite would not walk the index, and would sort all items of one date.
    if query.sort.contains(where: { $0.property == "createdAt" }) {
      order.remove(at: order.count - 2)
    }
    sql.append(" ORDER BY \(SQL.joined(order.map(\.sql), separator: ", "))")
    return sql
  }

  /// The order of a query; newest first where its keys are equal.
  func order(of query: Query, in source: RowSource) throws -> [SortTerm] {
    let order = try query.sort.map { key in
      key.property == "createdAt"
        ? SortTerm(source.date, descending: key.isDescending) : try SortTerm(key, in: table)
    }
    return order + [
      SortTerm(source.date, descending: true), SortTerm(source.number, descending: true),
    ]
  }

  /// The rows of a source, unordered.
  ///
  /// - Parameter order: The order that defines the rows after `after`.
  func select(
    _ query: Query, from source: RowSource, _ conditions: [SQL], _ order: [SortTerm],
    after: Record?
  ) throws -> SQL {
    var conditions = conditions
    if let condition = source.condition { conditions.insert(condition, at: 0) }
    if let after {
      conditions.append(
        try SortTerm.following(after, order, query.sort, in: table, context: context))
    }
    let columns = isCounted ? source.number : "\(raw: source.columns)"
    var sql: SQL = "SELECT \(columns) FROM \(source.tables)"
    if !conditions.isEmpty { sql.append(" WHERE \(SQL.joined(conditions, separator: " AND "))") }
    return sql
  }

  /// Id, date and match flag of the row whose id is appended, if it matches the search.
  private func probe(_ isMatch: SQL, _ conditions: [SQL]) -> SQL {
    """
    SELECT t.id, t.createdAt, (\(all(conditions))) FROM \(name: table.name) AS t \
    WHERE \(isMatch) AND t.id = 
    """
  }

  func all(_ conditions: [SQL]) -> SQL {
    conditions.isEmpty ? "1" : SQL.joined(conditions, separator: " AND ")
  }

  /// Id, date and match flag of each match of the search.
  private func matches(of match: String, _ conditions: [SQL]) -> SQL {
    """
    SELECT t.id, t.createdAt, (\(all(conditions))) \
    FROM \(name: table.searchName) AS f CROSS JOIN \(name: table.name) AS t ON t.id = f.rowid \
    WHERE \(name: table.searchName) MATCH \(.text(match))
    """
  }

  /// Whether an index is in the order of a query with a limit.
  private func isWalked(_ query: Query) throws -> Bool {
    guard query.limit != nil, query.sort.count <= 1 else { return false }
    guard let key = query.sort.first else { return true }
    if ["id", "createdAt"].contains(key.property) { return true }
    return table.indexedColumns.contains { property in
      if case .enumeration = property.type { return false }
      if property.type == .when { return false }
      return property.name == key.property && !property.isOptional
    }
  }

  /// FTS phrases required by a filter, to reduce the matches.
  private func required(by plan: FilterPlan?) -> [String] {
    (plan?.required ?? []).compactMap { anchor in
      guard case .element(let property, .text(let text)) = anchor else { return nil }
      return table.phrase(text, in: property)
    }
  }
}

/// A compiled query, with the work left for each row.
struct CompiledQuery {
  /// The source of the rows.
  enum Source {
    /// One statement, in the requested order.
    case statement
    /// A ranked search; the statement reads one row by its id, the first parameter. `among` selects
    /// the candidates' ids if the rest of the query leaves few.
    case ranking(SearchPlan, match: String, among: SQL?)
    /// The matches of a search by row id, which nearly always follows the date; the statement
    /// selects id, date and match flag of each match, newest first, and `probe` the same for the id
    /// appended to it.
    case arrivals(probe: SQL)
  }

  var source: Source
  /// The statement, with the columns of `EntityTable.columns`.
  var sql: SQL
  /// The filter to evaluate for each row; nil when the statement covers it.
  var filter: Filter?
  /// The maximum number of items, when the statement does not limit them.
  var limit: Int?
  /// The division of the filter.
  var plan: FilterPlan?
}
