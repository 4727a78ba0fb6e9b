extension RecordTables {
  /// The table of the shares that were taken in.
  package static let receipts = RecordTables(
    key: "receipts", form: "1", subject: "the list of shares that were taken in",
    loss: "it is not known any more which shares were taken in: one that still lies in the inbox "
      + "may come in twice",
    names: ["errand_receipts"],
    nonsense: """
      SELECT 1 FROM errand_receipts WHERE typeof(share) <> 'text' OR typeof(time) <> 'integer' \
      LIMIT 1
      """,
    statements: [
      """
      CREATE TABLE IF NOT EXISTS errand_receipts (share TEXT PRIMARY KEY, time INTEGER NOT NULL) \
      WITHOUT ROWID
      """
    ])
}
