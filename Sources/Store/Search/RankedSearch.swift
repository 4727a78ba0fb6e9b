import CEL
import CRanking

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Ranks the matches of a search with work that is bounded, however common the words are.
///
/// Up to 3,000 matches are ranked by BM25. Of more, the newest 10,000 and the most used 50 are
/// ranked without the length of each, which costs a look-up a row, and the best 500 of them once
/// more with it; a word that common says little, while age and use say more. Older ones follow only
/// when a filter leaves too few.
struct RankedSearch {
  /// The most matches that are ranked exactly.
  static let exactLimit = 3_000
  /// How many matches are ranked at once beyond that.
  static let chunk = 10_000
  /// How many of the most used items are looked at whatever their age.
  static let mostUsed = 50
  /// The same where rows must have several words, which are found one against the other.
  private static let chunkOfSeveral = 5_000
  /// How many of the best are ranked once more by their lengths.
  static let refined = 500
  /// How many rows are looked at to tell how common a phrase is.
  private static let sample = 1_000

  private let connection: Connection
  private let table: EntityTable
  private let match: String
  private let weights: [Double]
  /// The inverse document frequency of each phrase as BM25 takes it.
  private let rarities: [Double]
  /// Whether a row need not have several phrases.
  private let isOnePhrase: Bool
  private let uses: [Int64: Double]
  /// Whether all matches are ranked, each by all that BM25 counts.
  let isExact: Bool

  /// Looks at how common the words are.
  ///
  /// - Parameter match: The expression whose first phrases are those of the plan, which count for
  ///   the rank; what follows them narrows the matches.
  init(
    _ plan: SearchPlan, match: String, in store: EntityStore, _ table: EntityTable
  ) throws {
    connection = store.connection
    self.table = table
    self.match = match
    isOnePhrase = plan.phrases == [match]
    try connection.registerScore()
    weights = table.searched.map { table.schema.properties[$0].searchWeight ?? 1 }
    let rows = try Self.largestID(of: table, connection)
    let count = try Self.count(self.match, table, connection, limit: Self.exactLimit + 1)
    isExact = count <= Self.exactLimit
    var rarities: [Double] = []
    for phrase in plan.phrases {
      // One phrase alone has been counted already, unless it is common.
      let known = phrase == self.match && count < Self.sample ? Double(count) : nil
      let count = try known ?? Self.estimate(of: phrase, rows: rows, table, connection)
      // A phrase in more than half of all rows would count against them.
      rarities.append(max(1e-6, log((Double(rows) - count + 0.5) / (count + 0.5))))
    }
    self.rarities = rarities
    uses = try Self.uses(of: table, connection, now: store.context.now().microseconds)
  }

  // MARK: Ranking

  /// The matches, best first, a chunk at a time; empty when there are no more.
  ///
  /// - Parameter before: The smallest number of the chunk before.
  func chunk(before: Int64?) throws -> (hits: [SearchHit], next: Int64?) {
    try connection.reading { try readChunk(before: before) }
  }

  private func readChunk(before: Int64?) throws -> (hits: [SearchHit], next: Int64?) {
    var hits: [SearchHit] = []
    var last: Int64?
    var count = 0
    let limit =
      isExact ? Self.exactLimit : isOnePhrase ? Self.chunk : Self.chunkOfSeveral
    hits.reserveCapacity(limit)
    try connection.withStatement(chunkStatement) { statement in
      let next = try bind(statement)
      try statement.bind(before ?? Int64.max, at: next)
      try statement.bind(Int64(limit), at: next + 1)
      while try statement.step() {
        let id = statement.int(0)
        last = id
        count += 1
        // The most used of the older ones came with the first chunk.
        if before != nil, uses[id] != nil { continue }
        hits.append(SearchHit(id: id, relevance: statement.double(1), use: uses[id] ?? 1))
      }
    }
    let isFull = count == limit
    if before == nil, !isExact, let last { hits += try usedHits(olderThan: last) }
    hits = Self.sorted(hits)
    if !isExact {
      try refine(&hits)
      hits[..<min(Self.refined, hits.count)].sort(by: Self.comesFirst)
    }
    return (hits, isFull && !isExact ? last : nil)
  }

