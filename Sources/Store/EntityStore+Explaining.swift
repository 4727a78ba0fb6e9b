import CEL

extension EntityStore {
  /// How a query would run, and for a search how its best matches came to their places.
  public func explain(_ query: Query) throws -> QueryExplanation {
    let table = try table(query.entity)
    var result = QueryExplanation()
    guard !table.isAbsent, let compiled = try compile(query, table) else { return result }
    result.sql = compiled.sql.text
    result.inSQL = compiled.plan?.inSQL.map(\.description) ?? []
    result.checkedAgain = compiled.plan?.checkedAgain.map(\.description) ?? []
    result.inProcess = compiled.plan?.inProcess.map(\.description) ?? []
    var explain: SQL = "EXPLAIN QUERY PLAN "
    explain.append(compiled.sql)
    try connection.rows(explain) { row in
      result.plan.append(row.text(3))
      return true
    }
    if case .ranking(let plan, let match) = compiled.source {
      let search = try RankedSearch(plan, match: match, in: self, table)
      result.match = match
      result.isRankingExact = search.isExact
      let limit = query.limit ?? 10
      try forEachHit(of: search, in: table) { hit in
        result.hits.append(hit)
        return result.hits.count < limit
      }
    }
    return result
  }
}
