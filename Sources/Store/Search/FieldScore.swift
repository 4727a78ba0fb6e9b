import CRanking
import Items

/// Ranks items by BM25F: BM25 with a weight and a mean length per property (Robertson and Zaragoza,
/// The Probabilistic Relevance Framework, 2009, §3.6).
struct FieldScore {
  /// The term saturation k₁ of BM25, as in FTS5.
  static let saturation = 1.2
  /// The length normalization b of BM25, as in FTS5.
  private static let lengthShare = 0.75
  /// The maximum length in words of an item whose texts are read; longer ones keep their score.
  private static let longest: Int64 = 2_000

  /// The number of words read per search; with long texts, not all hits are read.
  private static let affordable: Int64 = 12_000

  /// The minimum number of hits that are read, however long they are.
  private static let leastRead = 12

  /// The weight of each name after the best one.
  private static let furtherShare = 0.3

  private let groups: [WordGroup]
  /// The name searched for, if the query can be one.
  private let name: String?
  /// Whether the words describe an item rather than name it: then a word in a summary counts
  /// as one in a title does, beside the score by weights.
  private let isRelaxed: Bool
  private let rarities: [Double]
  private let weights: [Double]
  private let lengths: DocumentLengths
  private let table: EntityTable
  private let connection: Connection

  init(
    _ plan: SearchPlan, _ rarities: [Double], _ weights: [Double],
    lengths: DocumentLengths, table: EntityTable, connection: Connection
  ) {
    groups = plan.groups
    name = plan.name
    isRelaxed = plan.isRelaxed
    self.rarities = rarities
    self.weights = weights
    self.lengths = lengths
    self.table = table
    self.connection = connection
  }

  /// The scores of hits, in the order of the hits; those beyond the reading budget keep their order
  /// and rank last.
  ///
  /// - Complexity: O(length of their texts), which is bounded.
  func scores(of hits: [SearchHit]) throws -> [Double] {
    guard !hits.isEmpty else { return [] }
    var scores: [Int64: Double] = [:]
    for hit in hits { scores[hit.id] = hit.relevance }
    var left = Self.affordable
    var short: [Int64] = []
    var unread: Set<Int64> = []
    // Items matched by name have no score yet.
    for hit in hits.filter({ $0.relevance == 0 }) + hits.filter({ $0.relevance != 0 }) {
      let length = try lengths.length(of: hit.id)
      if length > Self.longest { continue }
      left -= length
      if left < 0, short.count >= Self.leastRead {
        unread.insert(hit.id)
      } else {
        short.append(hit.id)
      }
    }
    let list = "[" + short.map { String($0) }.joined(separator: ",") + "]"
    let columns = table.textColumns.joined(separator: ", ")
    try connection.rows(
      """
      SELECT id, \(raw: Connection.countsFunction)(\(.text(phrases)), \(raw: columns)) \
      FROM \(name: table.textName) \
      WHERE id IN (SELECT value FROM json_each(\(.text(list))))
      """
    ) { row in
      let counts = row.blob(1).withUnsafeBytes { Array($0.bindMemory(to: Int32.self)) }
      scores[row.int(0)] = score(counts, lengths.means)
      return true
    }
    if !unread.isEmpty {
      let least = short.compactMap { scores[$0] }.min() ?? 0
      let most = unread.compactMap { scores[$0] }.max() ?? 0
      if most > least { for id in unread { scores[id]? *= least / most } }
    }
    return hits.map { scores[$0.id] ?? 0 }
  }

  /// The phrases of all words in the format of `errand_counts`.
  private var phrases: String {
    var text = ""
    for phrase in groups.flatMap(\.phrases) {
      let words = String(phrase.text.map { $0.isNewline ? " " : $0 })
      text += "\(phrase.column)\t\(phrase.isBeginning ? 1 : 0)\t\(words)\n"
    }
    if let name {
      for kind in NameWords.Kind.allCases {
        text += "\(weights.count)\t0\t\(kind.rawValue)\(name)\n"
      }
    }
    return text
  }

