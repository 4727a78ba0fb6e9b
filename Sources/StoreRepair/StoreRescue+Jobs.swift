import Store

extension StoreRescue {
  /// The columns of a job that are saved: all that tells what it is, and not who does it.
  private static let jobColumns = [
    "handler", "input", "arguments", "key", "requires", "exclusive", "origin", "created", "due",
    "stamped", "times", "delay", "backoff", "longest", "attempts", "error",
  ]

  /// Saves the jobs that were not done, as far as they can be read, as suspended ones: a person decides
  /// whether what was rescued is the store that goes on.
  func jobs(
    of source: Connection, into target: EntityStore, isRecorded: Bool
  ) throws -> EntityStore.RescuedJobs? {
    guard isRecorded else { return nil }
    var rescued = EntityStore.RescuedJobs()
    let names = Self.jobColumns.map(SQL.quoted).joined(separator: ", ")
    var rows: [[SQLValue]] = []
    do {
      let order: SQL = "NOT INDEXED WHERE state IN ('waiting', 'running', 'suspended')"
      try source.rows("SELECT \(raw: names) FROM errand_jobs \(order)") { row in
        let values = Self.jobColumns.indices.map { row.value(Int32($0)) }
        if Self.isJob(values) { rows.append(values) } else { rescued.isWhole = false }
        return true
      }
    } catch let error as StoreError where error.isDamage {
      rescued.isWhole = false
    }
    guard !rows.isEmpty else { return rescued }
    try target.transaction {
      try RecordTables.queue.remake(in: target)
      for values in rows {
        let list = SQL.joined(values.map { "\($0)" as SQL }, separator: ", ")
        try target.connection.run(
          "INSERT INTO errand_jobs (state, \(raw: names)) VALUES ('suspended', \(list))")
        rescued.saved += 1
      }
    }
    return rescued
  }

  /// Whether values have the types that a store writes.
  private static func isJob(_ values: [SQLValue]) -> Bool {
    zip(jobColumns, values).allSatisfy { name, value in
      switch (name, value) {
      case ("handler", .text), ("input", .text), ("arguments", .text), ("origin", .text),
        ("error", .text), ("key", .text), ("key", .null):
        true
      case ("backoff", .double), ("backoff", .int): true
      case (_, .int):
        !["handler", "input", "arguments", "origin", "error", "key"].contains(name)
      default: false
      }
    }
  }
}
