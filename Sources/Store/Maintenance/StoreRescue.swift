import CEL
import CSQLite

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Reads what can be read of a damaged file.
///
/// First the tables are walked through, around what cannot be read. Where the way to a page is
/// damaged but the page is not, its rows are then read from the page itself.
final class StoreRescue {
  private let path: String
  private let target: EntityStore
  private let tables: [EntityTable]
  private var results: [String: EntityStore.Rescue] = [:]

  init(from path: String, to target: EntityStore, tables: [EntityTable]) {
    self.path = path
    self.target = target
    self.tables = tables
    for table in tables { results[table.name] = EntityStore.Rescue(entity: table.name, saved: 0) }
  }

  /// Saves all that can be saved.
  func run(_ progress: (String) -> Void) throws -> [EntityStore.Rescue] {
    let copy = "\(path).\(getpid()).\(UInt32.random(in: 0...UInt32.max)).new"
    defer {
      for suffix in ["", "-wal", "-shm", "-journal"] { unlink(copy + suffix) }
    }
    // All is done with a copy, which may be changed.
    try makeCopy(copy)
    var columns: [String: [String]] = [:]
    var numbers: [String: Int64] = [:]
    var isSound = false
    do {
      let source = try Connection(
        file: copy, flags: SQLITE_OPEN_READWRITE, path: path, isDefensive: false)
      for table in tables {
        progress("reading \(table.name)")
        columns[table.name] = try Self.columns(of: table.name, source)
        numbers[table.name] = try Self.highestNumber(of: table.name, source)
        try walk(table, columns[table.name] ?? [], upTo: numbers[table.name], source)
      }
      isSound = try source.first("PRAGMA integrity_check(1)") == .text("ok")
      // What the log holds belongs to the pages that are looked at next.
      try source.run("PRAGMA wal_checkpoint(TRUNCATE)")
    } catch let error as StoreError where error.isDamage {
      isSound = false
    }
    if !isSound {
      progress("reading single pages")
      let leaves = try LeafReader(
        copy, tables.map { ($0, columns[$0.name] ?? Self.usualColumns(of: $0)) })
      try target.transaction {
        try leaves.forEachRow(progress) { row, table, columns in
          try save(row, table, columns)
        }
      }
    }
    return try tables.map { try result(of: $0, known: numbers[$0.name]) }
  }

  private func makeCopy(_ copy: String) throws {
    do {
      let source = try Connection(file: path, flags: SQLITE_OPEN_READWRITE, path: path)
      try EntityStore.makeFile(copy)
      try EntityStore.copyPages(of: source, to: copy, path: copy)
    } catch let error as StoreError where error.isDamage || error.code == .readOnly {
      unlink(copy)
      try FileCopy(path).write(to: copy, withLog: true)
    }
  }

  private func result(of table: EntityTable, known: Int64?) throws -> EntityStore.Rescue {
    guard var result = results[table.name] else {
      return EntityStore.Rescue(entity: table.name, saved: 0)
    }
    if let count = counts[table.name] { result.lost = max(0, count - result.saved) }
    if let known { try setNumber(of: table.name, known) }
    return result
  }

  /// How many items each table had, where an index tells it.
  private var counts: [String: Int] = [:]

  /// Sees to it that no number is given that a lost item had.
  private func setNumber(of table: String, _ number: Int64) throws {
    try target.connection.run(
      """
      INSERT INTO sqlite_sequence (name, seq) SELECT \(.text(table)), 0 WHERE NOT EXISTS \
      (SELECT 1 FROM sqlite_sequence WHERE name = \(.text(table)))
      """)
    try target.connection.run(
      """
      UPDATE sqlite_sequence SET seq = max(seq, \(.int(number))) WHERE name = \(.text(table))
      """)
  }

  // MARK: Walking through a table

  private static func columns(of table: String, _ source: Connection) throws -> [String] {
    var columns: [String] = []
    try source.rows("SELECT name FROM pragma_table_info(\(.text(table)))") { row in
      columns.append(row.text(0))
      return true
    }
    return columns
  }

  /// The columns of a table that was made for its definition and never changed.
  private static func usualColumns(of table: EntityTable) -> [String] {
    ["id", "uid", "createdAt", "updatedAt", "_identity", "_frecency", "_used"]
      + table.schema.properties.map(\.name)
  }

  /// A larger number was not given by a store, but read of a damaged page.
  private static let highestLikelyNumber: Int64 = 1 << 40

  /// The highest number that an item had, by all that can be read.
  private static func highestNumber(of table: String, _ source: Connection) throws -> Int64? {
    let queries: [SQL] = [
      "SELECT seq FROM sqlite_sequence WHERE name = \(.text(table))",
      "SELECT max(id) FROM \(name: table) NOT INDEXED",
      "SELECT max(last) FROM errand_changes WHERE entity = \(.text(table))",
      "SELECT max(id) FROM \(name: table) INDEXED BY \(name: table + "_by_date")",
    ]
    return try queries.compactMap { query -> Int64? in
      do {
        guard case .int(let number)? = try source.first(query),
          (1...highestLikelyNumber).contains(number)
        else { return nil }
        return number
      } catch let error as StoreError where error.isDamage {
        return nil
      }
    }.max()
  }

  private func walk(
    _ table: EntityTable, _ columns: [String], upTo last: Int64?, _ source: Connection
  ) throws {
    guard !columns.isEmpty else { return }
    try count(table.name, source)
    guard let last else { return }
    let select: SQL = """
      SELECT \(raw: columns.map(SQL.quoted).joined(separator: ", ")) \
      FROM \(name: table.name) NOT INDEXED
      """
    try target.transaction {
      try DamagedTable(source, select).forEachRow(from: 1, to: last) { row in
        try save(row, table, columns)
      }
    }
  }

  /// Notes how many items a table had, where an index tells it.
  private func count(_ table: String, _ source: Connection) throws {
    do {
      if case .int(let count)? = try source.first(
        "SELECT count(*) FROM \(name: table) INDEXED BY \(name: table + "_by_date")")
      {
        counts[table] = Int(count)
      }
    } catch let error as StoreError where error.isDamage {
      counts[table] = nil
    }
  }

  // MARK: Saving

  /// Saves a row whose columns are given by name, unless it was saved before.
  private func save(_ row: Statement, _ table: EntityTable, _ columns: [String]) throws {
    var record = Record(values: try target.defaults(of: table))
    var isIncomplete = false
    for (position, name) in columns.enumerated() {
      let column = Int32(position)
      switch name {
      case "id": record.id = row.int(column)
      case "uid": record.uid = GlobalID(bytes: row.blob(column))
      case "createdAt": record.createdAt = Timestamp(microseconds: row.int(column))
      case "updatedAt": record.updatedAt = Timestamp(microseconds: row.int(column))
      default:
        guard let index = table.layout.index(of: name) else { continue }
        let property = table.schema.properties[index]
        do {
          let value = try target.codec.value(of: property.type, in: row, column: column)
          if value.isNull, !property.isOptional { continue }
          record.values[index] = value
        } catch {
          isIncomplete = true
        }
      }
    }
    guard let id = record.id, (1...Self.highestLikelyNumber).contains(id) else { return }
    guard try target.insertRescued(record, in: table) else { return }
    results[table.name]?.saved += 1
    if isIncomplete { results[table.name]?.incomplete += 1 }
  }
}
