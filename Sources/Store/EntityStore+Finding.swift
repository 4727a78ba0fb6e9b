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
    guard let sql = try QueryCompiler(table).sql(query) else { return }
    var remaining = query.limit ?? Int.max
    try connection.rows(sql) { row in
      let item = try item(row, table)
      if let filter = query.filter, try !filter.predicate(item) { return true }
      remaining -= 1
      return try body(item) && remaining > 0
    }
  }
}
