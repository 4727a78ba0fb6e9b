import CEL
package import Items

extension ItemStore {
  /// The items that match a query, in its order.
  ///
  /// - Throws: `notFound` for an unknown entity or property, and the errors of the filter.
  package func find(_ query: Query) throws -> [Item] {
    func found() throws -> [Item] { try collect { try forEach(query, $0) } }
    // A search takes several statements, so it runs in one snapshot, unless references may require
    // preparing other tables, which writes.
    let isOneReading = try query.words != nil && !database.table(query.entity).refersToItems
    return try isOneReading ? connection.reading(found) : found()
  }

  /// Collects the items passed to a callback.
  private func collect(_ handOut: ((Item) throws -> Bool) throws -> Void) rethrows -> [Item] {
    var items: [Item] = []
    try handOut { item in
      items.append(item)
      return true
    }
    return items
  }

  private func plan(
    _ words: String, _ reader: SearchReader, _ table: EntityTable
  ) throws -> SearchPlan {
    if let known = database.searchMemory?.plans[[table.name, words]] { return known }
    let plan = try reader.plan(words)
    database.searchMemory?.plans[[table.name, words]] = plan
    return plan
  }

  /// The number of items with all words below which a search may go on with those that have some,
  /// and up to which it does.
  private static let few = 10

  /// The number of items read at once when all are requested.
  private static let pieceSize = 2_000

  /// Calls `body` with each item of a query until it returns false.
  ///
  /// All items by date are read page by page, so that a long-running reader does not block
  /// checkpoints; writes in the meantime may be visible.
  package func forEach(_ query: Query, _ body: (Item) throws -> Bool) throws {
    if let like = query.like {
      for item in try alike(like, query) where try !body(item) { return }
      return
    }
    if let range = query.during {
      for item in try occurrences(query, in: range) where try !body(item) { return }
      return
    }
    try forEachCandidate(query, body)
  }

  /// The likeness below which an item is not related, relative to the most similar one.
  private static let leastAlike = 0.2

  /// The number of like items among which those that satisfy the rest of a query are looked for.
  private static let mostAlike = 300

  /// The items of a query that are like one, most similar first.
  private func alike(_ subject: Item, _ query: Query) throws -> [Item] {
    let table = try database.table(query.entity)
    var left = context.filterSteps
    var items: [Item] = []
    let nearest = try database.likeness.nearest(
      to: LikenessSearch.Subject(subject), of: query.entity, limit: Self.mostAlike)
    for match in nearest
    where items.count < query.limit ?? 10 && match.score >= Self.leastAlike {
      let item = try row(table.selectByID, .int(match.id), in: table) { try self.item($0, table) }
      guard let item, try query.filter?.matches(item, left: &left) ?? true else { continue }
      items.append(item)
    }
    return items
  }

  /// Calls `body` with each item of a query, whose range of time is one of candidates.
  func forEachCandidate(_ query: Query, _ body: (Item) throws -> Bool) throws {
    if let limit = query.limit, limit <= 0 { return }
    let isPlain = query.limit == nil && query.words == nil && query.after == nil
    guard isPlain, !connection.isInTransaction,
      query.sort.isEmpty || query.sort == [SortKey("createdAt"), SortKey("id")]
    else { return try forEach(query, after: nil, body) }
    var piece = query
    piece.limit = Self.pieceSize
    var last: Record?
    while true {
      let items = try collect { try forEach(piece, after: last, $0) }
      for item in items where try !body(item) { return }
      guard items.count == Self.pieceSize, let end = items.last else { return }
      last = end.record
    }
  }

  private func forEach(_ query: Query, after last: Record?, _ body: (Item) throws -> Bool) throws {
    let table = try database.table(query.entity)
    guard !table.isAbsent, let compiled = try compile(query, table, after: last) else { return }
    try forEach(query, compiled, table, after: last, body: body)
  }

