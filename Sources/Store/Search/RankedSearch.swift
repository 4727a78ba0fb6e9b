import CEL
import CRanking
import Glibc
import Items

/// Ranks the matches of a search with bounded work, however common the words are.
///
/// Ranking has two rounds. The first counts matches per property, which FTS5 provides while
/// matching: for up to 2,000 matches of a word, otherwise for the newest 24,000 and the 50 most
/// used items. The second reads the texts of the best 150, up to a number of words, and applies
/// BM25 with text lengths. Items named exactly like the search are always included. Older matches
/// follow only when a filter leaves too few. For several words, or long texts, the limits are
/// lower.
struct RankedSearch {
  /// The maximum number of matches that are all ranked, for one word and for several.
  private static let exactLimits = (one: 2_000, several: 1_000)
  /// The number of matches ranked at a time beyond that.
  private static let chunks = (one: 24_000, several: 3_000...12_000)
  /// The mean item length, in words, up to which the limits apply in full; longer items contain
  /// more matches, so fewer are ranked, down to the minimum share.
  private static let defaultLength = 60.0
  private static let leastShare = 1.0 / 3
  /// Candidate limit for probing FTS row by row.
  static let fewRows = 1_000
  /// The number of most used items that are included regardless of age.
  static let mostUsed = 50
  /// The number of best matches ranked again by their texts: with all words, and with some.
  private static let refined = (all: 150, some: 300)
  /// The maximum number of items included for their name.
  private static let mostNamed = 50

  private let connection: Connection
  private let table: EntityTable
  private let plan: SearchPlan
  private let match: String
  private let weights: [Double]
  private let lengths: DocumentLengths
  /// The inverse document frequency of each word, as in BM25.
  private let rarities: [Double]
  /// IDF of each phrase; inflected forms are down-weighted.
  private let phraseRarities: [Double]
  /// The items named exactly like the search.
  private let named: Set<Int64>
  /// The number of matches ranked at a time.
  let chunkSize: Int
  private let uses: [Int64: Double]
  /// The items that are probed for matches; nil for all.
  private let candidates: [Int64]?
  /// Whether all matches are ranked.
  let isExact: Bool

  /// Determines how common the words are.
  ///
  /// - Parameters:
  ///   - match: An expression that starts with the phrases of the plan, which are ranked; the rest
  ///     only restricts the matches.
  ///   - few: Selects the ids of the few candidates; nil for all items.
  init(
    _ plan: SearchPlan, match: String, among few: SQL? = nil, in table: EntityTable,
    _ connection: Connection, now: Timestamp
  ) throws {
    self.connection = connection
    self.table = table
    self.plan = plan
    self.match = match
    weights = table.searchWeights
    lengths = try DocumentLengths(table, connection)
    let rows = try Self.largestID(of: table, connection)
    let isOne = plan.groups.count == 1 && plan.groups[0].expression == match
    let exactLimit = isOne ? Self.exactLimits.one : Self.exactLimits.several
    let matches = try Self.newest(match, limit: exactLimit + 1, rows: rows, table, connection)
    candidates = try matches.count <= exactLimit ? nil : few.map(connection.numbers)
    isExact = matches.count <= exactLimit || candidates != nil
    var rarities: [Double] = []
    var phraseRarities: [Double] = []
    var commonest = matches.share
    for (index, group) in plan.groups.enumerated() {
      let share =
        group.expression == match
        ? matches.share
        : try Self.newest(group.expression, limit: Self.sample, rows: rows, table, connection).share
      let count = min(Double(rows), Double(rows) * share)
      // The IDF of a word in more than half of all rows would be negative.
      let rarity = max(1e-6, log((Double(rows) - count + 0.5) / (count + 0.5)))
      rarities.append(rarity)
      guard index < plan.matchedGroups else { continue }
      commonest = max(commonest, share)
      phraseRarities += group.phrases.map { rarity * $0.weight }
    }
    self.rarities = rarities
    self.phraseRarities = phraseRarities
    chunkSize =
      isExact
      ? exactLimit
      : Int(
        Self.share(of: lengths)
          * Double(
            isOne
              ? Self.chunks.one / plan.groups[0].phrases.count
              : Self.chunk(matches.share, among: commonest)))
    uses = try Self.uses(of: table, connection, now: now.microseconds)
    named = try Self.named(plan, table, connection)
  }

