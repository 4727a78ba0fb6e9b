extension EntityStore {
  /// The entities that the file has.
  package func storedLayouts() throws -> [StoredLayout] { try connection.storedLayouts() }

  /// The entities of which the file has items, also those that are not defined here.
  package func entitiesWithItems() throws -> [String] {
    try storedLayouts().map(\.name).filter {
      try connection.first("SELECT 1 FROM \(name: $0) LIMIT 1") != nil
    }
  }

  /// How each column that an entity ever had holds its values, by its name.
  func recordedColumns(of entity: String) throws -> [String: String] {
    let lines = try metadata("columns:" + entity)?.split(separator: "\n") ?? []
    return Dictionary(
      lines.compactMap { line in
        let parts = line.split(separator: " ", maxSplits: 1)
        return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
      }, uniquingKeysWith: { first, _ in first })
  }
}
