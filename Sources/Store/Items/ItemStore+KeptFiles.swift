import CEL
import Items

/// Files kept beside the store, named by their hash. Items that refer to them are validated on
/// every write, so that none can point to another of the user's files.
extension ItemStore {
  /// The entity of kept files.
  package static let keptFileEntity = "File"

  /// The path of the kept file with a hash; nil for a store in memory.
  package func keptPath(of hash: String) -> String? {
    guard let path = database.path else { return nil }
    let folder = path + ".files"
    let known = Database.resolved(folder)
    // The folder is created with the first file.
    return (known == folder ? Database.resolved(path) + ".files" : known) + "/" + hash
  }

  /// Checks that an item refers to a kept file.
  ///
  /// - Parameter changed: The positions of the new values.
  /// - Throws: `invalidValue`, with the property but never the value.
  func expectKeptFile(_ values: [Value], changed: [Int]? = nil, in table: EntityTable) throws {
    guard table.name == Self.keptFileEntity, let hashIndex = table.layout.index(of: "hash"),
      case .string(let hash) = values[hashIndex]
    else { return }
    let pathIndex = table.layout.index(of: "path")
    if let changed, !changed.contains(where: { $0 == hashIndex || $0 == pathIndex }) { return }
    let isHash =
      hash.utf8.count == 64 && hash.utf8.allSatisfy { 0x30...0x39 ~= $0 || 0x61...0x66 ~= $0 }
    guard isHash else {
      throw StoreError(
        .invalidValue, "the value for \(table.name).hash must be the SHA-256 of its bytes")
    }
    guard let pathIndex, case .string(let path) = values[pathIndex],
      let own = keptPath(of: hash), path != own,
      // The path may contain symbolic links, like the store's.
      Database.resolved(path) != Database.resolved(own)
    else { return }
    throw StoreError(
      .invalidValue,
      "the value for \(table.name).path must be where the library keeps its bytes; "
        + "keep a file with `create: {entity: \(table.name), from: PATH}`")
  }

  /// The hashes without a reference in the store: in no item, job, journal or log entry from which
  /// an item could be restored.
  ///
  /// - Complexity: O(size of the store) for each hash that is not the `hash` of an item.
  package func unmentioned(_ hashes: [String], limit: Int) throws -> [String] {
    var candidates = Set(hashes)
    let columns = try connection.map(
      """
      SELECT m.name, p.name FROM sqlite_schema AS m, pragma_table_info(m.name) AS p \
      WHERE m.type = 'table' AND m.sql NOT LIKE 'CREATE VIRTUAL%' AND m.name NOT LIKE 'sqlite_%' \
      AND m.name NOT LIKE '%\\_search\\_%' ESCAPE '\\' AND p.type = 'TEXT'
      """
    ) { (table: $0.text(0), column: $0.text(1)) }
    for (table, column) in columns where column == "hash" {
      candidates.subtract(
        try connection.texts(
          "SELECT \(name: column) FROM \(name: table) WHERE \(name: column) IS NOT NULL"))
    }
    return try candidates.sorted().prefix(limit).filter { hash in
      try columns.allSatisfy { table, column in
        try !connection.exists(
          "SELECT 1 FROM \(name: table) WHERE instr(\(name: column), \(.text(hash))) LIMIT 1")
      }
    }
  }
}
