extension RecordTables {
  /// The table of what a store records about itself; without it nothing tells what the others hold.
  package static let metadata = RecordTables(
    key: "format", form: "2", problem: "file",
    subject: "what the store records about itself", isMadeFirst: true,
    tables: [
      Table(
        name: "errand_meta", key: "key", isRow: "typeof(value) = 'text'",
        statements: [
          """
          CREATE TABLE IF NOT EXISTS errand_meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) \
          WITHOUT ROWID
          """
        ])
    ]
  ) { _ in "what the store recorded about itself is lost" }
}
