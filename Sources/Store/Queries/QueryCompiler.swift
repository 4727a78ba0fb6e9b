import CEL

/// Turns a query into one statement.
struct QueryCompiler {
  private let table: EntityTable
  private let context: StoreContext

  init(_ table: EntityTable, context: StoreContext) {
    self.table = table
    self.context = context
  }

  /// The statement; nil when nothing can match.
  ///
  /// - Parameter after: The item after which the result goes on.
  func compile(_ query: Query, after: Record? = nil) throws -> CompiledQuery? {
    let plan = query.filter.map { FilterPlan($0, table: table, context: context) }
    var order = try query.sort.map { try SortTerm($0, in: table) }
    var conditions: [SQL] = []
    var source: SQL = "\(name: table.name) AS t"
    var relevance: SQL?
    var dateColumns: [SQL] = ["t.createdAt", "t.id"]
    if let words = query.words {
      guard !table.searched.isEmpty, let match = Self.matchExpression(words) else { return nil }
      source = "\(name: table.searchName) AS f JOIN \(name: table.name) AS t ON t.id = f.rowid"
      conditions.append("\(name: table.searchName) MATCH \(.text(match))")
      if order.isEmpty { relevance = score }
    } else if let element = plan?.elements.first {
      // The list's table holds each value's items by date.
      source = """
        \(name: table.listName(element.property)) AS l CROSS JOIN \(name: table.name) AS t \
        ON t.id = l.id
        """
      conditions.append("l.value = \(element.value)")
      dateColumns = ["l.createdAt", "l.id"]
    }
    if let condition = plan?.condition { conditions.append(condition) }
    order.append(SortTerm(dateColumns[0], descending: true))
    order.append(SortTerm(dateColumns[1], descending: true))
    if let after, relevance == nil {
      conditions.append(try SortTerm.following(after, order, query.sort, in: table, context))
    }

    var sql: SQL = "SELECT \(raw: table.columns) FROM \(source)"
    if !conditions.isEmpty { sql.append(" WHERE \(SQL.joined(conditions, separator: " AND "))") }
    var terms = order.map(\.sql)
    if let relevance { terms.insert(relevance, at: 0) }
    sql.append(" ORDER BY \(SQL.joined(terms, separator: ", "))")

    var result = CompiledQuery(sql: sql, plan: plan)
    if let plan, !plan.isExact { result.filter = query.filter }
    if let limit = query.limit {
      if result.filter == nil {
        result.sql.append(" LIMIT \(.int(Int64(limit)))")
      } else {
        result.limit = limit
      }
    }
    return result
  }

  /// The score of relevance, smaller for what is more relevant.
  private var score: SQL {
    let weights = table.searched.map { String(table.schema.properties[$0].searchWeight ?? 1) }
    return "bm25(\(name: table.searchName), \(raw: weights.joined(separator: ", ")))"
  }

  /// The user's words as an FTS5 expression in which nothing is syntax; nil when there are none.
  static func matchExpression(_ words: String) -> String? {
    let terms = words.split(whereSeparator: \.isWhitespace).filter { word in
      word.unicodeScalars.contains {
        $0.properties.isAlphabetic || $0.properties.numericType != nil
      }
    }
    guard !terms.isEmpty else { return nil }
    return terms.map { SQL.quoted(String($0)) }.joined(separator: " ")
  }
}
