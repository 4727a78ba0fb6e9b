#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension EntityStore {
  /// What became of an entity's items when a damaged store was rescued.
  public struct Rescue: Hashable, Sendable {
    /// The entity's name.
    public let entity: String
    /// How many items were saved.
    public let saved: Int
    /// How many more the store is known to have had; nil when that cannot be read.
    public let lost: Int?
  }

  /// Saves what can still be read of the prepared entities to a new store, numbers and all.
  ///
  /// - Throws: `conflict` when there is a file already, `full`, `io`.
  public func rescue(to path: String) throws -> [Rescue] {
    guard access(path, F_OK) != 0 else {
      throw StoreError(.conflict, "“\(path)” is there already: name a new file")
    }
    let target = try EntityStore(at: .file(path), context: context)
    return try tables.values.sorted { $0.name < $1.name }.map { table in
      try target.prepare(table.schema)
      var saved = Set<Int64>()
      try target.transaction {
        // From both ends, since damage in the middle ends a walk.
        for order in ["", " DESC"] {
          try copyReadableRows(of: table, order: order, to: target, &saved)
        }
      }
      let date = table.name + "_by_date"
      let count = try? connection.first(
        "SELECT count(*) FROM \(name: table.name) INDEXED BY \(name: date)")
      var lost: Int?
      if case .int(let count)? = count { lost = max(0, Int(count) - saved.count) }
      return Rescue(entity: table.name, saved: saved.count, lost: lost)
    }
  }

  private func copyReadableRows(
    of table: EntityTable, order: String, to target: EntityStore, _ saved: inout Set<Int64>
  ) throws {
    do {
      try connection.rows("\(raw: table.select) ORDER BY t.id\(raw: order)") { row in
        let id = row.int(0)
        guard !saved.contains(id) else { return true }
        var record: Record
        do { record = try self.record(row, table) } catch { return true }
        // Bytes that are no identifier any more are replaced.
        record.uid = record.uid ?? target.makeUID()
        try target.insertWhole(record, in: target.table(table.name))
        saved.insert(id)
        return true
      }
    } catch let error as StoreError where error.code == .corrupt {
      return
    }
  }
}
