import Items

/// The access path of a query.
enum RowAccess {
  /// A walk along an index in the requested order, as an SQL clause.
  case order(SQL)
  /// An index lookup with few matches; with conditions that select the index.
  case values([SQL])
  /// SQLite's choice.
  case any
}

/// Index selection: by order or by value.
extension QueryCompiler {
  /// Row count below which a full sort beats an index walk.
  static let sortableRows = 10_000

  /// The best access path of a query.
  ///
  /// SQLite has no statistics and guesses, so index matches are counted up to the sort limit. If
  /// there are more, the first requested rows are near the start of the order.
  ///
  /// - Parameter conditions: The conditions besides those of the filter.
  func access(to query: Query, _ plan: FilterPlan?, _ conditions: [SQL]) throws -> RowAccess {
    let key = query.sort.first?.property ?? "createdAt"
    let use = plan?.indexUse ?? .none
    // The rows of one index value are in order of date.
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

  /// Selects the ids of rows that an index finds for a filter or for the dates of a search; nil
  /// when there are many.
  ///
  /// Filtering the FTS matches instead would rank nearly all of them.
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

  /// The index that is in the order of a key; nil when there is none.
  private func orderIndex(of key: String) -> SQL? {
    switch key {
    // The rows themselves are in order of id.
    case "id": "NOT INDEXED"
    case "createdAt": "INDEXED BY \(name: table.name + "_by_date")"
    default: isIndexed(key) ? "INDEXED BY \(name: table.indexName(key))" : nil
    }
  }

  /// Whether a property has an index in the order of its values; enums sort by declaration.
  private func isIndexed(_ name: String) -> Bool {
    table.indexedColumns.contains { property in
      switch property.type {
      case .enumeration, .entity: false
      default: property.name == name
      }
    }
  }

  /// The first sort key, if it may be null.
  private func optionalKey(of query: Query) -> SortKey? {
    guard let key = query.sort.first, let index = table.layout.index(of: key.property),
      table.schema.properties[index].isOptional
    else { return nil }
    return key
  }

  /// The first rows along an index.
  ///
  /// Rows with a null key come last, from a second query; one query would need a sort.
  ///
  /// - Parameter isLimited: Whether SQL limits the rows.
  func walk(
    _ query: Query, along index: SQL, _ conditions: [SQL], _ after: Record?, isLimited: Bool
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

  /// The maximum total length of conditions repeated for each value.
  private static let maximumRepetition = 20_000

  /// Whether the items are found by indexes, value by value, and merged.
  func isMerged(_ query: Query, _ plan: FilterPlan, _ conditions: [SQL]) -> Bool {
    guard plan.required.isEmpty, !plan.anchors.isEmpty,
      query.sort.isEmpty || query.sort.count == 1 && query.sort[0].property == "createdAt"
    else { return false }
    let length = conditions.reduce(0) { $0 + $1.text.utf8.count }
    return length * plan.anchors.count <= Self.maximumRepetition
  }

  /// The items of each value by date, an order that SQLite keeps when merging; an item with several
  /// values counts for the first.
  func merged(
    _ query: Query, _ anchors: [Anchor], _ conditions: [SQL], after: Record?
  ) throws -> SQL {
    let selections = try anchors.indices.map { index in
      let source = RowSource(table, at: anchors[index])
      let others = anchors[..<index].map { anchor -> SQL in "NOT \(anchor.condition(in: table))" }
      return try select(
        query, from: source, others + conditions, try order(of: query, in: source), after: after)
    }
    var sql = SQL.joined(selections, separator: " UNION ALL ")
    // What is only counted has neither these columns nor an order.
    if isCounted { return sql }
    // Column positions of `createdAt` and `id`.
    let isDescending = query.sort.first?.isDescending ?? true
    sql.append(" ORDER BY 3\(raw: isDescending ? " DESC" : ""), 1 DESC")
    return sql
  }
}
