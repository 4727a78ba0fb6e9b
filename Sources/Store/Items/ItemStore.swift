package import CEL
package import Items

/// Reads, finds, creates, changes and deletes items.
package struct ItemStore {
  let database: Database
  var connection: Connection { database.connection }
  var context: StoreContext { database.context }
  var session: WriteSession { database.session }
  var codec: PropertyCodec { database.codec }

  // MARK: Reading

  /// The item with an id; nil when there is none.
  package func get(_ entity: String, id: Int64) throws -> Item? {
    let table = try database.table(entity)
    return try row(table.selectByID, .int(id), in: table) { try item($0, table) }
  }

  /// The item with an identity, such as any spelling of a URL; nil when there is none or the
  /// entity's identity is not a single property.
  package func get(_ entity: String, identity text: String) throws -> Item? {
    let table = try database.table(entity)
    guard table.identity.count == 1, let index = table.identity.first,
      let identity = identity(of: .string(text), type: table.schema.properties[index].type)
    else { return nil }
    return try row(table.selectByIdentity, .text(identity), in: table) { try item($0, table) }
  }

  /// The item with a global id; nil when there is none.
  package func get(_ entity: String, uid: String) throws -> Item? {
    let table = try database.table(entity)
    guard let uid = GlobalID(text: uid) else { return nil }
    return try row(table.selectByUID, .blob(uid.bytes), in: table) { try item($0, table) }
  }

  /// The item with the key of a reference; nil when there is none.
  package func get(_ entity: String, _ key: ItemReference.Key) throws -> Item? {
    switch key {
    case .id(let id): try get(entity, id: id)
    case .uid(let uid): try get(entity, uid: uid.text)
    }
  }

  /// The items with a property equal to a text except for case, up to `limit`: exact matches first,
  /// then the newest.
  package func find(
    _ entity: String, property: String, sameAs text: String, limit: Int
  ) throws -> [Item] {
    let table = try database.table(entity)
    _ = try settableIndex(of: property, in: table)
    if table.isAbsent { return [] }
    var condition: SQL = "\(raw: Connection.samenessFunction)(t.\(name: property), \(.text(text)))"
    if CaseFolding.isKnownToTextIndex(text), let match = table.phrase(text, in: property) {
      condition.append(
        """
         AND t.id IN (SELECT rowid FROM \(name: table.searchName) \
        WHERE \(name: table.searchName) MATCH \(.text(match)))
        """)
    }
    return try connection.map(
      """
      \(raw: table.select) WHERE \(condition) \
      ORDER BY t.\(name: property) = \(.text(text)) DESC, t.createdAt DESC, t.id DESC \
      LIMIT \(.int(Int64(limit)))
      """
    ) { try item($0, table) }
  }

  /// An unsaved item, with defaults for values that are not given.
  package func makeUnsavedItem(_ entity: String, _ values: [(String, Value)]) throws -> Item {
    let table = try database.table(entity)
    var record = Record(values: try defaults(of: table))
    for (name, value) in values {
      let index = try settableIndex(of: name, in: table)
      record.values[index] = try fit(value, to: table.schema.properties[index], of: table)
    }
    return Item(record, layout: table.layout)
  }

  /// The record with an id; nil when there is none.
  func record(id: Int64, in table: EntityTable) throws -> Record? {
    try row(table.selectByID, .int(id), in: table) { try record($0, table) }
  }

  /// The item of the current row of a `select`.
  func item(
    _ row: Statement, _ table: EntityTable, searchWords: String? = nil, isNear: Bool = false
  ) throws -> Item {
    let unpack: @Sendable ([UInt8]) -> String = { PackedText.text($0) }
    return Item(
      try record(row, table, isPacked: true), layout: table.layout, searchWords: searchWords,
      isNear: isNear, unpack: table.hasBodies ? unpack : nil)
  }

  /// The record of the current row of a `select`.
  ///
  /// - Parameter isPacked: Whether compressed texts are returned as bytes, to be decompressed
  ///   later.
  func record(_ row: Statement, _ table: EntityTable, isPacked: Bool = false) throws -> Record {
    let codec = codec
    var values: [Value] = []
    values.reserveCapacity(table.schema.properties.count)
    for (index, property) in table.schema.properties.enumerated() {
      let column = Int32(index + 4)
      if isPacked, property.isBody, row.isBlob(column) {
        values.append(.bytes(row.blob(column)))
      } else {
        values.append(try codec.value(of: property.type, in: row, column: column))
      }
    }
    return Record(
      id: row.int(0), uid: GlobalID(bytes: row.blob(1)),
      createdAt: Timestamp(microseconds: row.int(2)),
      updatedAt: Timestamp(microseconds: row.int(3)), values: values)
  }

  /// Finds a row by a key and decodes it with `read`; nil when there is none.
  func row<Result>(
    _ text: String, _ key: SQLValue, in table: EntityTable, _ read: (Statement) throws -> Result
  ) throws -> Result? {
    if table.isAbsent { return nil }
    return try connection.withStatement(text) { statement in
      try statement.bind(key, at: 1)
      return try statement.step() ? try read(statement) : nil
    }
  }

  /// The default of each property, or null.
  package func defaults(of table: EntityTable) throws -> [Value] {
    if let defaults = table.defaults { return defaults }
    let defaults = try table.schema.properties.map { property in
      guard let value = property.defaultValue else { return Value.null }
      return try fit(value, to: property, of: table)
    }
    table.defaults = defaults
    return defaults
  }

  // MARK: Elements of lists

  /// The elements of an indexed list property with the number of items of each, unordered.
  ///
  /// - Throws: `invalidValue` for a property that is not a list with `index`.
  /// - Complexity: O(n) for all elements of all items.
  package func elements(of property: String, in entity: String) throws -> [ElementCount] {
    let table = try database.table(entity)
    let list = try listTable(of: property, in: table)
    if table.isAbsent { return [] }
    return try connection.map("SELECT value, count(*) FROM \(name: list) GROUP BY value") { row in
      ElementCount(Self.text(row.value(0)), count: Int(row.int(1)))
    }
  }

  /// The number of items with an element or one nested in it, such as `lang` or `lang/swift`.
  ///
  /// - Throws: `invalidValue` for a property that is not a list with `index`.
  package func count(under element: String, of property: String, in entity: String) throws -> Int {
    let table = try database.table(entity)
    let list = try listTable(of: property, in: table)
    if table.isAbsent { return 0 }
    // `0` is the character after `/`.
    let count = try connection.number(
      """
      SELECT count(DISTINCT id) FROM \(name: list) WHERE value = \(.text(element)) \
      OR (value >= \(.text(element + "/")) AND value < \(.text(element + "0")))
      """)
    return Int(count ?? 0)
  }

  /// The table of an indexed list's elements.
  ///
  /// - Throws: `invalidValue` for a property that is not a list with `index`.
  func listTable(of property: String, in table: EntityTable) throws -> String {
    guard table.hasListTable(property) else {
      throw StoreError(.invalidValue, "\(table.name).\(property) is not a list with `index: true`")
    }
    return table.listName(property)
  }

  private static func text(_ value: SQLValue) -> String {
    switch value {
    case .text(let text): text
    case .int(let int): String(int)
    case .double(let number): "\(number)"
    case .null, .blob: ""
    }
  }
}