  /// The newest items named exactly like a search.
  private static func named(
    _ plan: SearchPlan, _ table: EntityTable, _ connection: Connection
  ) throws -> Set<Int64> {
    var named = Set<Int64>()
    for kind in NameWords.Kind.allCases {
      guard let expression = plan.expression(ofNames: kind) else { break }
      named.formUnion(
        try connection.numbers(
          """
          SELECT rowid FROM \(name: table.searchName) \
          WHERE \(name: table.searchName) MATCH \(.text(expression)) \
          ORDER BY rowid DESC LIMIT \(.int(Int64(mostNamed)))
          """))
    }
    return named
  }

  /// The share of the ranking limits to use, by the mean length of items.
  private static func share(of lengths: DocumentLengths) -> Double {
    min(1, max(leastShare, defaultLength / max(1, lengths.means.reduce(0, +))))
  }

  /// The number of matches of several words ranked at a time.
  ///
  /// The rarer the joint matches, the more postings are skipped between them.
  private static func chunk(_ share: Double, among commonest: Double) -> Int {
    let affordable = 100_000 * share / max(commonest, share, 1e-9)
    return min(max(Int(affordable), chunks.several.lowerBound), chunks.several.upperBound)
  }

  /// Whether FTS5 expands prefixes again for each chunk.
  var collectsWords: Bool { plan.hasPrefixes }

  // MARK: Ranking

  /// A chunk of matches: the best ones, sorted, and the rest, sorted on demand.
  struct Chunk {
    let best: [SearchHit]
    /// Sorts the remaining hits of the chunk; most searches do not need them.
    let rest: () -> [SearchHit]
    /// The smallest id of the chunk, if older matches may follow.
    let next: Int64?
  }

  /// Ranks the next chunk of matches.
  ///
  /// - Parameters:
  ///   - size: The number of matches to rank.
  ///   - before: The smallest id of the previous chunk.
  func chunk(of size: Int, before: Int64?) throws -> Chunk {
    try connection.reading { try readChunk(of: size, before: before) }
  }

  private func readChunk(of size: Int, before: Int64?) throws -> Chunk {
    var hits: [SearchHit] = []
    if let candidates {
      hits = try self.hits(among: candidates.filter { !named.contains($0) })
      return try chunk(hits, named: candidates.filter(named.contains), next: nil)
    }
    var last: Int64?
    var count = 0
    hits.reserveCapacity(size + (before == nil ? uses.count : 0))
    try connection.withStatement(chunkStatement) { statement in
      let next = try bind(statement)
      try statement.bind(before ?? Int64.max, at: next)
      try statement.bind(Int64(size), at: next + 1)
      while try statement.step() {
        let id = statement.int(0)
        last = id
        count += 1
        // The first chunk included the most used items and those with the name.
        if before != nil, uses[id] != nil { continue }
        if named.contains(id) { continue }
        hits.append(SearchHit(id: id, relevance: statement.double(1), use: uses[id] ?? 1))
      }
    }
    let isFull = count == size
    if before == nil, !isExact, let last {
      hits += try self.hits(among: uses.keys.filter { $0 < last && !named.contains($0) })
    }
    return try chunk(
      hits, named: before == nil ? Array(named) : [], next: isFull && !isExact ? last : nil)
  }

  /// Ranks the best hits again by their texts, together with the items that have the name.
  private func chunk(_ hits: [SearchHit], named: [Int64], next: Int64?) throws -> Chunk {
    let keys = Self.keys(of: hits)
    let bestKeys = Self.largest(plan.isRelaxed ? Self.refined.some : Self.refined.all, of: keys)
    var best = bestKeys.map { hits[Self.position($0)] }
    best += named.map { SearchHit(id: $0, relevance: 0, use: uses[$0] ?? 1) }
    let scores = try FieldScore(
      plan, rarities, weights, lengths: lengths, table: table, connection: connection
    ).scores(of: best)
    for (index, score) in zip(best.indices, scores) { best[index].relevance = score }
    best.sort(by: Self.comesFirst)
    let rest = {
      guard let least = bestKeys.last, keys.count > bestKeys.count else { return [SearchHit]() }
      return keys.filter { $0 < least }.sorted(by: >).map { hits[Self.position($0)] }
    }
    return Chunk(best: best, rest: rest, next: next)
  }

  private static func comesFirst(_ left: SearchHit, _ right: SearchHit) -> Bool {
    left.score != right.score ? left.score > right.score : left.id > right.id
  }

