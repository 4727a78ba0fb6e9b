import CSQLite
import Glibc
import POSIX
import Store

/// Reads the rows of a damaged file page by page, without the inner pages that lead to them.
///
/// SQLite can decode a leaf page as a table by itself: the file gets a schema with one table, whose
/// root page is set to each page in turn (SQLite, "Database File Format" §1.6).
struct LeafReader {
  private static let pageSize = 4096
  /// The type byte of a table leaf page.
  private static let leafKind: UInt8 = 0x0D

  private let path: String
  private let tables: [ItemRecovery]
  private let width: Int

  /// A reader of a file that it may modify.
  init(_ path: String, _ tables: [ItemRecovery]) throws {
    self.path = path
    // A short row would also fit a wider table, so narrow tables come first.
    self.tables = tables.filter { $0.shape.columns.count > 7 && $0.shape.columns[0] == "id" }
      .sorted { $0.shape.columns.count < $1.shape.columns.count }
    // One more column detects rows that are too wide for all of them.
    width = self.tables.isEmpty ? 0 : 1 + (self.tables.map(\.shape.columns.count).max() ?? 0)
  }

  /// Calls `body` with each row that can be an item, in page order.
  ///
  /// - Complexity: O(size of the file).
  func forEachRow(
    _ progress: (String) -> Void, _ body: (Statement, ItemRecovery, [Int]) throws -> Void
  ) throws {
    guard width > 0 else { return }
    let pages = try leaves()
    let connection = try Connection(
      file: path, flags: SQLITE_OPEN_READWRITE, path: path, isDefensive: false)
    // Without a transaction: after an error due to damage, SQLite would refuse further writes in it.
    try connection.run("PRAGMA journal_mode = MEMORY")
    try connection.run("PRAGMA synchronous = OFF")
    for (number, page) in pages.enumerated() {
      if number % 64 == 0 { progress("reading page \(page)") }
      try connection.run("PRAGMA writable_schema = ON")
      try connection.run("UPDATE sqlite_schema SET rootpage = \(.int(Int64(page)))")
      try connection.run("PRAGMA writable_schema = RESET")
      try readPage(connection, body)
    }
  }

  private func readPage(
    _ connection: Connection, _ body: (Statement, ItemRecovery, [Int]) throws -> Void
  ) throws {
    guard let last = try? connection.number("SELECT max(id) FROM leaf") else { return }
    try DamagedTable(connection, "leaf", Self.columns(width)).forEachRow(upTo: last) { row in
      for table in tables {
        guard let misfits = table.shape.misfits(in: row) else { continue }
        // Outside its table, a row with a damaged value is trusted only if indexes have its id.
        if misfits.isEmpty || misfits.count == 1 && table.evidence?.contains(row.int(0)) == true {
          return try body(row, table, misfits)
        }
      }
    }
  }

  private static func columns(_ count: Int) -> [String] {
    ["id"] + (1..<count).map { "c\($0)" }
  }

  // MARK: The file

  /// Replaces the first page of the file, and returns the numbers of its table leaf pages.
  private func leaves() throws -> [Int] {
    let model = path + "-model"
    defer { unlink(model) }
    try makeModel(model)
    do {
      var first = try Descriptor(model, O_RDONLY).bytes(at: 0, count: Self.pageSize)
      let file = try Descriptor(path, O_RDWR)
      var leaves: [Int] = []
      var number = 0
      while let kind = try page(number, of: file)?[0] {
        number += 1
        if number > 1, kind == Self.leafKind { leaves.append(number) }
      }
      // The size in pages is at offset 28 (§1.3.7).
      for byte in 0..<4 { first[28 + byte] = UInt8(truncatingIfNeeded: number >> (24 - 8 * byte)) }
      try file.write(first)
      return leaves
    } catch {
      throw StoreError(.io, "cannot use “\(error.path)” (\(String(cString: strerror(error.code))))")
    }
  }

  /// A page by its number from 0; nil after the last one.
  private func page(_ number: Int, of file: Descriptor) throws(SystemError) -> [UInt8]? {
    let page = try file.bytes(at: number * Self.pageSize, count: Self.pageSize)
    return page.count == Self.pageSize ? page : nil
  }

  /// Creates a database whose only table is as wide as the widest.
  private func makeModel(_ model: String) throws {
    let connection = try Connection(
      file: model, flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, path: path)
    try connection.run("PRAGMA page_size = \(raw: String(Self.pageSize))")
    let columns = Self.columns(width).dropFirst().joined(separator: ", ")
    try connection.run("CREATE TABLE leaf (id INTEGER PRIMARY KEY, \(raw: columns))")
  }
}
