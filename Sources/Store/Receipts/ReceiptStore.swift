import CEL

/// Which shares were taken in, so that none comes in twice.
package struct ReceiptStore {
  let database: Database
  private var connection: Connection { database.connection }

  /// For how long a receipt is kept, in microseconds: ninety days.
  private static let keptReceiptTime: Int64 = 90 * 86_400 * 1_000_000

  /// Notes within the open transaction that a share is taken in.
  ///
  /// - Returns: Whether it was not yet.
  package func keep(_ share: String) throws -> Bool {
    try database.transaction {
      try RecordTables.receipts.make(in: database)
      try connection.run(
        """
        INSERT OR IGNORE INTO errand_receipts (share, time) \
        VALUES (\(.text(share)), \(.int(database.context.now().microseconds)))
        """)
      return connection.changes == 1
    }
  }

  /// Whether a share was taken in.
  package func has(_ share: String) throws -> Bool {
    guard try RecordTables.receipts.exist(in: database) else { return false }
    return try connection.exists(
      "SELECT 1 FROM errand_receipts WHERE share = \(.text(share))")
  }

  /// Forgets receipts that are old enough; those of shares that still lie in the inbox stay.
  package func prune(keeping shares: Set<String>) throws {
    guard try RecordTables.receipts.exist(in: database) else { return }
    let cutoff = database.context.now().microseconds - Self.keptReceiptTime
    try database.transaction {
      let old = try connection.texts(
        "SELECT share FROM errand_receipts WHERE time < \(.int(cutoff))")
      for share in old where !shares.contains(share) {
        try connection.run("DELETE FROM errand_receipts WHERE share = \(.text(share))")
      }
    }
  }
}