  private func score(_ counts: [Int32], _ means: [Double]) -> Double {
    let phrases =
      groups.reduce(0) { $0 + $1.phrases.count } + (name == nil ? 0 : NameWords.Kind.allCases.count)
    guard counts.count == weights.count * (phrases + 1) else { return 0 }
    let factors = weights.indices.map { column in
      let length = Double(counts[column * (phrases + 1)]) / means[column]
      return 1 / (1 - Self.lengthShare + Self.lengthShare * length)
    }
    func saturated(_ frequency: Double) -> Double {
      frequency * (Self.saturation + 1) / (frequency + Self.saturation)
    }
    var score = 0.0
    var first = 1
    for (group, rarity) in zip(groups, rarities) {
      var weighted = 0.0
      var plain = 0.0
      for (index, phrase) in group.phrases.enumerated() {
        for column in weights.indices {
          let count = Double(counts[column * (phrases + 1) + first + index])
          let frequency = phrase.weight * count * factors[column]
          weighted += frequency * weights[column]
          // The last column repeats names in another spelling.
          if column < weights.count - 1 { plain += frequency }
        }
      }
      first += group.phrases.count
      score += rarity * (isRelaxed ? saturated(weighted) + saturated(plain) : saturated(weighted))
    }
    // Names are in the last column. A site with the name scores higher than a page about it with
    // the same title.
    let names = counts.suffix(name == nil ? 0 : NameWords.Kind.allCases.count)
    let bonuses = zip(NameWords.Kind.allCases, names).filter { $0.1 > 0 }.map(\.0.bonus)
    let bonus = (bonuses.first ?? 0) + Self.furtherShare * bonuses.dropFirst().reduce(0, +)
    return score + bonus * rarities.reduce(0, +) * (Self.saturation + 1)
  }
}

/// Row lengths in words, read from the tables behind the text index.
///
/// FTS5 computes the length of a row itself when a function asks for it; here only candidates for
/// the top are looked up (fts5.html §9, `docsize`, `data`).
struct DocumentLengths {
  private let connection: Connection
  private let statement: String
  /// The mean length of each column.
  let means: [Double]

  init(_ table: EntityTable, _ connection: Connection) throws {
    self.connection = connection
    statement = "SELECT sz FROM \(SQL.quoted(table.searchName + "_docsize")) WHERE id = ?1"
    var numbers: [Int64] = []
    // The first record holds the number of rows, then the number of words of each column.
    try connection.rows(
      "SELECT block FROM \(name: table.searchName + "_data") WHERE id = 1"
    ) { row in
      numbers = Self.numbers(row.blob(0))
      return false
    }
    let rows = Double(numbers.first ?? 0)
    means = table.searchWeights.indices.map { column in
      guard rows > 0, column + 1 < numbers.count else { return 1 }
      return max(1e-3, Double(numbers[column + 1]) / rows)
    }
  }

  /// The number of words in all columns of a row; 0 when unknown.
  func length(of id: Int64) throws -> Int64 {
    try connection.withStatement(statement) { statement in
      try statement.bind(id, at: 1)
      guard try statement.step() else { return 0 }
      return Self.numbers(statement.blob(0)).reduce(0, +)
    }
  }

  /// Decodes SQLite's variable-length integers (fileformat2.html §1.6).
  private static func numbers(_ bytes: [UInt8]) -> [Int64] {
    var numbers: [Int64] = []
    var value: UInt64 = 0
    var count = 0
    for byte in bytes {
      count += 1
      if count == 9 {
        value = value << 8 | UInt64(byte)
      } else {
        value = value << 7 | UInt64(byte & 0x7F)
        if byte & 0x80 != 0 { continue }
      }
      numbers.append(Int64(truncatingIfNeeded: value))
      value = 0
      count = 0
    }
    return numbers
  }
}
