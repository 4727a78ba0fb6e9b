extension SystemTables {
  /// The metadata table, which describes all others.
  package static let metadata = SystemTables(
    key: "format", form: "2", problem: "file",
    subject: "the metadata of the store", isMadeFirst: true,
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
  ) { _ in "the metadata of the store is lost" }
}
