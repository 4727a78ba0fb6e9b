package import CEL
import Catalog
package import Items
package import Program
import Store

/// Items that are due.
extension Run {
  /// The range of time whose occurrences are looked for at once, since a query has only so many.
  private static let occurrenceSpan = DurationValue(seconds: 5 * 86_400)

  /// The items that fire a trigger by what is due in an interval, with their moments after its start.
  ///
  /// Moments of items that do not occur may also be later than the interval.
  ///
  /// - Throws: `Diagnostics` when its condition is invalid, `RunError`.
  package func due(
    _ due: DueMoments, _ trigger: CompiledTrigger, after start: Timestamp, to end: Timestamp
  ) throws -> [(item: Item, moment: Timestamp)] {
    var search = Search(entity: due.entity)
    func found(_ query: Query, _ start: Timestamp) throws -> [(item: Item, moment: Timestamp)] {
      try stored(due.entity) { try $0.items.find(query) }.flatMap { item in
        due.moments(of: item, in: host.clock).filter { $0 > start }.map { (item, $0) }
      }
    }
    guard due.occurs else {
      search.filter = trigger.filter(of: due, from: start, to: end)
      return try found(self.query(search), start)
    }
    search.filter = trigger.condition?.expression.source.text
    var query = try self.query(search)
    var all: [(item: Item, moment: Timestamp)] = []
    var first = start
    while first < end {
      let last = min(first.adding(Self.occurrenceSpan) ?? end, end)
      guard let range = due.range(from: first, to: last) else { break }
      query.during = range
      all += try found(query, first).filter { $0.moment <= last }
      first = last
    }
    return all
  }
}