  private func forEach(
    _ query: Query, _ compiled: CompiledQuery, _ table: EntityTable, after last: Record? = nil,
    body: (Item) throws -> Bool
  ) throws {
    var remaining = compiled.limit ?? Int.max
    var left = context.filterSteps
    func take(_ row: Statement) throws -> Bool {
      let item = try item(row, table, searchWords: query.words)
      if let filter = compiled.filter, try !filter.matches(item, left: &left) { return true }
      remaining -= 1
      return try body(item) && remaining > 0
    }
    switch compiled.source {
    case .statement: try connection.rows(compiled.sql, take)
    case .arrivals(let probe):
      let matches = NewestMatches(
        compiled.limit ?? 0, of: table, connection, walk: compiled.sql, probe: probe)
      guard let ids = try matches.ids() else {
        if let other = try compile(query, table, after: last, walksArrivals: false) {
          try connection.rows(other.sql, take)
        }
        return
      }
      for id in ids where try row(table.selectByID, .int(id), in: table, take) == false { return }
    case .ranking(let plan, let match, let few):
      let search = try connection.reading {
        try RankedSearch(
          plan, match: match, among: few, in: table, connection, now: context.world.now())
      }
      var isBefore = query.after != nil
      var found: Set<Int64> = []
      var isStopped = false
      func take(_ hit: SearchHit, _ compiled: CompiledQuery) throws -> Bool {
        if isBefore, hit.id == query.after?.id {
          isBefore = false
        } else if isBefore, found.count >= Self.few {
          return true
        }
        guard let item = try item(of: hit, compiled, query, table, left: &left) else { return true }
        if found.count < Self.few { found.insert(hit.id) }
        if isBefore || hit.id == query.after?.id { return true }
        remaining -= 1
        isStopped = try !body(item) || remaining <= 0
        return !isStopped
      }
      try forEachHit(of: search, in: table) { try take($0, compiled) }
      let isFew = query.closeMatches == .ifFew && found.count < Self.few
      if !isStopped, found.isEmpty || isFew, query.closeMatches != .never, !plan.isRelaxed,
        let relaxed = try compile(query, table, isRelaxed: true)
      {
        if found.isEmpty { return try forEach(query, relaxed, table, body: body) }
        guard case .ranking(let plan, let match, let few) = relaxed.source else { return }
        let search = try connection.reading {
          try RankedSearch(
            plan, match: match, among: few, in: table, connection, now: context.world.now())
        }
        let exact = found
        try forEachHit(of: search, in: table) { hit in
          try exact.contains(hit.id) || take(hit, relaxed) && found.count < Self.few
        }
      }
      if isBefore, let after = query.after {
        throw StoreError(
          .notFound, "cannot continue after \(after): it does not match the search")
      }
    }
  }

  /// The item of a hit; nil when it does not match the rest of the query.
  ///
  /// - Parameter left: The remaining steps of the filter.
  func item(
    of hit: SearchHit, _ compiled: CompiledQuery, _ query: Query, _ table: EntityTable,
    left: inout Int
  ) throws -> Item? {
    try connection.withStatement(compiled.sql.text) { statement in
      try statement.bind(hit.id, at: 1)
      for (index, value) in compiled.sql.bindings.enumerated() {
        try statement.bind(value, at: Int32(index + 2))
      }
      guard try statement.step() else { return nil }
      let isNear =
        if case .ranking(let plan, _, _) = compiled.source { plan.isRelaxed } else { false }
      let item = try item(statement, table, searchWords: query.words, isNear: isNear)
      if let filter = compiled.filter, try !filter.matches(item, left: &left) { return nil }
      return item
    }
  }

  /// Calls `body` with the hits of a search, best first, and newest first among equals.
  func forEachHit(
    of search: RankedSearch, in table: EntityTable, _ body: (SearchHit) throws -> Bool
  ) throws {
    var before: Int64?
    var size = search.chunkSize
    repeat {
      let chunk = try search.chunk(of: size, before: before)
      guard try forEach(of: chunk.best, in: table, body),
        try forEach(of: chunk.rest(), in: table, body)
      else { return }
      before = chunk.next
      // Collecting words for each chunk soon costs more than ranking everything.
      if search.collectsWords { size *= 4 }
    } while before != nil
  }

