/// How many words the text index counted in rows, read from the tables behind it.
///
/// FTS5 looks a row's length up by itself when a function asks for it; here only the rows that may
/// come first are looked up (fts5.html §9, `docsize`, `data`).
struct DocumentLengths {
  private let connection: Connection
  private let statement: String
  /// The mean over all rows, of each column.
  let means: [Double]

  init(_ table: EntityTable, _ connection: Connection) throws {
    self.connection = connection
    statement = "SELECT sz FROM \(SQL.quoted(table.searchName + "_docsize")) WHERE id = ?1"
    var numbers: [Int64] = []
    // The first record holds the number of rows, then of the words of each column.
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

  /// The words in all columns of a row; 0 where that is not known.
  func length(of id: Int64) throws -> Int64 {
    try connection.withStatement(statement) { statement in
      try statement.bind(id, at: 1)
      guard try statement.step() else { return 0 }
      return Self.numbers(statement.blob(0)).reduce(0, +)
    }
  }

  /// Reads SQLite's integers of variable length (fileformat2.html §1.6).
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
