import CSQLite

extension StoreError {
  /// The error for a result code of SQLite, worded for the person who runs the command.
  init(sqlite status: Int32, detail: String, doing action: String, path: String) {
    let store = path.isEmpty ? "the store in memory" : "the store “\(path)”"
    func make(_ code: Code, _ message: String, _ remedy: StoreRemedy? = nil) -> StoreError {
      StoreError(code, message, remedy: remedy, sqliteCode: status)
    }
    // SQLite calls a full disk by its name, but not a quota, nor a full disk under the index of
    // its log (SQLITE_IOERR_WRITE, SQLITE_IOERR_SHMSIZE).
    let isFull = status == 0x30A || status == 0x130A
    self =
      switch isFull ? SQLITE_FULL : status & 0xff {
      case SQLITE_BUSY, SQLITE_LOCKED:
        make(
          .busy,
          "\(store) is kept busy by another process; nothing was changed, try again")
      case SQLITE_READONLY, SQLITE_PERM:
        make(
          .readOnly,
          "\(store) cannot be written", .makeWritable)
      case SQLITE_FULL:
        make(
          .full,
          "the disk or your quota is full: \(store) was left as it was; free some space and try "
            + "again")
      case SQLITE_CORRUPT:
        make(
          .corrupt,
          "\(store) is damaged (\(detail))", .rescue)
      case SQLITE_NOTADB:
        make(
          .notAStore,
          "\(store) is not a database", .otherFileOrRescue)
      case SQLITE_CANTOPEN, SQLITE_AUTH:
        make(
          .io,
          "\(store) cannot be opened: check that the folder exists and that you may read it")
      case SQLITE_IOERR:
        make(.io, "\(store) could not be read or written (\(detail), code \(status))")
      case SQLITE_NOMEM:
        make(.io, "not enough memory for \(store)")
      case SQLITE_TOOBIG:
        make(.invalidValue, "a value is too large for \(store): 256 MB at most")
      case SQLITE_INTERRUPT:
        make(.cancelled, "the work on \(store) was ended")
      case SQLITE_ERROR where detail.contains("no such table: errand_changes"):
        make(.corrupt, "the log of changes of \(store) is missing", .repair)
      default:
        make(.bug, "\(store): \(detail) while \(action) (code \(status))")
      }
  }

  /// Whether SQLite did not take a statement as it was written.
  var isRefusedStatement: Bool { sqliteCode & 0xff == SQLITE_ERROR }

  /// Whether it comes of a damaged file, when reading a sound one could not fail so.
  ///
  /// FTS5 reports some damage of its tables as a plain error, a damaged length is one too large, and
  /// a damaged row breaks the rules of its table.
  package var isDamage: Bool {
    if code == .corrupt { return true }
    switch sqliteCode & 0xff {
    case SQLITE_ERROR, SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_TOOBIG, SQLITE_MISMATCH,
      SQLITE_CONSTRAINT:
      return true
    // A file that ends too early (SQLITE_IOERR_SHORT_READ).
    default: return sqliteCode == 0x20A
    }
  }
}
