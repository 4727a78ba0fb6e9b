import Items

/// Kept files whose bytes the hub may lack.
extension HubStore {
  /// Hashes of files here that were not looked at since the machine joined.
  package func unsentFiles(limit: Int) throws -> [String] {
    if try !hasJobTables { try database.transaction { try SystemTables.hub.make(in: database) } }
    let known = Set(try connection.texts("SELECT hash FROM errand_hub_files"))
    return Array(try fileHashes().lazy.filter { !known.contains($0) }.prefix(limit))
  }

  /// The hashes of all files.
  package func fileHashes() throws -> [String] {
    guard let table = try sharedTable(ItemStore.keptFileEntity), !table.isAbsent,
      table.layout.index(of: "hash") != nil
    else { return [] }
    return try connection.texts("SELECT hash FROM \(name: table.name) WHERE hash IS NOT NULL")
  }

  /// Forgets which bytes the hub has, after it was restored from a backup.
  func forgetFiles() throws {
    if try hasJobTables { try connection.run("DELETE FROM errand_hub_files") }
  }

  /// Remembers that the bytes of a file are on the hub, or too large for it.
  package func noteSent(_ hash: String) throws {
    try connection.run("INSERT OR IGNORE INTO errand_hub_files (hash) VALUES (\(.text(hash)))")
  }
}
