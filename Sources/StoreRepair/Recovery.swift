import CEL
import CSQLite
import Items
import Store

/// Recovers all readable data of a damaged file, a copy that may be modified, into a new store.
///
/// First it walks the tables, skipping unreadable parts. Intact pages that cannot be reached this
/// way are then read individually. Rows are copied completely, and derived data is rebuilt at the
/// end.
final class Recovery {
  private let path: String
  private let name: String
  private let target: Database
  private let known: [String: EntitySchema]
  /// Whether the new file replaces the damaged one, all of whose items are known to be readable: it
  /// must then contain every item, even with invalid values, and the log.
  private let isSameFile: Bool
  private var tables: [ItemRecovery] = []
  private var unknown: [Database.Rescue] = []
  /// The metadata of the damaged store.
  private var metadata: [String: String] = [:]
  /// The highest ids that the tables of the damaged store assigned, if known.
  private var numbers: [String: Int64] = [:]
  /// The indexes of items in the new store, created at the end.
  private var indexes: [(name: String, create: SQL)] = []
  /// The results for records other than items.
  private(set) var records: [RecordRescue] = []
  /// The losses, a sentence each.
  private(set) var losses: [String] = []
  /// Whether the file is undamaged.
  private(set) var isSound = false

  /// - Parameter schemas: The known entities, used where the recorded schema is unreadable.
  init(
    of path: String, named name: String, to target: Database, _ schemas: [EntitySchema],
    isSameFile: Bool = false
  ) {
    self.path = path
    self.name = name
    self.target = target
    self.isSameFile = isSameFile
    known = Dictionary(schemas.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Recovers everything possible.
  ///
  /// - Throws: `corrupt` when an item would be lost in a repair in place.
  @discardableResult
  func run(_ progress: (String) -> Void) throws -> [Database.Rescue] {
    target.connection.useLargeCache(true)
    do { try readTables(progress) } catch let error as StoreError where error.isDamage {
      isSound = false
    }
    if tables.isEmpty { try prepare([:]) }
    // The pages of a missing table may still exist.
    let unread = tables.filter {
      !isSameFile && !(isSound && $0.isFound) && (!isSound || isRecorded($0))
    }
    if !unread.isEmpty {
      progress("reading single pages")
      let leaves = try LeafReader(path, unread)
      try target.transaction {
        try leaves.forEachRow(progress) { row, table, misfits in
          _ = try table.save(row, misfits, isSound: isSound)
        }
      }
    }
    try finish(progress)
    let results = (tables.map(\.result) + unknown).sorted { $0.entity < $1.entity }
    if isSameFile { try expectAll(results) }
    return results
  }

  private func isRecorded(_ table: ItemRecovery) -> Bool {
    metadata["entity:" + table.table.name] != nil
  }

  // MARK: Reading

  private func readTables(_ progress: (String) -> Void) throws {
    let source = try Connection(
      file: path, flags: SQLITE_OPEN_READWRITE, path: name, isDefensive: false)
    progress("checking the file")
    isSound = (try? source.first("PRAGMA integrity_check(1)")) == .text("ok")
    // Known definitions replace missing metadata.
    try? source.each("SELECT key, value FROM errand_meta") { metadata[$0.text(0)] = $0.text(1) }
    readNumbers(source)
    try prepare(Self.columns(of: source))
    for table in tables where table.isFound {
      progress("copying \(table.table.name)")
      try table.copyRows(of: source, isSound: isSound, given: numbers[table.table.name])
    }
    var recovery = RecordRecovery(
      source: source, target: target, values: Database.valueFolder(ofStore: name),
      isSameFile: isSameFile)
    try recovery.run(recorded: Set(metadata.keys), numbers: numbers, progress)
    records = recovery.results
    losses += recovery.losses
    // The pages in the log are needed for reading single pages.
    try source.run("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  private func readNumbers(_ source: Connection) {
    do {
      try source.each("SELECT name, seq FROM sqlite_sequence") { row in
        if (1...DamagedTable.highestLikelyNumber).contains(row.int(1)) {
          numbers[row.text(0)] = row.int(1)
        }
      }
    } catch { losses.append("ids of recently deleted items may be reused") }
  }

  /// The tables that may contain items, with their columns and SQL types.
  private static func columns(of source: Connection) -> [String: [(name: String, type: String)]] {
    var tables: [String: [(name: String, type: String)]] = [:]
    // A partial result is still useful.
    try? source.each(
      """
      SELECT s.name, c.name, c.type FROM sqlite_schema AS s JOIN pragma_table_info(s.name) AS c \
      WHERE s.type = 'table' AND s.rootpage > 0 ORDER BY s.name, c.cid
      """
    ) { row in
      tables[row.text(0), default: []].append((row.text(1), row.text(2)))
    }
    return tables.filter { _, columns in
      columns.map(\.name).starts(with: ItemRecovery.systemColumns.prefix(5))
    }
  }

  /// Creates the tables of the new store.
  private func prepare(_ found: [String: [(name: String, type: String)]]) throws {
    let recorded = metadata.compactMap { key, value -> (String, EntitySchema)? in
      guard key.hasPrefix("entity:") else { return nil }
      let name = String(key.dropFirst(7))
      if let schema = known[name] {
        let definition = EntityTable(schema).definition
        let current = StoredDefinition(definition)
        if value == definition || StoredDefinition(value).differsInFormsAlone(from: current) {
          return (name, schema)
        }
      }
      return EntitySchema(recorded: value, name: name).map { (name, $0) }
    }
    let schemas = known.merging(recorded) { $1 }
    for (name, schema) in schemas.sorted(by: { $0.key < $1.key }) {
      let columns = found[name] ?? []
      let extra = extraColumns(of: schema, columns)
      try target.prepare(
        EntitySchema(
          name: name, properties: schema.properties + extra, identities: schema.identities))
      let definition = EntityTable(schema).definition
      if !extra.isEmpty { try target.setMetadata("entity:" + name, to: definition) }
      tables.append(
        ItemRecovery(
          try target.table(name), in: target, known: known[name], columns: columns.map(\.name),
          takesAll: isSameFile))
    }
    unknown += found.keys.filter { schemas[$0] == nil }.map {
      Database.Rescue(entity: $0, isUnknown: true)
    }
    try dropIndexes()
  }

  /// Drops the indexes of items; creating them at the end is faster.
  private func dropIndexes() throws {
    indexes = try target.connection.map(
      """
      SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL \
      AND tbl_name IN (SELECT substr(key, 8) FROM errand_meta WHERE key LIKE 'entity:%')
      """
    ) { (name: $0.text(0), create: "\(raw: $0.text(1))") }
    for index in indexes { try target.connection.run("DROP INDEX IF EXISTS \(name: index.name)") }
  }

  /// The properties of a table that are not declared.
  private func extraColumns(
    of schema: EntitySchema, _ columns: [(name: String, type: String)]
  ) -> [PropertySchema] {
    var types: [String: DataType] = [:]
    for (name, form) in StoredLayout.columns(metadata["columns:" + schema.name] ?? "") {
      types[name] = DataType(recorded: form)
    }
    let declared = Set(schema.properties.map(\.name)).union(ItemRecovery.systemColumns)
    let defaults: [String: DataType] = ["INTEGER": .int, "REAL": .double]
    return columns.filter { !declared.contains($0.name) }.map { column in
      PropertySchema(
        name: column.name, type: types[column.name] ?? defaults[column.type] ?? .string,
        isOptional: true)
    }
  }

  // MARK: Finishing

  /// Rebuilds derived data and reports losses.
  private func finish(_ progress: (String) -> Void) throws {
    let connection = target.connection
    try target.transaction {
      progress("building the indexes")
      for index in indexes { try connection.run(index.create) }
      for layout in try target.storedLayouts() {
        let table = tables.first { $0.table.name == layout.name }
        for (column, entity) in layout.references {
          try connection.run(
            """
            UPDATE \(name: layout.name) SET \(name: column) = NULL \
            WHERE \(StoredLayout.isOrphan(column, entity))
            """)
          table?.result.unlinked += connection.changes
        }
        for list in layout.lists {
          progress("building the lists of \(layout.name)")
          try connection.run(layout.fillList(list))
        }
        if layout.hasTextIndex {
          progress("building the text index of \(layout.name)")
          try connection.run(EntityTable.rebuildTextIndex(layout.name + "_search"))
        }
      }
      let made = Set(SystemTables.all.map(\.key))
      for (key, value) in metadata
      where !made.contains(key) && !key.hasPrefix("entity:") && !key.hasPrefix("columns:") {
        try target.setMetadata(key, to: value)
      }
      for table in tables {
        let name = table.table.name
        table.finish(isWhole: isSound && (table.isFound || !isRecorded(table)))
        numbers[name] = max(numbers[name] ?? 0, table.highest ?? 0)
        if !table.duplicates.isEmpty { losses.append(table.duplicateLoss) }
      }
      for (name, number) in numbers where try connection.hasTable(name) {
        try setHighestNumber(of: name, atLeast: number)
      }
    }
  }

  /// Makes sure that the ids of lost items are not reused.
  private func setHighestNumber(of table: String, atLeast number: Int64) throws {
    try target.connection.run(
      """
      INSERT INTO sqlite_sequence (name, seq) SELECT \(.text(table)), 0 WHERE NOT EXISTS \
      (SELECT 1 FROM sqlite_sequence WHERE name = \(.text(table)))
      """)
    try target.connection.run(
      "UPDATE sqlite_sequence SET seq = max(seq, \(.int(number))) WHERE name = \(.text(table))")
  }

  /// Checks that the new file has every item, and is undamaged.
  private func expectAll(_ results: [Database.Rescue]) throws {
    for result in results where result.lost != 0 || result.leftOut > 0 || result.isUnknown {
      throw StoreError(
        .corrupt, "cannot copy all rows of \(result.entity); the store was not changed")
    }
    guard try target.connection.first("PRAGMA integrity_check(1)") == .text("ok") else {
      throw StoreError(.bug, "the rebuilt file is damaged; the store was not changed")
    }
  }
}
