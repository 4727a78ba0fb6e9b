import CSQLite

extension StoreError {
  /// The error for an SQLite result code, worded for a person.
  init(sqlite status: Int32, detail: String, doing action: String, path: String) {
    let store = path.isEmpty ? "the store in memory" : "the store “\(path)”"
    func make(_ code: Code, _ message: String, _ remedy: StoreRemedy? = nil) -> StoreError {
      StoreError(code, message, remedy: remedy, sqliteCode: status)
    }
    // SQLite has a code for a full disk, but not for a quota, nor for a full disk while extending
    // the shared memory (SQLITE_IOERR_WRITE, SQLITE_IOERR_SHMSIZE).
    let isFull = status == 0x30A || status == 0x130A
    self =
      switch isFull ? SQLITE_FULL : status & 0xff {
      case SQLITE_BUSY, SQLITE_LOCKED:
        make(.busy, "\(store) is locked by another process; nothing was changed, try again")
      case SQLITE_READONLY, SQLITE_PERM:
        make(.readOnly, "\(store) cannot be written", .makeWritable)
      case SQLITE_FULL:
        make(
          .full,
          "the disk or your quota is full: \(store) was not changed; free some space and try again")
      case SQLITE_CORRUPT: make(.corrupt, "\(store) is damaged (\(detail))", .rescue)
      case SQLITE_NOTADB: make(.notAStore, "\(store) is not a database", .otherFileOrRescue)
      case SQLITE_CANTOPEN, SQLITE_AUTH:
        make(
          .io, "\(store) cannot be opened: check that the folder exists and that you may read it")
      case SQLITE_IOERR:
        make(.io, "\(store) could not be read or written (\(detail), code \(status))")
      case SQLITE_NOMEM: make(.io, "not enough memory for \(store)")
      case SQLITE_TOOBIG: make(.invalidValue, "a value is too large for \(store): 256 MB at most")
      case SQLITE_INTERRUPT: make(.cancelled, "the work on \(store) was cancelled")
      case SQLITE_ERROR where detail.contains("no such table: errand_changes"):
        make(.corrupt, "the log of changes of \(store) is missing", .repair)
      default: make(.bug, "\(store): \(detail) while \(action) (code \(status))")
      }
  }

  /// Whether SQLite rejected a statement's text.
  var isRefusedStatement: Bool { sqliteCode & 0xff == SQLITE_ERROR }

  /// Whether the error shows a damaged file: reading an intact one could not fail this way.
  ///
  /// FTS5 reports some damage of its tables as a generic error, a damaged length is too large, and
  /// a damaged row violates constraints.
  package var isDamage: Bool {
    if code == .corrupt { return true }
    let damage = [
      SQLITE_ERROR, SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_TOOBIG, SQLITE_MISMATCH,
      SQLITE_CONSTRAINT,
    ]
    // A truncated file (SQLITE_IOERR_SHORT_READ).
    return damage.contains(sqliteCode & 0xff) || sqliteCode == 0x20A
  }
}
