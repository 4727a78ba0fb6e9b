import Items

/// Queries for the items of several values of one property, or of several elements of a list.
extension QueryCompiler {
  /// The longest text of conditions that is repeated for each value.
  private static let maximumRepetition = 20_000

  /// Whether the items are found by indexes, value by value, and merged.
  func isMerged(_ query: Query, _ plan: FilterPlan, _ conditions: [SQL]) -> Bool {
    guard plan.required.isEmpty, !plan.anchors.isEmpty,
      query.sort.isEmpty || query.sort.count == 1 && query.sort[0].property == "createdAt"
    else { return false }
    let length = conditions.reduce(0) { $0 + $1.text.utf8.count }
    return length * plan.anchors.count <= Self.maximumRepetition
  }

  /// The items of each value in the order of their dates, which SQLite keeps when it merges them;
  /// an item of several values counts for the first of them.
  func merged(
    _ query: Query, _ anchors: [Anchor], _ conditions: [SQL], _ after: Record?
  ) throws -> SQL {
    let selections = try anchors.indices.map { index in
      let source = RowSource(table, at: anchors[index])
      let others = anchors[..<index].map { anchor -> SQL in
        "NOT \(anchor.condition(in: table))"
      }
      return try select(
        query, from: source, others + conditions, try order(of: query, in: source), after)
    }
    var sql = SQL.joined(selections, separator: " UNION ALL ")
    // By the places of `createdAt` and `id` among the columns.
    let isDescending = query.sort.first?.isDescending ?? true
    sql.append(" ORDER BY 3\(raw: isDescending ? " DESC" : ""), 1 DESC")
    return sql
  }
}
