/// Finds the newest matches of a search by walking back through the order of arrival.
///
/// The text index gives matches by number and not by date. Numbers follow dates but for what was
/// imported late, so the first few matches are the newest unless an item that arrived before them
/// has a later date, which the index of dates tells.
struct NewestMatches {
  /// The most items that are looked for in this way.
  static let limit = 100
  /// How many matches are looked at before another way is taken.
  private static let patience = 2_000
  /// How many entries of the index of dates are read in the time of one match.
  private static let datesPerMatch: Int64 = 25

  private let connection: Connection
  private let table: EntityTable
  private let count: Int

  /// - Parameter count: How many matches are wanted.
  init(_ count: Int, of table: EntityTable, _ connection: Connection) {
    self.count = count
    self.table = table
    self.connection = connection
  }

  private struct Match {
    let id: Int64
    let date: Int64

    func isNewer(than other: Match) -> Bool { (date, id) > (other.date, other.id) }
  }

  /// The numbers of the newest matches, the newest first; nil when this way finds them too slowly.
  ///
  /// - Parameter walk: Gives number, date and whether it is wanted of each match, the largest
  ///   number first.
  func ids(_ walk: SQL) throws -> [Int64]? {
    try connection.reading {
      var found: [Match] = []
      var looked = 0
      var nextCheck = count
      var largest: Int64?
      // Whether no match that was not looked at can be among the newest.
      var isComplete = true
      try connection.rows(walk) { row in
        let match = Match(id: row.int(0), date: row.int(1))
        let newest = largest ?? match.id
        largest = newest
        looked += 1
        if row.int(2) != 0 { found.append(match) }
        if found.count >= nextCheck {
          nextCheck = 2 * found.count
          found.sort { $0.isNewer(than: $1) }
          let oldest = found[count - 1]
          if isWorthChecking(looked, from: newest, to: match.id),
            try !existsEarlierArrival(before: match.id, newerThan: oldest)
          {
            return false
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
  /// It reads an entry for each number from `first` to `last`; as many matches as there were to a
  /// number so far are expected of the rest.
  private func isWorthChecking(_ looked: Int, from first: Int64, to last: Int64) -> Bool {
    let span = Double(first - last + 1)
    return span * span <= Double(Self.datesPerMatch) * Double(looked) * Double(last)
  }

  private func existsEarlierArrival(before id: Int64, newerThan match: Match) throws -> Bool {
    try connection.first(
      """
      SELECT 1 FROM \(name: table.name) \
      WHERE createdAt >= \(.int(match.date)) AND id < \(.int(id)) LIMIT 1
      """) != nil
  }
}
