extension SystemTables {
  /// The table of the change log.
  package static let log = SystemTables(
    key: "log", form: "2", problem: "change-log", subject: "the log of changes", isMadeFirst: true,
    keepsEnd: true,
    tables: [
      Table(
        name: "errand_changes", key: "sequence", isOfFile: true,
        isRow: """
          typeof(batch) = 'integer' AND batch BETWEEN 1 AND sequence \
          AND typeof(time) = 'integer' AND typeof(kind) = 'integer' AND kind BETWEEN 0 AND 5 \
          AND typeof(id) = 'integer' AND typeof(last) = 'integer' AND id > 0 AND last >= id \
          AND typeof(entity) = 'text' AND (kind = 5 AND entity = '' OR EXISTS \
          (SELECT 1 FROM errand_meta WHERE key = 'entity:' || entity)) \
          AND typeof(cause) = 'text' AND undone IN (0, 1) \
          AND CASE WHEN kind NOT IN (1, 2) OR kind = 2 AND cause = 'undo' THEN before IS NULL \
          WHEN typeof(before) = 'text' AND json_valid(before) THEN json_type(before) = 'object' \
          ELSE 0 END
          """,
        statements: [
          """
          CREATE TABLE IF NOT EXISTS errand_changes (sequence INTEGER PRIMARY KEY AUTOINCREMENT, \
          batch INTEGER NOT NULL, time INTEGER NOT NULL, kind INTEGER NOT NULL, \
          entity TEXT NOT NULL, id INTEGER NOT NULL, last INTEGER NOT NULL, cause TEXT NOT NULL, \
          before TEXT, undone INTEGER NOT NULL DEFAULT 0, \
          \(raw: laterLogColumns.map { "\($0.name) \($0.type)" }.joined(separator: ", ")))
          """
        ])
    ]
  ) { kept in
    kept == 0
      ? "the log of changes is lost: earlier changes cannot be undone"
      : "the log of changes is lost except for its last \(kept) entries: earlier changes cannot be "
        + "undone"
  }

  /// The columns added after the log's first releases: the run that made the change, the change
  /// that it reverted, and the values after an update or those deleted by an undo.
  static let laterLogColumns = [
    (name: "run", type: "TEXT"), (name: "reverts", type: "INTEGER"), (name: "after", type: "TEXT"),
  ]
}
