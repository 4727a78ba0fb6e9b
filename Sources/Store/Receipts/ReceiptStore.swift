import CEL
import POSIX

/// Receipts of imported shares, so that none is imported twice.
package struct ReceiptStore {
  let database: Database
  private var connection: Connection { database.connection }

  /// The retention of receipts: ninety days.
  private static let keptReceiptTime = Duration.seconds(90 * 86_400)

  /// Records, within the open transaction, that a share is imported.
  ///
  /// - Returns: Whether it was new.
  package func keep(_ share: String) throws -> Bool {
    try database.transaction {
      try SystemTables.receipts.make(in: database)
      try connection.run(
        """
        INSERT OR IGNORE INTO errand_receipts (share, time) \
        VALUES (\(.text(share)), \(.int(database.context.world.now().microseconds)))
        """)
      return connection.changes == 1
    }
  }

  /// Whether a share was imported.
  package func has(_ share: String) throws -> Bool {
    guard try SystemTables.receipts.exist(in: database) else { return false }
    return try connection.exists("SELECT 1 FROM errand_receipts WHERE share = \(.text(share))")
  }

  /// Deletes old receipts, except those of shares that are still in the inbox.
  package func prune(keeping shares: Set<String>) throws {
    guard try SystemTables.receipts.exist(in: database) else { return }
    let cutoff = database.context.world.now().microseconds - Self.keptReceiptTime.microseconds
    try database.transaction {
      let old = try connection.texts(
        "SELECT share FROM errand_receipts WHERE time < \(.int(cutoff))")
      for share in old where !shares.contains(share) {
        try connection.run("DELETE FROM errand_receipts WHERE share = \(.text(share))")
      }
    }
  }
}
