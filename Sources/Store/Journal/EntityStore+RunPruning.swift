import CEL

extension EntityStore {
  /// After how many runs those that are over are looked through.
  package static let runPruningInterval: Int64 = 32
  /// How many runs that are over are kept at most.
  package static let keptRuns: Int64 = 2_000
  /// How many lines of a run that is over are kept at most.
  private static let keptLines: Int64 = 5_000
  /// How long a value of a run that is over may be, in bytes, so that it is kept.
  private static let keptValue: Int64 = 1_000

  /// Forgets runs that are over for long enough, and what takes much room of the others.
  ///
  /// One that can still go on is kept whatever its age.
  /// - Parameter time: For how long they are kept, in microseconds; as the context says when nil.
  /// - Returns: How many runs were forgotten.
  /// - Complexity: O(runs + their lines).
  @discardableResult
  package func pruneRuns(
    olderThan time: Int64? = nil, keeping count: Int64 = keptRuns
  ) throws -> Int {
    guard try RecordTables.journal.exist(in: self) else { return 0 }
    return try write {
      let cutoff = context.now().microseconds - (time ?? context.keptRunTime())
      // A run that was never ended belongs to a process that died, unless it can be resumed.
      let isOver: SQL = """
        (state IN ('done', 'failed', 'cancelled') OR NOT durable AND started < \(.int(cutoff)))
        """
      let leaving: SQL = """
        SELECT number FROM errand_runs WHERE \(isOver) AND (coalesce(ended, started) < \
        \(.int(cutoff)) OR number NOT IN (SELECT number FROM errand_runs WHERE \(isOver) \
        ORDER BY number DESC LIMIT \(.int(count))))
        """
      try connection.run("DELETE FROM errand_journal WHERE run IN (\(leaving))")
      try connection.run("DELETE FROM errand_runs WHERE number IN (\(leaving))")
      let forgotten = connection.changes
      let kept: SQL = "run IN (SELECT number FROM errand_runs WHERE state = 'done')"
      try connection.run(
        "DELETE FROM errand_journal WHERE \(kept) AND line > \(.int(Self.keptLines))")
      try connection.run(
        """
        UPDATE errand_journal SET data = '' WHERE \(kept) AND length(data) > \(.int(Self.keptValue))
        """)
      try connection.run(
        """
        DELETE FROM errand_contents WHERE hash NOT IN \
        (SELECT value FROM errand_runs, json_each(errand_runs.definitions))
        """)
      return forgotten
    }
  }

  /// The hashes of the values that lines of journals have in files.
  package func hashesInJournal() throws -> Set<String> {
    guard try RecordTables.journal.exist(in: self) else { return [] }
    return Set(
      try connection.texts(
        """
        SELECT substr(data, 2) FROM errand_journal WHERE substr(data, 1, 1) = '#'
        """))
  }
}