  /// The hits, best first, and the newest first among equals.
  ///
  /// Ten thousand numbers sort several times faster than as many structs: the score as a float,
  /// whose bits are in its order when it is positive, over the position.
  private static func sorted(_ hits: [SearchHit]) -> [SearchHit] {
    if hits.count <= exactLimit { return hits.sorted(by: comesFirst) }
    var keys = hits.indices.map { index in
      UInt64(Float(max(0, hits[index].score)).bitPattern) << 32
        | UInt64(UInt32.max - UInt32(truncatingIfNeeded: index))
    }
    keys.sort(by: >)
    return keys.map { hits[Int(UInt32.max - UInt32(truncatingIfNeeded: $0))] }
  }

  private static func comesFirst(_ left: SearchHit, _ right: SearchHit) -> Bool {
    left.score != right.score ? left.score > right.score : left.id > right.id
  }

  /// Counts the lengths of the best hits in.
  ///
  /// The score of a row of mean length tells how often its words stand in it, all phrases taken as
  /// equally often: s = 2.2 · r · f / (f + 1.2), where r is the sum of the rarities.
  private func refine(_ hits: inout [SearchHit]) throws {
    let rarity = rarities.reduce(0, +)
    let best = hits.indices.prefix(Self.refined)
    let lengths = try DocumentLengths(table, connection).relativeLengths(
      of: best.map { hits[$0].id })
    for (index, length) in zip(best, lengths) {
      let score = hits[index].relevance
      guard score > 0, score < 2.2 * rarity else { continue }
      let frequency = 1.2 * score / (2.2 * rarity - score)
      hits[index].relevance =
        2.2 * rarity * frequency / (frequency + 1.2 * (0.25 + 0.75 * length))
    }
  }

  /// The most used items among the matches that are older than the newest.
  private func usedHits(olderThan id: Int64) throws -> [SearchHit] {
    var hits: [SearchHit] = []
    for (used, use) in uses where used < id {
      try connection.withStatement(probeStatement) { statement in
        let next = try bind(statement)
        try statement.bind(used, at: next)
        if try statement.step() {
          hits.append(SearchHit(id: used, relevance: statement.double(0), use: use))
        }
      }
    }
    return hits
  }

  private var scoreCall: String {
    let marks = Array(repeating: "?", count: rarities.count + weights.count + 2)
    return "errand_score(\(SQL.quoted(table.searchName)), \(marks.joined(separator: ", ")))"
  }

  private var chunkStatement: String {
    let name = SQL.quoted(table.searchName)
    return "SELECT rowid, \(scoreCall) FROM \(name) WHERE \(name) MATCH ? AND rowid < ? "
      + "ORDER BY rowid DESC LIMIT ?"
  }

  private var probeStatement: String {
    let name = SQL.quoted(table.searchName)
    return "SELECT \(scoreCall) FROM \(name) WHERE \(name) MATCH ? AND rowid = ?"
  }

  /// Binds what the score needs and the match; the number of the next parameter.
  private func bind(_ statement: Statement) throws -> Int32 {
    var index: Int32 = 1
    for number in [Double(rarities.count)] + rarities + weights + [isExact ? 1 : 0] {
      try statement.bind(.double(number), at: index)
      index += 1
    }
    try statement.bind(match, at: index)
    return index + 1
  }

  // MARK: Counting

  private static func largestID(of table: EntityTable, _ connection: Connection) throws -> Int64 {
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

  /// How many rows have a phrase; of a common one it is told from how densely the newest ones lie.
  private static func estimate(
    of phrase: String, rows: Int64, _ table: EntityTable, _ connection: Connection
  ) throws -> Double {
    var count = 0.0
    try connection.rows(
      """
      SELECT count(*), min(rowid) FROM (SELECT rowid FROM \(name: table.searchName) \
      WHERE \(name: table.searchName) MATCH \(.text(phrase)) \
      ORDER BY rowid DESC LIMIT \(.int(Int64(sample))))
      """
    ) { row in
      count = Double(row.int(0))
      if row.int(0) >= Int64(sample) {
        count *= Double(rows) / Double(max(1, rows - row.int(1) + 1))
      }
      return false
    }
    return count
  }

  /// The factor of each of the most used items.
  private static func uses(
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
