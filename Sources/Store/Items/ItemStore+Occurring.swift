import CEL
import Items

/// Items that take place within a range of time.
extension ItemStore {
  /// The most occurrences of a query, and of one item, of which further ones are left out.
  private static let mostOccurrences = 100_000
  private static let mostOfOne = 10_000

  /// The occurrences of a query within its range, in its order, by default that of time.
  ///
  /// The condition is that on an occurrence, with its own times.
  /// An item with too many is cut, so that the others are found all the same.
  /// - Throws: `invalidValue` for an entity without days, and for too many occurrences of all.
  func occurrences(_ query: Query, in range: Range<Timestamp>) throws -> [Item] {
    let table = try database.table(query.entity)
    guard let places = table.schema.occurrence else {
      throw StoreError(
        .invalidValue, "cannot find \(query.entity) by `during`: it has no property with a day")
    }
    let start = SortKey(table.schema.properties[places.start].name)
    var candidates = Query(query.entity, match: query.match, sort: [start])
    candidates.during = range
    candidates.closeMatches = query.closeMatches
    var found: [Item] = []
    var left = context.filterSteps
    var count = 0
    try forEachCandidate(candidates) { item in
      let limit = min(Self.mostOfOne, Self.mostOccurrences - count) + 1
      var records = context.rules.occurrences(item.record, table.schema, range, limit)
      if records.count > Self.mostOfOne {
        records.removeLast()
        context.events.didCutSeries(
          item.reference.map { "\($0)" } ?? query.entity, Self.mostOfOne)
      }
      for record in records {
        count += 1
        let occurrence = Item(
          record, layout: table.layout, searchWords: query.words, isNear: item.isNear)
        if let filter = query.filter, try !filter.matches(occurrence, left: &left) { continue }
        found.append(occurrence)
      }
      if count > Self.mostOccurrences {
        let id = item.reference.map { "\($0)" } ?? query.entity
        throw StoreError(
          .invalidValue,
          "\(id), and perhaps others, take place more than \(Self.mostOccurrences) times in this "
            + "range: choose a shorter one, or give it another rule")
      }
      return true
    }
    let keys = query.sort.isEmpty ? [start] : query.sort
    // Names a property without an order.
    for key in keys { _ = try SortTerm(key, in: table) }
    func isBefore(_ a: Item, _ b: Item) -> Bool {
      for key in keys {
        var (first, second) = (a.field(key.property) ?? .null, b.field(key.property) ?? .null)
        if first.isNull || second.isNull {
          if first.isNull != second.isNull { return second.isNull }
          continue
        }
        // An enum sorts in the order of its declaration.
        if let index = table.layout.index(of: key.property),
          case .enumeration(let values) = table.schema.properties[index].type
        {
          (first, second) = (rank(first, values), rank(second, values))
        }
        let order = first.compare(second) ?? 0
        if order != 0 { return (order < 0) != key.isDescending }
      }
      return (a.id ?? 0) < (b.id ?? 0)
    }
    func rank(_ value: Value, _ values: [String]) -> Value {
      .int(Int64(values.firstIndex { value == .string($0) } ?? values.count))
    }
    found.sort(by: isBefore)
    return query.limit.map { Array(found.prefix(max(0, $0))) } ?? found
  }
}

extension EntityTable {
  /// The condition that a row may take place within a range; days and moments are compared as texts, so
  /// that the range is some days wider, and an index on each of the properties is of use.
  func condition(during range: Range<Timestamp>) -> SQL {
    guard let places = schema.occurrence else { return "0" }
    func column(_ index: Int) -> SQL { "t.\(name: schema.properties[index].name)" }
    func day(_ moment: Timestamp, _ days: Int) -> SQL {
      "\(.text(CivilTime(moment).date.adding(days: days).iso8601))"
    }
    let start = column(places.start)
    let isBefore: SQL = "\(start) < \(day(range.upperBound, 2))"
    let first = day(range.lowerBound, -2)
    var terms: [SQL] = []
    if let rule = places.rule { terms.append("\(column(rule)) IS NOT NULL") }
    guard let end = places.end.map(column) else {
      terms.append("\(start) >= \(first)")
      return "\(isBefore) AND (\(SQL.joined(terms, separator: " OR ")))"
    }
    terms += ["\(end) >= \(first)", "\(end) IS NULL AND \(start) >= \(first)"]
    return "\(isBefore) AND (\(SQL.joined(terms, separator: " OR ")))"
  }
}
