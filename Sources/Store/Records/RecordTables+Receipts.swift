extension RecordTables {
  /// The table of the shares that were taken in.
  package static let receipts = RecordTables(
    key: "receipts", form: "1", problem: "receipts",
    subject: "the list of shares that were taken in", contents: "shares",
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
    "it is not known any more which shares were taken in: one that still lies in the inbox "
      + "may come in twice"
  }
}
