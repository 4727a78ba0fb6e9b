import CEL
import CSQLite
import Items
import Store

/// Reads what can be read of a copy of a damaged file, which it may spoil.
///
/// First the tables are walked through, around what cannot be read. Where the way to a page is
/// damaged but the page is not, its rows are then read from the page itself. Rows are taken whole,
/// and what is made from them is made anew at the end.
final class StoreRescue {
  private let path: String
  private let name: String
  private let target: EntityStore
  private let known: [String: EntitySchema]
  private var tables: [RescueTable] = []
  private var unknown: [EntityStore.Rescue] = []
  /// What the damaged store recorded about itself.
  private var metadata: [String: String] = [:]
  /// What became of the records beside the items.
  private(set) var records: [RecordRescue] = []
  /// Whether the file has no damage at all.
  private(set) var isSound = false

  init(of path: String, named name: String, to target: EntityStore, _ schemas: [EntitySchema]) {
    self.path = path
    self.name = name
    self.target = target
    known = Dictionary(schemas.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Saves all that can be saved.
  func run(_ progress: (String) -> Void) throws -> [EntityStore.Rescue] {
    do { try readTables(progress) } catch let error as StoreError where error.isDamage {
      isSound = false
    }
    if tables.isEmpty { try prepare([:]) }
    // The pages of a table that is gone may still be there.
    let unread = tables.filter { !(isSound && $0.isFound) && (!isSound || isRecorded($0)) }
    if !unread.isEmpty {
      progress("reading single pages")
      let leaves = try LeafReader(path, unread)
      try target.transaction {
        try leaves.forEachRow(progress) { row, table, misfits in
          _ = try save(row, table, misfits)
        }
      }
    }
    try finish(progress)
    return (tables.map(\.result) + unknown).sorted { $0.entity < $1.entity }
  }

  private func isRecorded(_ table: RescueTable) -> Bool {
    metadata["entity:" + table.table.name] != nil
  }

  // MARK: What there is

  private func readTables(_ progress: (String) -> Void) throws {
    let source = try Connection(
      file: path, flags: SQLITE_OPEN_READWRITE, path: name, isDefensive: false)
    progress("looking at the file")
    do { isSound = try source.first("PRAGMA integrity_check(1)") == .text("ok") } catch let error
      as StoreError where error.isDamage
    { isSound = false }
    readMetadata(source)
    try prepare(try Self.tables(of: source))
    for table in tables where table.isFound {
      progress("reading \(table.table.name)")
      if !isSound { table.evidence = try IndexEvidence(of: table.table.name, source) }
      table.highest = try highestNumber(of: table, source)
      try walk(table, source)
    }
    let keys = Set(RecordTables.all.map(\.key).filter { metadata[$0] != nil })
    records = try RecordSaving(
      from: source, to: target, values: EntityStore.valueFolder(ofStore: name)
    ).run(keys, progress)
    // What the log holds belongs to the pages that are looked at next.
    try source.run("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  /// Reads as much as can be read of what the store recorded.
  private func readMetadata(_ source: Connection) {
    do {
      try source.rows("SELECT key, value FROM errand_meta") { row in
        metadata[row.text(0)] = row.text(1)
        return true
      }
    } catch {
      // What is missing is taken from the definitions that are known.
    }
  }

  /// The tables that can have items, with their columns and the types of those.
  private static func tables(
    of source: Connection
  ) throws -> [String: [(name: String, type: String)]] {
    var tables: [String: [(name: String, type: String)]] = [:]
    var names: [String] = []
    do {
      try source.rows("SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0") {
        names.append($0.text(0))
        return true
      }
      for name in names {
        var columns: [(name: String, type: String)] = []
        try source.rows("SELECT name, type FROM pragma_table_info(\(.text(name)))") { row in
          columns.append((row.text(0), row.text(1)))
          return true
        }
        let isItems = columns.map(\.name).starts(with: RescueTable.systemColumns.prefix(5))
        if isItems { tables[name] = columns }
      }
    } catch let error as StoreError where error.isDamage {
      // Those that were read are a beginning.
    }
    return tables
  }

  /// Makes the tables of the new store.
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
    for name in schemas.keys.sorted() {
      guard let schema = schemas[name] else { continue }
      try target.prepare(schema)
      let table = try target.table(name)
      let columns = found[name] ?? []
      let extra = extraColumns(of: schema, columns)
      try addColumns(extra, to: table)
      tables.append(
        RescueTable(
          table, known: known[name], columns: columns.map(\.name), extra: extra,
          isDay: { [target] in target.context.midnight($0) != nil }))
    }
    for name in found.keys.sorted() where schemas[name] == nil {
      var result = EntityStore.Rescue(entity: name)
      result.isUnknown = true
      unknown.append(result)
    }
  }

  /// The properties that a table has besides those that are declared.
  private func extraColumns(
    of schema: EntitySchema, _ columns: [(name: String, type: String)]
  ) -> [PropertySchema] {
    var types: [String: DataType] = [:]
    for line in (metadata["columns:" + schema.name] ?? "").split(separator: "\n") {
      let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
      if parts.count == 2 { types[parts[0]] = DataType(recorded: parts[1]) }
    }
    let declared = Set(schema.properties.map(\.name)).union(RescueTable.systemColumns)
    return columns.filter { !declared.contains($0.name) }.map { column in
      let usual: DataType =
        switch column.type {
        case "INTEGER": .int
        case "REAL": .double
        default: .string
        }
      return PropertySchema(
        name: column.name, type: types[column.name] ?? usual, isOptional: true)
    }
  }

  private func addColumns(_ extra: [PropertySchema], to table: EntityTable) throws {
    guard !extra.isEmpty else { return }
    for property in extra {
      try target.connection.run(
        """
        ALTER TABLE \(name: table.name) ADD COLUMN \(raw: table.columnDefinition(property))
        """)
    }
    let lines = (table.schema.properties + extra).map { "\($0.name) \($0.type.storage.name)" }
    try target.setMetadata("columns:" + table.name, to: lines.sorted().joined(separator: "\n"))
  }

  // MARK: Walking through a table

  /// A larger number was not given by a store, but read of a damaged page.
  static let highestLikelyNumber: Int64 = 1 << 40

  /// The highest number that an item had, by all that can be read.
  private func highestNumber(of table: RescueTable, _ source: Connection) throws -> Int64? {
    let name = table.table.name
    let queries: [SQL] = [
      "SELECT seq FROM sqlite_sequence WHERE name = \(.text(name))",
      "SELECT max(id) FROM \(name: name) NOT INDEXED",
      "SELECT max(last) FROM errand_changes WHERE entity = \(.text(name))",
      "SELECT max(id) FROM \(name: name) INDEXED BY \(name: name + "_by_date")",
    ]
    let numbers = try queries.compactMap { query -> Int64? in
      do {
        guard case .int(let number)? = try source.first(query) else { return nil }
        return number
      } catch let error as StoreError where error.isDamage {
        return nil
      }
    }
    return (numbers + [table.evidence?.ids?.last ?? 0])
      .filter { (1...Self.highestLikelyNumber).contains($0) }.max()
  }

  private func walk(_ table: RescueTable, _ source: Connection) throws {
    guard let last = table.highest else { return }
    let names = table.shape.columns.map { SQL.quoted($0.name) }.joined(separator: ", ")
    let select: SQL = "SELECT \(raw: names) FROM \(name: table.table.name) NOT INDEXED"
    try target.transaction {
      try DamagedTable(source, select).forEachRow(from: 1, to: last) { row in
        let misfits = table.shape.misfits(in: row)
        if let misfits, try save(row, table, misfits) { return }
        table.result.leftOut += 1
      }
    }
  }

  // MARK: Saving

  /// Saves a row, unless it cannot be one of an item's.
  ///
  /// - Returns: Whether it is there now.
  private func save(_ row: Statement, _ table: RescueTable, _ misfits: [Int]) throws -> Bool {
    let id = row.int(0)
    guard (1...Self.highestLikelyNumber).contains(id) else { return false }
    let isKnown = isSound && table.isFound ? true : table.evidence?.contains(id)
    // One value may be damaged; a row with more of them is another's.
    guard isKnown ?? misfits.isEmpty, misfits.count <= 1 else { return false }
    var values = (0..<table.shape.columns.count).map { row.value(Int32($0)) }
    if let position = misfits.first {
      guard let value = try substitute(at: position, in: values, table) else { return false }
      values[position] = value
    }
    let connection = target.connection
    let name = table.table.name
    if try connection.first("SELECT 1 FROM \(name: name) WHERE id = \(.int(id))") != nil {
      return false
    }
    let taken = "SELECT 1 FROM \(SQL.quoted(name)) WHERE uid = "
    if try connection.first("\(raw: taken)\(values[1])") != nil {
      values[1] = .blob(target.makeUID().bytes)
    }
    try setIdentity(in: &values, of: row, table)
    try connection.withStatement(table.insert) { statement in
      try statement.bind(values)
      _ = try statement.step()
    }
    table.result.saved += 1
    if !misfits.isEmpty { table.result.incomplete += 1 }
    return true
  }

  /// What stands in for a damaged value; nil when nothing does.
  private func substitute(
    at position: Int, in values: [SQLValue], _ table: RescueTable
  ) throws -> SQLValue? {
    switch table.shape.columns[position].holds {
    case .id: return nil
    case .uid: return .blob(target.makeUID().bytes)
    case .createdAt: return values[3]
    case .updatedAt: return values[2]
    case .identity, .frecency, .used: return .null
    case .property(let property):
      if property.isOptional { return .null }
      guard let index = table.table.layout.index(of: property.name), property.defaultValue != nil
      else { return nil }
      return target.codec.column(
        try target.defaults(of: table.table)[index], of: property.type)
    }
  }

  /// Sets what an item is found again by, unless another one is.
  private func setIdentity(
    in values: inout [SQLValue], of row: Statement, _ table: RescueTable
  ) throws {
    guard let column = table.shape.columns.firstIndex(where: { $0.name == "_identity" }) else {
      return
    }
    guard !table.identity.isEmpty else {
      values[column] = .null
      return
    }
    let computed = try target.identity(
      of: table.identity.map { position, type in
        (try target.codec.value(of: type, in: row, column: Int32(position)), type)
      })
    // Whether a text is a URL, which may be written in several ways, is not recorded.
    if table.known == nil, case .text = values[column] {
    } else {
      values[column] = computed.map(SQLValue.text) ?? .null
    }
    guard values[column] != .null else { return }
    let taken: SQL = "SELECT 1 FROM \(name: table.table.name) WHERE _identity = \(values[column])"
    if try target.connection.first(taken) != nil {
      values[column] = .null
      table.result.duplicates += 1
    }
  }

  // MARK: The end

  /// Makes what is made from the items, and tells what is lost.
  private func finish(_ progress: (String) -> Void) throws {
    let connection = target.connection
    try target.transaction {
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
          progress("making the lists of \(layout.name)")
          try connection.run(layout.fillList(list))
        }
        if layout.hasTextIndex {
          progress("making the text index of \(layout.name)")
          try connection.run(EntityTable.rebuildTextIndex(layout.name + "_search"))
        }
      }
      for (key, value) in metadata
      where key != "format" && !key.hasPrefix("entity:")
        && !RecordTables.all.contains(where: { $0.key == key })
        && !key.hasPrefix("columns:")
      {
        try target.setMetadata(key, to: value)
      }
    }
    for table in tables {
      if let ids = table.evidence?.ids {
        table.result.lost = max(0, ids.count - table.result.saved)
      } else if isSound, table.isFound || !isRecorded(table) {
        table.result.lost = 0
      }
      if let highest = table.highest {
        try connection.setHighestNumber(of: table.table.name, atLeast: highest)
      }
    }
  }
}
