import CSQLite
import ForeignText
import Glibc
import POSIX

/// A private copy of another program's SQLite database.
///
/// Its program may lock the file, and recent changes may be in the write-ahead log, so both are copied.
final class ForeignDatabase {
  private var handle: OpaquePointer?
  private var statement: OpaquePointer?
  private let folder: String
  private var hasFailed = false
  private var isAtEnd = false

  init(copyOf path: String, in temporaryFolder: String) throws {
    var template = Array("\(temporaryFolder)/errand-places-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw ExchangeError.noTemporaryFile(folder: temporaryFolder, code: errno)
    }
    folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    try Self.copy(path, to: folder + "/places.sqlite")
    for ending in ["-wal"] {
      try? Self.copy(path + ending, to: folder + "/places.sqlite" + ending)
    }
    let code = sqlite3_open_v2(
      folder + "/places.sqlite", &handle, SQLITE_OPEN_READWRITE, nil)
    guard code == SQLITE_OK else { throw failure }
    // A view or a trigger of the file could compute without end.
    errand_distrust(handle)
    // Checkpoint the log; damage is reported when the file is read.
    sqlite3_exec(
      handle, "PRAGMA journal_mode = DELETE; PRAGMA temp_store = MEMORY", nil, nil, nil)
    // Unlink the copy of the browsing history, so that it is gone when the process ends, even by a crash.
    removeNames()
  }

  deinit {
    sqlite3_finalize(statement)
    sqlite3_close_v2(handle)
    removeNames()
  }

  private func removeNames() {
    for ending in ["", "-wal", "-shm", "-journal"] { unlink(folder + "/places.sqlite" + ending) }
    rmdir(folder)
  }

  private static func copy(_ source: String, to target: String) throws {
    do {
      let input = try Descriptor(source, O_RDONLY)
      try Descriptor(target, O_WRONLY | O_CREAT | O_EXCL).write(contentOf: input.number)
    } catch {
      throw ExchangeError.temporaryFile(code: error.code)
    }
  }

  private var failure: ExchangeError { .database(String(cString: sqlite3_errmsg(handle))) }

  /// Steps to the next row; false at the end. Damage to the file is reported once, as a record.
  func stepOrDamage() throws -> (isRow: Bool, ImportRecord?) {
    do {
      return (try step(), nil)
    } catch let error as ExchangeError {
      guard case .database(let reason) = error else { throw error }
      hasFailed = true
      return (false, ImportRecord(number: 0, content: .damage(reason)))
    }
  }

  func prepare(_ sql: String) throws {
    sqlite3_finalize(statement)
    statement = nil
    isAtEnd = false
    guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else { throw failure }
  }

  /// Steps to the next row; false at the end.
  func step() throws -> Bool {
    // SQLite would restart after the end.
    if hasFailed || isAtEnd { return false }
    switch sqlite3_step(statement) {
    case SQLITE_ROW: return true
    case SQLITE_DONE:
      isAtEnd = true
      return false
    default: throw failure
    }
  }

  func int(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

  func text(_ column: Int32) -> String {
    guard let pointer = sqlite3_column_text(statement, column) else { return "" }
    let count = Int(sqlite3_column_bytes(statement, column))
    return String(foreign: UnsafeBufferPointer(start: pointer, count: count))
  }

  func bytes(_ column: Int32) -> [UInt8] {
    guard let pointer = sqlite3_column_blob(statement, column) else { return [] }
    return Array(
      UnsafeRawBufferPointer(start: pointer, count: Int(sqlite3_column_bytes(statement, column))))
  }

  func hasTables(_ names: [String]) throws -> Bool {
    let list = names.map { "'\($0)'" }.joined(separator: ", ")
    try prepare("SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name IN (\(list))")
    return try step() && int(0) == names.count
  }
}
