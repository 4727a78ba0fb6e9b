import CEL
package import Items

extension EntityStore {
  /// How a query would run, and for a search how its best matches came to their places.
  package func explain(_ query: Query) throws -> QueryExplanation {
    let table = try table(query.entity)
    var result = QueryExplanation()
    guard !table.isAbsent, let compiled = try compile(query, table) else { return result }
    result.statements = [compiled.sql.text]
    result.inSQL = compiled.plan?.inSQL.map(\.description) ?? []
    result.checkedAgain = compiled.plan?.checkedAgain.map(\.description) ?? []
    result.inProcess = compiled.plan?.inProcess.map(\.description) ?? []
    if case .ranking(let plan, let match, let few) = compiled.source {
      let search = try RankedSearch(
        plan, match: match, among: few, in: table, connection, now: context.now())
      result.statements.insert(search.statement, at: 0)
      result.match = match
      result.isRankingExact = search.isExact
      let limit = query.limit ?? 10
      var left = context.filterSteps
      try forEachHit(of: search, in: table) { hit in
        if try item(of: hit, compiled, query, table, left: &left) != nil { result.hits.append(hit) }
        return result.hits.count < limit
      }
    }
    for statement in result.statements {
      // A plan needs no values.
      try connection.rows("EXPLAIN QUERY PLAN \(raw: statement)") { row in
        result.plan.append(row.text(3))
        return true
      }
    }
    return result
  }
}
