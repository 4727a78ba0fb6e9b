import CSQLite
import Items

/// A prepared statement: the only owner of its handle.
package final class Statement {
  /// The text it was prepared from.
  let text: String
  /// Whether the statement is in use; owned by the cache, as is the next property.
  var isLent = false
  /// The last use, by the clock of the cache.
  var lastUse = 0
  private let handle: OpaquePointer
  private unowned let connection: Connection

  init(_ text: String, on connection: Connection) throws(StoreError) {
    var handle: OpaquePointer?
    let status = sqlite3_prepare_v3(
      connection.handle, text, Int32(text.utf8.count), UInt32(SQLITE_PREPARE_PERSISTENT), &handle,
      nil)
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

  /// Makes the statement ready to run again and clears its bindings.
  ///
  /// `sqlite3_reset` repeats the error of the last step, which was thrown already.
  func reset() {
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
  }

  /// Makes the statement ready to run again with the same bindings.
  func rewind() { sqlite3_reset(handle) }

  // MARK: Binding, from 1

  /// Binds values to the first parameters.
  package func bind(_ values: [SQLValue]) throws(StoreError) {
    for (index, value) in values.enumerated() { try bind(value, at: Int32(index + 1)) }
  }

  /// Binds one value.
  func bind(_ value: SQLValue, at index: Int32) throws(StoreError) {
    switch value {
    case .null: try check(sqlite3_bind_null(handle, index))
    case .int(let int): try bind(int, at: index)
    case .double(let double): try check(sqlite3_bind_double(handle, index, double))
    case .text(let text): try bind(text, at: index)
    case .blob([]): try check(sqlite3_bind_zeroblob(handle, index, 0))
    case .blob(let bytes): try check(errand_bind_blob(handle, index, bytes, Int32(bytes.count)))
    }
  }

  /// Binds an integer.
  func bind(_ value: Int64, at index: Int32) throws(StoreError) {
    try check(sqlite3_bind_int64(handle, index, value))
  }

  /// Binds text with its length.
  func bind(_ value: String, at index: Int32) throws(StoreError) {
    try check(errand_bind_text(handle, index, value, Int32(clamping: value.utf8.count)))
  }

  private func check(_ status: Int32) throws(StoreError) {
    guard status == SQLITE_OK else { throw connection.failure(status, doing: "binding a value") }
  }

  // MARK: Reading the current row, from 0

  /// The number of columns of a row.
  package var columnCount: Int32 { sqlite3_column_count(handle) }

  /// Whether a column is NULL.
  package func isNull(_ column: Int32) -> Bool {
    sqlite3_column_type(handle, column) == SQLITE_NULL
  }

  /// Whether a column holds a BLOB.
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

  /// A column with its own type.
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

/// Prepared statements by their text, with least-recently-used eviction.
struct StatementCache {
  private let capacity: Int
  private var statements: [String: Statement] = [:]
  private var clock = 0

  init(capacity: Int) { self.capacity = capacity }

  /// Lends the statement with a text; nil when there is none, or it is in use.
  func take(_ text: String) -> Statement? {
    guard let statement = statements[text], !statement.isLent else { return nil }
    statement.isLent = true
    return statement
  }

  /// Adds a new statement, lent at once; a second one with the same text is not cached.
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

  /// Returns a lent statement.
  mutating func put(_ statement: Statement) {
    clock += 1
    statement.lastUse = clock
    statement.isLent = false
  }

  /// Finalizes every statement.
  mutating func removeAll() { statements.removeAll() }
}