  /// Calls `body` with ordered hits, newest first among equals; false when it stopped.
  private func forEach(
    of hits: [SearchHit], in table: EntityTable, _ body: (SearchHit) throws -> Bool
  ) throws -> Bool {
    var index = 0
    while index < hits.count {
      var end = index + 1
      while end < hits.count, hits[end].score == hits[index].score { end += 1 }
      for hit in try newestFirst(hits[index..<end], in: table) where try !body(hit) { return false }
      index = end
    }
    return true
  }

  /// Equal hits by date; many of them stay in row-id order, which approximates it.
  private func newestFirst(
    _ hits: ArraySlice<SearchHit>, in table: EntityTable
  ) throws -> [SearchHit] {
    guard (2...500).contains(hits.count) else { return Array(hits) }
    var dates: [Int64: Int64] = [:]
    for hit in hits {
      dates[hit.id] = try row(table.selectDate, .int(hit.id), in: table) { $0.int(0) }
    }
    return hits.sorted { (dates[$0.id] ?? 0, $0.id) > (dates[$1.id] ?? 0, $1.id) }
  }

  /// Compiles a query; nil when nothing can match.
  ///
  /// - Parameters:
  ///   - record: The item after which the results continue, whether or not it still exists.
  ///   - walksArrivals: Whether the newest matches of a search may be found in the order of row
  ///     ids.
  ///   - isRelaxed: Whether some of the words suffice; nil is returned when all of them are needed.
  ///   - isCounted: Whether the items are only counted.
  func compile(
    _ query: Query, _ table: EntityTable, after record: Record? = nil, walksArrivals: Bool = true,
    isRelaxed: Bool = false, isCounted: Bool = false
  ) throws -> CompiledQuery? {
    var last = record
    if let after = query.after {
      guard after.entity == table.name, let record = try self.record(id: after.id, in: table) else {
        throw StoreError(.notFound, "cannot continue after \(after): it does not exist")
      }
      last = record
    }
    var compiler = QueryCompiler(
      table: table, connection: connection, context: context, walksArrivals: walksArrivals,
      isCounted: isCounted)
    if let words = query.words {
      try connection.registerSearch()
      let reader = SearchReader(table, connection, context, memory: database.searchMemory)
      let plan = try plan(words, reader, table)
      compiler.search = plan
      if isRelaxed {
        guard let plan = try reader.relaxed(plan) else { return nil }
        compiler.search = plan
      }
    }
    do {
      let compiled = try compiler.compile(query, after: last)
      // Preparing it here also caches it.
      if let sql = compiled?.sql, query.filter != nil {
        try connection.withStatement(sql.text) { _ in }
      }
      return compiled
    } catch let error as StoreError where query.filter != nil && error.isRefusedStatement {
      // The condition exceeds one of SQLite's limits: evaluate it in process.
      compiler.pushesFilter = false
      return try compiler.compile(query, after: last)
    }
  }

  // MARK: Counting

  /// The number of items that match a query, ignoring its order, limit and start; counted up to
  /// `most`, if given.
  ///
  /// Items must have all words to count.
  /// - Throws: The errors of `find`.
  /// - Complexity: O(counted items), or O(items) when the filter cannot be translated to SQL.
  package func count(_ query: Query, upTo most: Int? = nil) throws -> Int {
    var query = query
    query.sort = query.words == nil ? [] : [SortKey("createdAt")]
    query.limit = nil
    query.after = nil
    query.closeMatches = .never
    if query.during != nil {
      query.sort = []
      return min(try find(query).count, most ?? .max)
    }
    let table = try database.table(query.entity)
    return try connection.reading {
      guard !table.isAbsent,
        let compiled = try compile(query, table, walksArrivals: false, isCounted: true)
      else { return 0 }
      if compiled.filter == nil, case .statement = compiled.source {
        let limit = most.map { count -> SQL in " LIMIT \(.int(Int64(count)))" } ?? ""
        return Int(try connection.number("SELECT count(*) FROM (\(compiled.sql)\(limit))") ?? 0)
      }
      var count = 0
      try forEach(query) { _ in
        count += 1
        return count < most ?? Int.max
      }
      return count
    }
  }
}
