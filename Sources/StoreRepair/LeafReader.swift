import CSQLite
import Glibc
import Store

/// Reads the rows of a damaged file page by page, without the way that leads to them.
///
/// A page of rows is a table by itself for SQLite, which so decodes it: the file gets a schema with
/// one table, whose first page is each of the file's in turn (SQLite, "Database File Format" §1.6).
struct LeafReader {
  private static let pageSize = 4096
  /// The first byte of a page of a table's rows.
  private static let leafKind: UInt8 = 0x0D

  private let path: String
  private let tables: [ItemRecovery]
  private let width: Int

  /// A reader of a file that it may spoil.
  init(_ path: String, _ tables: [ItemRecovery]) throws {
    self.path = path
    // A row of few columns would fit a table with more, so the narrow ones come first.
    self.tables = tables.filter { $0.shape.columns.count > 7 && $0.shape.columns[0] == "id" }
      .sorted { $0.shape.columns.count < $1.shape.columns.count }
    // One more tells a row that is too wide for all of them.
    width = self.tables.isEmpty ? 0 : 1 + (self.tables.map(\.shape.columns.count).max() ?? 0)
  }

  /// Calls `body` with each row that can be one of an item, in the order of the pages.
  ///
  /// - Complexity: O(size of the file).
  func forEachRow(
    _ progress: (String) -> Void, _ body: (Statement, ItemRecovery, [Int]) throws -> Void
  ) throws {
    guard width > 0 else { return }
    let pages = try leaves()
    let connection = try Connection(
      file: path, flags: SQLITE_OPEN_READWRITE, path: path, isDefensive: false)
    // In no transaction: SQLite writes nothing more in one that met damage.
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
    let last = try? connection.first("SELECT max(id) FROM leaf")
    guard case .int(let last)? = last else { return }
    try DamagedTable(connection, "leaf", Self.columns(width)).forEachRow(upTo: last) { row in
      for table in tables {
        guard let misfits = table.shape.misfits(in: row) else { continue }
        // Outside its table a row with a damaged value is believed only where indexes name it.
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

  /// Gives the file a first page of ours, and tells which pages can be rows of a table.
  private func leaves() throws -> [Int] {
    let first = try firstPage()
    let file = open(path, O_RDWR | O_CLOEXEC)
    guard file >= 0 else { throw Self.failure("open “\(path)”") }
    defer { close(file) }
    var page = [UInt8](repeating: 0, count: Self.pageSize)
    var leaves: [Int] = []
    var number = 0
    while pread(file, &page, Self.pageSize, off_t(number * Self.pageSize)) == Self.pageSize {
      number += 1
      if number > 1, page[0] == Self.leafKind { leaves.append(number) }
    }
    page = first
    // The size in pages stands at byte 28 (§1.3.7).
    for byte in 0..<4 { page[28 + byte] = UInt8(truncatingIfNeeded: number >> (24 - 8 * byte)) }
    guard pwrite(file, page, Self.pageSize, 0) == Self.pageSize else {
      throw Self.failure("write “\(path)”")
    }
    return leaves
  }

  /// The first page of a database whose only table is as wide as the widest.
  private func firstPage() throws -> [UInt8] {
    let model = path + "-model"
    defer { unlink(model) }
    do {
      let connection = try Connection(
        file: model, flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, path: path)
      try connection.run("PRAGMA page_size = \(raw: String(Self.pageSize))")
      let columns = Self.columns(width).dropFirst().joined(separator: ", ")
      try connection.run("CREATE TABLE leaf (id INTEGER PRIMARY KEY, \(raw: columns))")
    }
    let file = open(model, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw Self.failure("open “\(model)”") }
    defer { close(file) }
    var page = [UInt8](repeating: 0, count: Self.pageSize)
    guard pread(file, &page, Self.pageSize, 0) == Self.pageSize else {
      throw Self.failure("read “\(model)”")
    }
    return page
  }

  private static func failure(_ action: String) -> StoreError {
    StoreError(.io, "cannot \(action) (\(String(cString: strerror(errno))))")
  }
}
