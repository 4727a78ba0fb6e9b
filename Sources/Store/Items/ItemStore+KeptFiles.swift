import CEL
import Items

/// Files whose bytes lie beside the store, each under its hash: what an item says of them is checked
/// wherever it comes from, so that none stands for another file of the person.
extension ItemStore {
  /// The entity of such files.
  package static let keptFileEntity = "File"

  /// The path of the kept bytes with a hash; nil for a store in memory, beside which nothing lies.
  package func keptPath(of hash: String) -> String? {
    guard let path = database.path else { return nil }
    let folder = path + ".files"
    let known = Database.resolved(folder)
    // Before the first file there is no folder.
    return (known == folder ? Database.resolved(path) + ".files" : known) + "/" + hash
  }

  /// Expects that the values of an item name bytes that the library keeps.
  ///
  /// - Parameter changed: the positions of the values that are new.
  /// - Throws: `invalidValue`, naming the property and never the value.
  func expectKeptFile(
    _ values: [Value], changed: [Int]? = nil, in table: EntityTable
  ) throws {
    guard table.name == Self.keptFileEntity, let hashIndex = table.layout.index(of: "hash"),
      case .string(let hash) = values[hashIndex]
    else { return }
    let pathIndex = table.layout.index(of: "path")
    if let changed, !changed.contains(where: { $0 == hashIndex || $0 == pathIndex }) { return }
    let isHash =
      hash.utf8.count == 64
      && hash.utf8.allSatisfy { 0x30...0x39 ~= $0 || 0x61...0x66 ~= $0 }
    guard isHash else {
      throw StoreError(
        .invalidValue, "the value for \(table.name).hash must be the SHA-256 of its bytes")
    }
    guard let pathIndex, case .string(let path) = values[pathIndex],
      let own = keptPath(of: hash), path != own,
      // It may be written with links in it, as the path of the store.
      Database.resolved(path) != Database.resolved(own)
    else { return }
    throw StoreError(
      .invalidValue,
      "the value for \(table.name).path must be where the library keeps its bytes; "
        + "keep a file with `create: {entity: \(table.name), from: PATH}`")
  }

  /// The hashes, among some, that nothing in the store names: no item, no job, no journal, and not
  /// the log of changes, by which an item may come back.
  ///
  /// - Complexity: O(bytes of the store) for each hash that no `hash` of an item is.
  package func unmentioned(_ hashes: [String], limit: Int) throws -> [String] {
    var candidates = Set(hashes)
    var columns: [(table: String, column: String)] = []
    try connection.rows(
      """
      SELECT m.name, p.name, p.type FROM sqlite_schema AS m, pragma_table_info(m.name) AS p \
      WHERE m.type = 'table' AND m.sql NOT LIKE 'CREATE VIRTUAL%' AND m.name NOT LIKE 'sqlite_%' \
      AND m.name NOT LIKE '%\\_search\\_%' ESCAPE '\\'
      """
    ) { row in
      if row.text(2) == "TEXT" { columns.append((row.text(0), row.text(1))) }
      return true
    }
    for (table, column) in columns where column == "hash" {
      for text in try connection.texts(
        "SELECT \(name: column) FROM \(name: table) WHERE \(name: column) IS NOT NULL")
      {
        candidates.remove(text)
      }
    }
    return try candidates.sorted().prefix(limit).filter { hash in
      try columns.allSatisfy { table, column in
        try !connection.exists(
          "SELECT 1 FROM \(name: table) WHERE instr(\(name: column), \(.text(hash))) LIMIT 1")
      }
    }
  }
}
