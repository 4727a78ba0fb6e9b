import CEL

extension EntityStore {
  /// The items a query wants, in its order.
  ///
  /// - Throws: `notFound` for an unknown entity or property, and what the filter throws.
  public func find(_ query: Query) throws -> [Item] {
    var items: [Item] = []
    try forEach(query) { item in
      items.append(item)
      return true
    }
    return items
  }

  /// Hands out the items a query wants one by one, until `body` returns false.
  public func forEach(_ query: Query, _ body: (Item) throws -> Bool) throws {
    if let limit = query.limit, limit <= 0 { return }
    let table = try table(query.entity)
    guard let compiled = try compile(query, table) else { return }
    var remaining = compiled.limit ?? Int.max
    try connection.rows(compiled.sql) { row in
      let item = try item(row, table)
      if let filter = compiled.filter, try !filter.matches(item) { return true }
      remaining -= 1
      return try body(item) && remaining > 0
    }
  }

  /// How a query would run.
  public func explain(_ query: Query) throws -> QueryExplanation {
    let table = try table(query.entity)
    guard let compiled = try compile(query, table) else {
      return QueryExplanation(sql: nil, inSQL: [], inProcess: [], plan: [])
    }
    var steps: [String] = []
    var explain: SQL = "EXPLAIN QUERY PLAN "
    explain.append(compiled.sql)
    try connection.rows(explain) { row in
      steps.append(row.text(3))
      return true
    }
    return QueryExplanation(
      sql: compiled.sql.text, inSQL: compiled.plan?.inSQL.map(\.description) ?? [],
      inProcess: compiled.plan?.inProcess.map(\.description) ?? [], plan: steps)
  }

  private func compile(_ query: Query, _ table: EntityTable) throws -> CompiledQuery? {
    var last: Record?
    if let after = query.after {
      guard after.entity == table.name, let record = try record(id: after.id, in: table) else {
        throw StoreError(.notFound, "there is no \(after) to go on after")
      }
      last = record
    }
    return try QueryCompiler(table, context: context).compile(query, after: last)
  }
}
