import CEL
package import Items

extension EntityStore {
  /// How many items a query wants whatever its order, its limit and where it goes on; a limited
  /// number is counted to that.
  ///
  /// Only items that have all words count.
  /// - Throws: What `find` throws.
  /// - Complexity: O(number of items counted); for a filter that SQL can't say, O(number of items).
  package func count(_ query: Query, upTo most: Int? = nil) throws -> Int {
    var query = query
    query.sort = query.words == nil ? [] : [SortKey("createdAt")]
    query.limit = nil
    query.after = nil
    query.isRelaxed = false
    let table = try table(query.entity)
    return try connection.reading {
      guard !table.isAbsent,
        let compiled = try compile(query, table, walksArrivals: false, isCounted: true)
      else { return 0 }
      var count = 0
      if compiled.filter == nil, case .statement = compiled.source {
        var sql: SQL = "SELECT count(*) FROM (\(compiled.sql)"
        if let most { sql.append(" LIMIT \(.int(Int64(most)))") }
        sql.append(")")
        if case .int(let number)? = try connection.first(sql) { count = Int(number) }
        return count
      }
      try forEach(query) { _ in
        count += 1
        return count < most ?? Int.max
      }
      return count
    }
  }

  /// What there is to say of what a query found.
  ///
  /// - Parameter most: How many items are counted at most.
  package func summary(of query: Query, countingTo most: Int) throws -> SearchSummary {
    let count = try count(query, upTo: most + 1)
    var missing: [SearchSummary.MissingWord] = []
    if count == 0, let words = query.words, case let table = try table(query.entity),
      !table.isAbsent
    {
      try connection.registerSearch()
      missing = try SearchReader(table, connection, context, searchMemory).missing(words)
    }
    return SearchSummary(count: min(count, most), hasMore: count > most, missing: missing)
  }
}
