import Items
import Store

/// Fills an empty database with what can be relied on of a damaged store.
struct RemadeContent {
  private let target: Connection
  private let makeUID: () -> GlobalID
  /// What could not be kept, a sentence each.
  private(set) var losses: [String] = []

  init(_ target: Connection, makeUID: @escaping () -> GlobalID) {
    self.target = target
    self.makeUID = makeUID
  }

  /// Makes a copy of the damaged store, which nobody else uses, known to the database.
  func attach(_ path: String) throws {
    // The file is thrown away when this does not come to its end.
    try target.run("PRAGMA journal_mode = MEMORY")
    try target.run("PRAGMA synchronous = OFF")
    target.useLargeCache(true)
    try target.run("ATTACH \(.text(path)) AS damaged")
    // The pages of both must be of one size.
    if case .int(let size)? = try target.first("PRAGMA damaged.page_size") {
      try target.run("PRAGMA main.page_size = \(raw: String(size))")
    }
  }

  /// Copies what can be relied on.
  ///
  /// - Throws: `corrupt` when a row that matters cannot be read.
  mutating func copy(_ progress: (String) -> Void) throws {
    // In no transaction: SQLite writes nothing more in one that met damage.
    let objects = try self.objects()
    let textIndexes = objects.filter(\.isVirtual).map(\.name)
    let entities = objects.filter { $0.type == "table" }.map { $0.name + "_search" }
    let parts = Set((textIndexes + entities).flatMap { name in Self.textParts.map { name + $0 } })
    let tables = objects.filter {
      $0.type == "table" && !$0.isVirtual && !parts.contains($0.name)
        && !$0.name.hasPrefix("sqlite_")
    }
    for table in tables { try target.run("\(raw: table.sql)") }
    for table in tables where table.name == "errand_meta" { try copyRows(of: table.name) }
    let layouts = try target.storedLayouts()
    let lists = Set(layouts.flatMap { layout in layout.lists.map(layout.listTable) })
    for table in tables where table.name != "errand_meta" && !lists.contains(table.name) {
      progress("copying \(table.name)")
      if table.name == "errand_changes" {
        try copyChanges()
        if let loss = try target.cutChanges() { losses.append(loss) }
      } else if RecordTables.all.contains(where: { $0.names.contains(table.name) }) {
        // Their parts are of use only together.
        continue
      } else {
        try copyRows(of: table.name)
      }
    }
    for records in RecordTables.all { try copy(records, among: tables.map(\.name)) }
    try setNumbers(of: tables.map(\.name))
    for layout in layouts {
      for list in layout.lists {
        progress("making the lists of \(layout.name) anew")
        try target.run(layout.fillList(list))
      }
    }
    if !tables.contains(where: { $0.name == "errand_changes" }) {
      losses.append(Connection.loss(ofLogBut: 0))
    }
    progress("making the indexes anew")
    for object in objects where object.type == "index" || object.type == "view" {
      try target.run("\(raw: object.sql)")
    }
    // A text index without its view is made from the definition.
    let views = Set(objects.filter { $0.type == "view" }.map(\.name))
    for index in objects
    where index.isVirtual && views.contains(String(index.name.dropLast(6)) + "text") {
      progress("making the text index \(index.name) anew")
      try target.run("\(raw: index.sql)")
      try target.run(EntityTable.configureTextIndex(index.name))
      try target.run(EntityTable.rebuildTextIndex(index.name))
    }
    try target.makeMissing(progress)
    progress("looking at the result")
    guard try target.first("PRAGMA main.integrity_check(1)") == .text("ok") else {
      throw StoreError(.bug, "the file that was made anew is not sound, so the store was left")
    }
  }

  // MARK: The schema

  private struct Object {
    let type: String
    let name: String
    let sql: String
    var isVirtual: Bool { sql.hasPrefix("CREATE VIRTUAL TABLE") }
  }

  private static let textParts = ["_data", "_idx", "_docsize", "_config", "_content"]

  /// What the store has, but the indexes that come with their tables.
  private func objects() throws -> [Object] {
    var objects: [Object] = []
    try target.rows(
      "SELECT type, name, sql FROM damaged.sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid"
    ) { row in
      objects.append(Object(type: row.text(0), name: row.text(1), sql: row.text(2)))
      return true
    }
    return objects
  }

  private func columns(of table: String) throws -> [String] {
    var columns: [String] = []
    try target.rows("SELECT name FROM pragma_table_info(\(.text(table)))") { row in
      columns.append(row.text(0))
      return true
    }
    return columns
  }

  // MARK: Rows

