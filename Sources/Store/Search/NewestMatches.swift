/// Finds the newest matches of a search by walking back through the order of arrival.
///
/// The text index gives matches by number and not by date. Numbers follow dates but for what was
/// saved before an import of older items, so the first few matches are the newest, together with
/// the few items that arrived before them and have a later date, which the index of dates tells.
struct NewestMatches {
  /// The most items that are looked for in this way.
  static let limit = 100
  /// How many matches are looked at before another way is taken.
  private static let patience = 2_000
  /// How many items that arrived earlier are looked at.
  private static let earlierLimit = 32
  /// How many entries of the index of dates are read in the time of one match.
  private static let datesPerMatch = 25.0

  private let connection: Connection
  private let table: EntityTable
  private let count: Int
  private let walk: SQL
  private let probe: SQL

  /// - Parameters:
  ///   - count: How many matches are wanted.
  ///   - walk: Gives number, date and whether it is wanted of each match, the largest number first.
  ///   - probe: Gives the same of the match whose number is appended to it.
  init(_ count: Int, of table: EntityTable, _ connection: Connection, walk: SQL, probe: SQL) {
    self.count = count
    self.table = table
    self.connection = connection
    self.walk = walk
    self.probe = probe
  }

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

  /// The numbers of the newest matches, the newest first; nil when this way finds them too slowly.
  func ids() throws -> [Int64]? {
    try connection.reading {
      var found: [Match] = []
      var looked = 0
      var nextCheck = count
      var largest: Int64?
      // Whether no match that was not looked at can be among the newest.
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
            // There will be more of them for older matches.
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

  /// Whether to ask the index of dates costs less than to look at the matches that are left.
  ///
  /// It reads an entry for each number from `first` to `last`.
  private func isWorthChecking(_ looked: Int, from first: Int64, to last: Int64) -> Bool {
    let rest = expectedRest(looked, from: first, to: last)
    return Double(first - last + 1) <= Self.datesPerMatch * rest
  }

  /// How many matches are left if there are as many to a number as there were so far.
  private func expectedRest(_ looked: Int, from first: Int64, to last: Int64) -> Double {
    Double(looked) * Double(last) / Double(first - last + 1)
  }

  /// The wanted matches with smaller numbers and dates that are not older; nil when there are many
  /// items to look at.
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
