extension RankedSearch {
  /// How many matches are looked at to tell how common one of several phrases is.
  static let sample = 1_000

  static func largestID(of table: EntityTable, _ connection: Connection) throws -> Int64 {
    guard case .int(let id)? = try connection.first("SELECT max(id) FROM \(name: table.name)")
    else { return 0 }
    return id
  }

  /// How many matches there are, counted to a limit.
  static func count(
    _ match: String, _ table: EntityTable, _ connection: Connection, limit: Int
  ) throws -> Int {
    guard
      case .int(let count)? = try connection.first(
        """
        SELECT count(*) FROM (SELECT rowid FROM \(name: table.searchName) \
        WHERE \(name: table.searchName) MATCH \(.text(match)) LIMIT \(.int(Int64(limit))))
        """)
    else { return 0 }
    return Int(count)
  }

  /// The newest matches of an expression, up to a limit, and the share of all rows that match; when
  /// there are more, it is told from how densely these lie.
  static func newest(
    _ match: String, limit: Int, rows: Int64, _ table: EntityTable, _ connection: Connection
  ) throws -> (count: Int, share: Double) {
    var count: Int64 = 0
    var span = max(1, rows)
    try connection.rows(
      """
      SELECT count(*), min(rowid) FROM (SELECT rowid FROM \(name: table.searchName) \
      WHERE \(name: table.searchName) MATCH \(.text(match)) \
      ORDER BY rowid DESC LIMIT \(.int(Int64(limit))))
      """
    ) { row in
      count = row.int(0)
      if count >= Int64(limit) { span = max(1, rows - row.int(1) + 1) }
      return false
    }
    return (Int(count), Double(count) / Double(span))
  }

  /// The factor of each of the most used items.
  static func uses(
    of table: EntityTable, _ connection: Connection, now: Int64
  ) throws -> [Int64: Double] {
    var uses: [Int64: Double] = [:]
    try connection.rows(
      """
      SELECT id, _frecency FROM \(name: table.name) WHERE _frecency IS NOT NULL \
      ORDER BY _frecency DESC LIMIT \(.int(Int64(mostUsed)))
      """
    ) { row in
      uses[row.int(0)] = Frecency.factor(row.int(1), at: now)
      return true
    }
    return uses
  }
}
