import CEL
import CRanking
import Glibc
import Items

/// Ranks the matches of a search with work that is bounded, however common the words are.
///
/// Matches are ranked in two rounds. The first counts how often the words stand in which property,
/// which the text index tells while it finds them: of up to 2,000 matches of a word, else of the
/// newest 24,000 and the 50 most used. The second reads the texts of the best 150 of these, up to a
/// number of words, and counts all words against the length of each text. Items that are called just
/// as the search says are in it whatever their age. Older matches follow only when a filter leaves
/// too few. Where a row must have several words, which are found one against the other, or items have
/// long texts, the numbers are smaller.
struct RankedSearch {
  /// The most matches that are all ranked at once: of one word, and of several.
  private static let exactLimits = (one: 2_000, several: 1_000)
  /// How many matches are ranked at once beyond that.
  private static let chunks = (one: 24_000, several: 3_000...12_000)
  /// The mean length of items, in words, up to which so many are ranked; where they are longer, words
  /// stand in more places, and fewer are ranked, down to a share.
  private static let usualLength = 60.0
  private static let leastShare = 1.0 / 3
  /// How many items the rest of a query may leave for the matches to be looked for among them.
  static let fewRows = 1_000
  /// How many of the most used items are looked at whatever their age.
  static let mostUsed = 50
  /// How many of the best are ranked once more by their texts.
  static let refined = 150
  /// How many items that are called just as the search says are looked at.
  private static let mostNamed = 50

  private let connection: Connection
  private let table: EntityTable
  private let plan: SearchPlan
  private let match: String
  private let weights: [Double]
  private let lengths: DocumentLengths
  /// The inverse document frequency of each word as BM25 takes it.
  private let rarities: [Double]
  /// That of each phrase of the match, those of other forms made smaller.
  private let phraseRarities: [Double]
  /// The items that are called just as the search says.
  private let named: Set<Int64>
  /// How many matches are ranked at once.
  let chunkSize: Int
  private let uses: [Int64: Double]
  /// The items among which matches are looked for; nil for all.
  private let candidates: [Int64]?
  /// Whether all matches are ranked.
  let isExact: Bool

  /// Looks at how common the words are.
  ///
  /// - Parameters:
  ///   - match: The expression whose first phrases are those of the plan, which count for the rank;
  ///     what follows them narrows the matches.
  ///   - few: Gives the numbers of the few items that are wanted; nil for all.
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
      // A word in more than half of all rows would count against them.
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

  /// The newest items that are called just as a search says.
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

  /// How many of the usual number of matches are ranked, by how long the texts of items are.
  private static func share(of lengths: DocumentLengths) -> Double {
    min(1, max(leastShare, usualLength / max(1, lengths.means.reduce(0, +))))
  }

  /// How many matches of several words are ranked at once.
  ///
  /// The fewer rows match of those with the commonest word, the more of its places are passed from
  /// match to match.
  private static func chunk(_ share: Double, among commonest: Double) -> Int {
    let affordable = 100_000 * share / max(commonest, share, 1e-9)
    return min(max(Int(affordable), chunks.several.lowerBound), chunks.several.upperBound)
  }

  /// Whether the index collects words anew for each chunk.
  var collectsWords: Bool { plan.hasPrefixes }

  // MARK: Ranking

  /// Some of the matches, best first, and those that come after them.
  struct Chunk {
    let best: [SearchHit]
    /// Gives the others of the chunk; to order them costs more than most searches need.
    let rest: () -> [SearchHit]
    /// The smallest number of the chunk, where older matches may follow.
    let next: Int64?
  }

  /// The matches, best first, a chunk at a time.
  ///
  /// - Parameters:
  ///   - size: How many matches are ranked.
  ///   - before: The smallest number of the chunk before.
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
        // The most used of the older ones came with the first chunk, and so did what is called so.
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

  /// Ranks the best hits once more, and those that are called as the search says with them.
  private func chunk(_ hits: [SearchHit], named: [Int64], next: Int64?) throws -> Chunk {
    let keys = Self.keys(of: hits)
    let bestKeys = Self.largest(Self.refined, of: keys)
    var best = bestKeys.map { hits[Self.position($0)] }
    best += named.map { SearchHit(id: $0, relevance: 0, use: uses[$0] ?? 1) }
    let scores = try FieldScore(plan, rarities, weights, lengths, table, connection).scores(
      of: best)
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

  /// A number for each hit, larger for what comes first: the score as a float, whose bits are in its
  /// order when it is positive, over the position.
  ///
  /// Numbers are ordered several times faster than structs.
  private static func keys(of hits: [SearchHit]) -> [UInt64] {
    hits.indices.map { index in
      UInt64(Float(max(0, hits[index].score)).bitPattern) << 32
        | UInt64(UInt32.max - UInt32(truncatingIfNeeded: index))
    }
  }

  /// The position of the hit that a key was made of.
  private static func position(_ key: UInt64) -> Int {
    Int(UInt32.max - UInt32(truncatingIfNeeded: key))
  }

  /// The largest keys, the largest first.
  private static func largest(_ count: Int, of keys: [UInt64]) -> [UInt64] {
    var best: [UInt64] = []
    best.reserveCapacity(4 * count)
    var least: UInt64 = 0
    for key in keys where key > least {
      best.append(key)
      // Most keys are not looked at again once the least of the best is known.
      if best.count == 4 * count {
        best.sort(by: >)
        best.removeLast(best.count - count)
        least = best[count - 1]
      }
    }
    best.sort(by: >)
    return Array(best.prefix(count))
  }

  /// Those of some items that are matches.
  private func hits(among ids: [Int64]) throws -> [SearchHit] {
    // To ask the index of each would be to collect the words with a beginning for each.
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

  /// Those of some items that are matches, found in one walk through all matches of their time.
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

  /// Binds what the score needs and the match; the number of the next parameter.
  private func bind(_ statement: Statement) throws -> Int32 {
    let numbers = (phraseRarities + weights).withUnsafeBytes { Array($0) }
    try statement.bind(.blob(numbers), at: 1)
    try statement.bind(match, at: 2)
    return 3
  }

  /// How many matches are looked at to tell how common one of several phrases is.
  static let sample = 1_000

  static func largestID(of table: EntityTable, _ connection: Connection) throws -> Int64 {
    return try connection.number("SELECT max(id) FROM \(name: table.name)") ?? 0
  }

  /// How many matches there are, counted to a limit.
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
