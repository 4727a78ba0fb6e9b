extension SystemTables {
  /// The table of imported shares.
  package static let receipts = SystemTables(
    key: "receipts", form: "1", problem: "receipts",
    subject: "the record of imported shares", contents: "shares",
    tables: [
      Table(
        name: "errand_receipts", key: "share",
        isRow: "typeof(share) = 'text' AND typeof(time) = 'integer'",
        statements: [
          """
          CREATE TABLE IF NOT EXISTS errand_receipts (share TEXT PRIMARY KEY, time INTEGER NOT NULL) \
          WITHOUT ROWID
          """
        ])
    ]
  ) { _ in
    "the record of imported shares is lost: shares still in the inbox may be imported again"
  }
}