  /// Sort keys, larger for better hits: the score as a float, whose bits are ordered when positive,
  /// above the position.
  ///
  /// Integers are sorted several times faster than structs.
  private static func keys(of hits: [SearchHit]) -> [UInt64] {
    hits.indices.map { index in
      UInt64(Float(max(0, hits[index].score)).bitPattern) << 32
        | UInt64(UInt32.max - UInt32(truncatingIfNeeded: index))
    }
  }

  /// The position of a key's hit.
  private static func position(_ key: UInt64) -> Int {
    Int(UInt32.max - UInt32(truncatingIfNeeded: key))
  }

  /// The largest keys, in descending order.
  private static func largest(_ count: Int, of keys: [UInt64]) -> [UInt64] {
    var best: [UInt64] = []
    best.reserveCapacity(4 * count)
    var least: UInt64 = 0
    for key in keys where key > least {
      best.append(key)
      // Once the threshold is known, most keys are skipped.
      if best.count == 4 * count {
        best.sort(by: >)
        best.removeLast(best.count - count)
        least = best[count - 1]
      }
    }
    best.sort(by: >)
    return Array(best.prefix(count))
  }

  /// The matches among candidates.
  private func hits(among ids: [Int64]) throws -> [SearchHit] {
    // Probing each would expand the prefixes each time.
    if plan.hasPrefixes { return try collectedHits(try ids.filter(isMatch)) }
    var hits: [SearchHit] = []
    for id in ids {
      try connection.withStatement(probeStatement) { statement in
        let next = try bind(statement)
        try statement.bind(id, at: next)
        if try statement.step() {
          hits.append(SearchHit(id: id, relevance: statement.double(0), use: uses[id] ?? 1))
        }
      }
    }
    return hits
  }

  private func isMatch(_ id: Int64) throws -> Bool {
    try connection.exists(
      """
      SELECT 1 FROM \(name: table.name) AS t WHERE t.id = \(.int(id)) AND \(plan.isMatch(match))
      """)
  }

  /// The matches among candidates, found in one walk through their range of ids.
  private func collectedHits(_ ids: [Int64]) throws -> [SearchHit] {
    guard let first = ids.min(), let last = ids.max() else { return [] }
    var hits: [SearchHit] = []
    try connection.withStatement(walkStatement) { statement in
      let next = try bind(statement)
      try statement.bind(first, at: next)
      try statement.bind(last, at: next + 1)
      try statement.bind("[\(ids.map(String.init).joined(separator: ","))]", at: next + 2)
      while try statement.step() {
        let id = statement.int(0)
        hits.append(SearchHit(id: id, relevance: statement.double(1), use: uses[id] ?? 1))
      }
    }
    return hits
  }

  private var scoreCall: String {
    "errand_score(\(SQL.quoted(table.searchName)), ?)"
  }

  /// The statement that ranks matches.
  var statement: String {
    candidates == nil ? chunkStatement : plan.hasPrefixes ? walkStatement : probeStatement
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

  private var walkStatement: String {
    let name = SQL.quoted(table.searchName)
    return "SELECT rowid, \(scoreCall) FROM \(name) WHERE \(name) MATCH ? "
      + "AND rowid BETWEEN ? AND ? AND +rowid IN (SELECT value FROM json_each(?))"
  }

  /// Binds the parameters of the score and the match; returns the next parameter's index.
  private func bind(_ statement: Statement) throws -> Int32 {
    let numbers = (phraseRarities + weights).withUnsafeBytes { Array($0) }
    try statement.bind(.blob(numbers), at: 1)
    try statement.bind(match, at: 2)
    return 3
  }

  /// The number of matches examined to estimate the frequency of one of several phrases.
  static let sample = 1_000

  static func largestID(of table: EntityTable, _ connection: Connection) throws -> Int64 {
    return try connection.number("SELECT max(id) FROM \(name: table.name)") ?? 0
  }

  /// The number of matches, up to a limit.
  static func count(
    _ match: String, _ table: EntityTable, _ connection: Connection, limit: Int
  ) throws -> Int {
    return Int(
      try connection.number(
        """
        SELECT count(*) FROM (SELECT rowid FROM \(name: table.searchName) \
        WHERE \(name: table.searchName) MATCH \(.text(match)) LIMIT \(.int(Int64(limit))))
        """) ?? 0)
  }

  /// The number of newest matches, up to a limit, and the share of all rows that match,
  /// extrapolated from their density if there are more.
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

  /// The usage factors of the most used items.
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
