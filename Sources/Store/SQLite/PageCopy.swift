import CSQLite

/// Replaces the pages of a database, damaged or not, with those of a second one.
package final class PageCopy {
  private let target: Connection
  private var backup: OpaquePointer?

  package init(of source: Connection, over target: Connection) throws {
    self.target = target
    backup = sqlite3_backup_init(target.handle, "main", source.handle, "main")
    if backup == nil {
      throw target.failure(sqlite3_errcode(target.handle), doing: "starting a backup")
    }
  }

  deinit { sqlite3_backup_finish(backup) }

  /// Locks the target against other writers until the copy ends.
  package func lock() throws {
    // A step of zero pages takes the write lock.
    let status = sqlite3_backup_step(backup, 0)
    guard status == SQLITE_OK else { throw target.failure(status, doing: "locking the store") }
  }

  /// Copies all pages in one step: a snapshot of the source, regardless of concurrent writers.
  package func finish() throws {
    let status = sqlite3_backup_step(backup, -1)
    let finished = sqlite3_backup_finish(backup)
    backup = nil
    guard status == SQLITE_DONE, finished == SQLITE_OK else {
      throw target.failure(status == SQLITE_DONE ? finished : status, doing: "copying the store")
    }
  }
}
