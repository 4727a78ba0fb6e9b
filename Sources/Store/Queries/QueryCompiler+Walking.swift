import Items

/// An index that has the rows of an entity in the order of a query's first key.
enum OrderIndex {
  /// The rows themselves, by number.
  case number
  /// An index of this name.
  case index(String)
}

/// How the rows of a query are found.
enum RowAccess {
  /// Along an index that has them in the order wanted.
  case order(OrderIndex)
  /// By the values that an index has, of which few match; with the conditions that choose it.
  case values([SQL])
  /// As SQLite likes.
  case any
}

/// Queries whose rows are found by an index: by that of their order, or by that of their values.
extension QueryCompiler {
  /// How many rows can be sorted in no time.
  static let sortableRows = 10_000

  /// How the rows of a query are found best.
  ///
  /// SQLite knows nothing of the values and guesses. So what an index finds is counted, up to what
  /// can be sorted in no time. If it is more, the first rows wanted stand near the beginning of
  /// their order.
  ///
  /// - Parameter conditions: The conditions besides those of the filter.
  func access(to query: Query, _ plan: FilterPlan?, _ conditions: [SQL]) throws -> RowAccess {
    let key = query.sort.first?.property ?? "createdAt"
    let use = plan?.indexUse ?? .none
    // An index of one value has its rows in the order of their dates.
    if use == .one, key == "createdAt" { return .any }
    let order = query.limit == nil ? nil : orderIndex(of: key)
    if use == .none {
      return optionalKey(of: query) == nil ? .any : order.map(RowAccess.order) ?? .any
    }
    guard let plan, let chosen = try rarest(of: plan) else { return .any }
    let all = conditions + plan.conditions(byIndexOf: chosen)
    let rows = rows(where: SQL.joined(all, separator: " AND "))
    if try count(rows, Self.sortableRows) != nil { return .values(all) }
    return order.map(RowAccess.order) ?? .any
  }

  /// The property whose index finds the fewest rows.
  private func rarest(of plan: FilterPlan) throws -> String? {
    guard plan.indexed.count > 1 else { return plan.indexed.first }
    var best: (name: String, count: Int)?
    for name in plan.indexed {
      let all = SQL.joined(plan.likelyConditions(on: name), separator: " AND ")
      guard let count = try count(rows(where: all), Self.sortableRows) else { continue }
      if best.map({ count < $0.count }) ?? true { best = (name, count) }
    }
    return best?.name ?? plan.indexed.first
  }

  private func rows(where condition: SQL) -> SQL {
    "SELECT t.id FROM \(name: table.name) AS t WHERE \(condition)"
  }

  /// Gives the numbers of the rows that an index finds for a filter, or for the dates of a search;
  /// nil where they are not few.
  ///
  /// To look for them among the matches of a common word would be to rank most of these.
  func fewRows(of plan: FilterPlan?, _ search: SearchPlan) throws -> SQL? {
    var indexed =
      try plan.flatMap { plan in
        try rarest(of: plan).map { rows(where: all(plan.likelyConditions(on: $0))) }
      }.map { [$0] } ?? []
    let dates = search.dateConditions + (plan?.dateConditions ?? [])
    if !dates.isEmpty {
      indexed.append(
        """
        SELECT t.id FROM \(name: table.name) AS t INDEXED BY \(name: table.name + "_by_date") \
        WHERE \(all(dates))
        """)
    }
    return try indexed.first { try count($0, RankedSearch.fewRows) != nil }
  }

  /// The index in whose order a key has the rows; nil when there is none.
  private func orderIndex(of key: String) -> OrderIndex? {
    switch key {
    case "id": .number
    case "createdAt": .index(table.name + "_by_date")
    default: isIndexed(key) ? .index(table.indexName(key)) : nil
    }
  }

  /// Whether a property has an index in the order of its values; an enum's order is its own.
  private func isIndexed(_ name: String) -> Bool {
    table.indexedColumns.contains { property in
      switch property.type {
      case .enumeration, .entity: false
      default: property.name == name
      }
    }
  }

  /// The first key of an order, when it may be null.
  private func optionalKey(of query: Query) -> SortKey? {
    guard let key = query.sort.first, let index = table.layout.index(of: key.property),
      table.schema.properties[index].isOptional
    else { return nil }
    return key
  }

  /// The first rows along an index.
  ///
  /// Those whose first key is null come last. They are a query of their own, which the same index
  /// has in the order of their dates; together all of them would be sorted.
  ///
  /// - Parameter isLimited: Whether the rows are limited by SQL.
  func walk(
    _ query: Query, along index: OrderIndex, _ conditions: [SQL], _ after: Record?,
    isLimited: Bool
  ) throws -> SQL {
    let source = RowSource(table, along: index)
    guard isLimited, let limit = query.limit, let key = optionalKey(of: query) else {
      return try select(query, from: source, conditions, after)
    }
    let parts = try ["NOT NULL", "NULL"].map { test -> SQL in
      let all = conditions + ["t.\(name: key.property) IS \(raw: test)"]
      let rows = try select(query, from: source, all, after)
      return "SELECT * FROM (\(rows) LIMIT \(.int(Int64(limit))))"
    }
    return SQL.joined(parts, separator: " UNION ALL ")
  }

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
