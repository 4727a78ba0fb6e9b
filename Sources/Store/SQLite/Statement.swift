import CSQLite
import Items

/// A prepared statement: the only owner of its handle.
package final class Statement {
  /// The text it was prepared from.
  let text: String
  /// Whether somebody uses it; the cache's alone, as is the next.
  var isLent = false
  /// When it was used last, by the clock of the cache.
  var lastUse = 0
  private let handle: OpaquePointer
  private unowned let connection: Connection

  init(_ text: String, on connection: Connection) throws(StoreError) {
    var handle: OpaquePointer?
    var text = text
    let status = text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { characters in
        sqlite3_prepare_v3(
          connection.handle, characters.baseAddress, Int32(characters.count),
          UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
      }
    }
    guard status == SQLITE_OK, let handle else {
      throw connection.failure(status, doing: "preparing a statement")
    }
    self.text = text
    self.handle = handle
    self.connection = connection
  }

  deinit { sqlite3_finalize(handle) }

  /// Advances to the next row; false at the end.
  package func step() throws(StoreError) -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let status: throw connection.failure(status, doing: "running a statement")
    }
  }

  /// Makes the statement ready to run again and forgets its bindings.
  ///
  /// `sqlite3_reset` repeats the error of the last step, which was thrown already.
  func reset() {
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
  }

  /// Makes the statement ready to run again with the bindings it has.
  func rewind() { sqlite3_reset(handle) }

  // MARK: Binding, from 1

  /// Binds values to the first parameters.
  package func bind(_ values: [SQLValue]) throws(StoreError) {
    for (index, value) in values.enumerated() { try bind(value, at: Int32(index + 1)) }
  }

  /// Binds one value.
  func bind(_ value: SQLValue, at index: Int32) throws(StoreError) {
    switch value {
    case .null: try bindNull(at: index)
    case .int(let int): try bind(int, at: index)
    case .double(let double):
      try check(sqlite3_bind_double(handle, index, double))
    case .text(let text): try bind(text, at: index)
    case .blob(let bytes):
      let status = bytes.withUnsafeBytes { buffer in
        buffer.isEmpty
          ? sqlite3_bind_zeroblob(handle, index, 0)
          : errand_bind_blob(handle, index, buffer.baseAddress, Int32(buffer.count))
      }
      try check(status)
    }
  }

  /// Binds NULL.
  func bindNull(at index: Int32) throws(StoreError) {
    try check(sqlite3_bind_null(handle, index))
  }

  /// Binds an integer.
  func bind(_ value: Int64, at index: Int32) throws(StoreError) {
    try check(sqlite3_bind_int64(handle, index, value))
  }

  /// Binds text with its length.
  func bind(_ value: String, at index: Int32) throws(StoreError) {
    var value = value
    let status = value.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { characters in
        // An empty buffer may have no address, and SQLite would bind NULL.
        guard let base = characters.baseAddress else {
          return errand_bind_text(handle, index, "", 0)
        }
        return errand_bind_text(handle, index, base, Int32(clamping: characters.count))
      }
    }
    try check(status)
  }

  private func check(_ status: Int32) throws(StoreError) {
    guard status == SQLITE_OK else {
      throw connection.failure(status, doing: "binding a value")
    }
  }

  // MARK: Reading the current row, from 0

  /// The number of columns of a row.
  package var columnCount: Int32 { sqlite3_column_count(handle) }

  /// Whether a column is NULL.
  package func isNull(_ column: Int32) -> Bool {
    sqlite3_column_type(handle, column) == SQLITE_NULL
  }

  /// Whether a column holds bytes that are no text.
  func isBlob(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_BLOB }

  /// A column as an integer; 0 when it is NULL.
  package func int(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

  /// A column as a floating-point number; 0 when it is NULL.
  func double(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }

  /// A column as text; empty when it is NULL, and invalid UTF-8 is repaired.
  package func text(_ column: Int32) -> String {
    guard let bytes = sqlite3_column_text(handle, column) else { return "" }
    let count = Int(sqlite3_column_bytes(handle, column))
    return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }

  /// A column as text; nil when it is NULL.
  func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

  /// A column as an integer; nil when it is NULL.
  func optionalInt(_ column: Int32) -> Int64? { isNull(column) ? nil : int(column) }

  /// A column as bytes; empty when it is NULL.
  package func blob(_ column: Int32) -> [UInt8] {
    guard let bytes = sqlite3_column_blob(handle, column) else { return [] }
    return [UInt8](
      UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(handle, column))))
  }

  /// A column as what it holds.
  package func value(_ column: Int32) -> SQLValue {
    switch sqlite3_column_type(handle, column) {
    case SQLITE_NULL: .null
    case SQLITE_INTEGER: .int(int(column))
    case SQLITE_FLOAT: .double(double(column))
    case SQLITE_TEXT: .text(text(column))
    default: .blob(blob(column))
    }
  }
}

/// Prepared statements by their text, the least recently used dropped first.
struct StatementCache {
  private let capacity: Int
  private var statements: [String: Statement] = [:]
  private var clock = 0

  init(capacity: Int) {
    self.capacity = capacity
  }

  /// Lends the statement of a text; nil when there is none, or somebody has it.
  func take(_ text: String) -> Statement? {
    guard let statement = statements[text], !statement.isLent else { return nil }
    statement.isLent = true
    return statement
  }

  /// Keeps a new statement, which is lent at once; a second one of the same text is not kept.
  ///
  /// - Complexity: O(capacity) when full.
  mutating func add(_ statement: Statement) {
    statement.isLent = true
    guard statements[statement.text] == nil else { return }
    statements[statement.text] = statement
    guard statements.count > capacity else { return }
    let unused = statements.values.filter { !$0.isLent }
    if let oldest = unused.min(by: { $0.lastUse < $1.lastUse }) { statements[oldest.text] = nil }
  }

  /// Takes a statement back.
  mutating func put(_ statement: Statement) {
    clock += 1
    statement.lastUse = clock
    statement.isLent = false
  }

  /// Finalises every statement.
  mutating func removeAll() { statements.removeAll() }
}