  /// Copies all rows of a table, whatever its indexes say.
  private mutating func copyRows(of table: String) throws {
    let columns = try columns(of: table)
    let names = columns.map(SQL.quoted).joined(separator: ", ")
    // Named columns, since SQLite copies the indexes with the table where it sees a `*`.
    try target.run(
      """
      INSERT OR IGNORE INTO main.\(name: table) (\(raw: names)) \
      SELECT \(raw: names) FROM damaged.\(name: table) NOT INDEXED
      """)
    if columns.starts(with: ["id", "uid", "createdAt", "updatedAt", "_identity"]) {
      try copyContested(table, columns)
    }
    let counts = try ["main", "damaged"].map { schema in
      try target.first("SELECT count(*) FROM \(raw: schema).\(name: table) NOT INDEXED")
    }
    guard counts[0] == counts[1] else {
      throw StoreError(.corrupt, "not all rows of \(table) can be copied, so the store was left")
    }
  }

  /// Copies tables of the store's own that belong together, all of them or nothing.
  private mutating func copy(_ records: RecordTables, among tables: [String]) throws {
    let names = records.names.filter(tables.contains)
    do {
      for name in names { try copyRows(of: name) }
    } catch let error as StoreError where error.isDamage {
      for name in names { try target.run("DELETE FROM main.\(name: name)") }
      losses.append(records.loss)
    }
  }

  /// Copies those items whose global id or identity another one has, too: a damaged index does not
  /// refuse them. They get a new id and go without the identity.
  private mutating func copyContested(_ table: String, _ columns: [String]) throws {
    var ids: [Int64] = []
    try target.rows(
      """
      SELECT id FROM damaged.\(name: table) NOT INDEXED \
      WHERE id NOT IN (SELECT id FROM main.\(name: table))
      """
    ) { row in
      ids.append(row.int(0))
      return true
    }
    let names = columns.map(SQL.quoted).joined(separator: ", ")
    for id in ids {
      let values = columns.map { column -> SQL in
        switch column {
        case "uid": "\(.blob(makeUID().bytes))"
        case "_identity": "NULL"
        case "createdAt", "updatedAt": "coalesce(\(name: column), 0)"
        default: "\(name: column)"
        }
      }
      try target.run(
        """
        INSERT INTO main.\(name: table) (\(raw: names)) \
        SELECT \(SQL.joined(values, separator: ", ")) FROM damaged.\(name: table) NOT INDEXED \
        WHERE id = \(.int(id))
        """)
    }
    if !ids.isEmpty {
      losses.append(StoredLayout.loss(ofIdentities: ids, in: table))
    }
  }

  /// Copies the log as far back as it can be read without a gap.
  private mutating func copyChanges() throws {
    let names = try columns(of: "errand_changes").map(SQL.quoted).joined(separator: ", ")
    var copied = 0
    do {
      // One by one, so that those before the first mistake stay.
      var next = Int64.max
      while true {
        try target.run(
          """
          INSERT INTO main.errand_changes (\(raw: names)) \
          SELECT \(raw: names) FROM damaged.errand_changes \
          WHERE sequence <= \(.int(next)) ORDER BY sequence DESC LIMIT 1
          """)
        guard target.changes == 1 else { return }
        copied += 1
        guard
          case .int(let sequence)? = try target.first(
            "SELECT min(sequence) FROM main.errand_changes"), sequence > Int64.min
        else { return }
        next = sequence - 1
      }
    } catch let error as StoreError where error.isDamage {
      losses.append(Connection.loss(ofLogBut: copied))
    }
  }

  /// Sets the highest number that each table gave, so that none is given twice.
  private mutating func setNumbers(of tables: [String]) throws {
    var known: [String: Int64] = [:]
    do {
      try target.rows("SELECT name, seq FROM damaged.sqlite_sequence") { row in
        // A larger one was not given, but read of a damaged page.
        if row.int(1) < 1 << 40 { known[row.text(0)] = row.int(1) }
        return true
      }
    } catch let error as StoreError where error.isDamage {
      losses.append("numbers of items that were deleted last may be given again")
    }
    // The log names numbers of items that are gone.
    try target.rows("SELECT entity, max(last) FROM main.errand_changes GROUP BY entity") { row in
      guard row.int(1) < 1 << 40 else { return true }
      known[row.text(0)] = max(known[row.text(0)] ?? 0, row.int(1))
      return true
    }
    for table in tables {
      guard let number = known[table], number > 0,
        try columns(of: table).contains(where: { $0 == "id" || $0 == "sequence" })
      else { continue }
      try target.run(
        """
        INSERT INTO main.sqlite_sequence (name, seq) SELECT \(.text(table)), 0 WHERE NOT EXISTS \
        (SELECT 1 FROM main.sqlite_sequence WHERE name = \(.text(table)))
        """)
      try target.run(
        """
        UPDATE main.sqlite_sequence SET seq = max(seq, \(.int(number))) \
        WHERE name = \(.text(table))
        """)
    }
  }
}
