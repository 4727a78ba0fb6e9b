/// Finds the newest matches of a search by walking back through the row ids.
///
/// The text index returns matches by row id, not by date. Ids follow dates except for items saved
/// before an import of older ones, so the newest matches are the first few, plus a few with smaller
/// ids and later dates, which the index by date finds.
struct NewestMatches {
  /// The maximum number of items searched for this way.
  static let limit = 100
  /// The number of matches examined before giving up.
  private static let patience = 2_000
  /// The maximum number of items with smaller ids that are examined.
  private static let earlierLimit = 32
  /// The number of entries of the index by date that cost as much as one match.
  private static let datesPerMatch = 25.0

  private let connection: Connection
  private let table: EntityTable
  private let count: Int
  private let walk: SQL
  private let probe: SQL

  /// - Parameters:
  ///   - count: The number of matches wanted.
  ///   - walk: Selects id, date and filter result of each match, largest id first.
  ///   - probe: Selects the same for the match whose id is appended to it.
  init(_ count: Int, of table: EntityTable, _ connection: Connection, walk: SQL, probe: SQL) {
    self.count = count
    self.table = table
    self.connection = connection
    self.walk = walk
    self.probe = probe
  }

  /// A match with its date and filter result.
  private struct Match {
    let id: Int64
    let date: Int64
    let isWanted: Bool

    init(_ row: Statement) {
      id = row.int(0)
      date = row.int(1)
      isWanted = row.int(2) != 0
    }

    func isNewer(than other: Match) -> Bool { (date, id) > (other.date, other.id) }
  }

  /// The ids of the newest matches, newest first; nil when this would be too slow.
  func ids() throws -> [Int64]? {
    try connection.reading {
      var found: [Match] = []
      var looked = 0
      var nextCheck = count
      var largest: Int64?
      // Whether no unexamined match can be among the newest.
      var isComplete = true
      try connection.rows(walk) { row in
        let match = Match(row)
        let first = largest ?? match.id
        largest = first
        looked += 1
        if match.isWanted { found.append(match) }
        if found.count >= nextCheck {
          nextCheck = 2 * found.count
          found.sort { $0.isNewer(than: $1) }
          if isWorthChecking(looked, from: first, to: match.id) {
            if let earlier = try earlierArrivals(before: match.id, notOlderThan: found[count - 1]) {
              found += earlier
              return false
            }
            // There are more of them for older matches.
            nextCheck = Int.max
            isComplete = expectedRest(looked, from: first, to: match.id) < Double(Self.patience)
            return isComplete
          }
        }
        isComplete = looked < Self.patience
        return isComplete
      }
      guard isComplete else { return nil }
      found.sort { $0.isNewer(than: $1) }
      return found.prefix(count).map(\.id)
    }
  }

  /// Whether querying the index by date is cheaper than examining the remaining matches.
  ///
  /// It reads an entry for each id from `first` to `last`.
  private func isWorthChecking(_ looked: Int, from first: Int64, to last: Int64) -> Bool {
    let rest = expectedRest(looked, from: first, to: last)
    return Double(first - last + 1) <= Self.datesPerMatch * rest
  }

  /// The expected number of remaining matches, if their density stays the same.
  private func expectedRest(_ looked: Int, from first: Int64, to last: Int64) -> Double {
    Double(looked) * Double(last) / Double(first - last + 1)
  }

  /// The matches with smaller ids whose dates are not older; nil when too many items would have to
  /// be examined.
  private func earlierArrivals(before id: Int64, notOlderThan match: Match) throws -> [Match]? {
    let ids = try connection.map(
      """
      SELECT id FROM \(name: table.name) WHERE createdAt >= \(.int(match.date)) \
      AND id < \(.int(id)) LIMIT \(.int(Int64(Self.earlierLimit + 1)))
      """
    ) { row in row.int(0) }
    guard ids.count <= Self.earlierLimit else { return nil }
    var matches: [Match] = []
    for id in ids {
      var one = probe
      one.append("\(.int(id))")
      try connection.rows(one) { row in
        let match = Match(row)
        if match.isWanted { matches.append(match) }
        return false
      }
    }
    return matches
  }
}
