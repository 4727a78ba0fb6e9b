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
    public internal(set) var saved: Int
    /// How many more the store is known to have had; nil when that cannot be read.
    public internal(set) var lost: Int?
    /// How many of those that were saved lack a value that could not be read.
    public internal(set) var incomplete = 0
  }

  /// Saves what can still be read of a damaged file to a new store, numbers and all.
  ///
  /// The damaged file is not changed, and need not be one that can be opened.
  /// - Parameters:
  ///   - schemas: The entities whose items are saved.
  ///   - progress: Is told what is being done, again and again while it takes long.
  /// - Throws: `conflict` when there is a file already, `full`, `io`.
  /// - Complexity: O(n log n) for the size of the file.
  public static func rescue(
    _ schemas: [EntitySchema], from damaged: String, to path: String, context: StoreContext,
    progress: (String) -> Void = { _ in }
  ) throws -> [Rescue] {
    guard access(path, F_OK) != 0 else {
      throw StoreError(.conflict, "“\(path)” is there already: name a new file")
    }
    guard access(damaged, R_OK) == 0 else {
      throw StoreError(.io, "cannot read “\(damaged)” (\(String(cString: strerror(errno))))")
    }
    let target = try EntityStore(at: .file(path), context: context)
    for schema in schemas { try target.prepare(schema) }
    let rescue = StoreRescue(
      from: damaged, to: target, tables: target.tables.values.sorted { $0.name < $1.name })
    return try rescue.run(progress)
  }

  /// Inserts a record that was read of a damaged store, with its number.
  ///
  /// - Returns: Whether it is there now; not so when another item has its number.
  func insertRescued(_ record: Record, in table: EntityTable) throws -> Bool {
    var record = record
    guard let id = record.id,
      try connection.first("SELECT 1 FROM \(name: table.name) WHERE id = \(.int(id))") == nil
    else { return false }
    if let uid = record.uid,
      try connection.first("SELECT 1 FROM \(name: table.name) WHERE uid = \(.blob(uid.bytes))")
        != nil
    {
      record.uid = nil
    }
    // Bytes that are no identifier any more are replaced.
    record.uid = record.uid ?? makeUID()
    try insertWhole(record, in: table)
    return true
  }
}
