import CEL
import Items
import Store

/// Recovers the items of one entity.
final class ItemRecovery {
  /// The table in the new store.
  let table: EntityTable
  let shape: RowShape
  /// Whether the file has the table's columns.
  let isFound: Bool
  /// The ids according to the indexes; nil when they are not consulted, or disagree.
  private(set) var evidence: Set<Int64>?
  var result: Database.Rescue
  /// The highest id that an item had; nil when unknown.
  private(set) var highest: Int64?
  /// The ids of duplicates that lost their identity key.
  private(set) var duplicates: [Int64] = []
  private let target: Database
  /// The current schema, which has more details than the recorded one.
  private let known: EntitySchema?
  /// Whether every row counts as an item, even with invalid values.
  private let takesAll: Bool

  /// The columns of every table.
  static let systemColumns = [
    "id", "uid", "createdAt", "updatedAt", "_identity", "_frecency", "_used",
  ]

  init(
    _ table: EntityTable, in target: Database, known: EntitySchema?, columns: [String],
    takesAll: Bool
  ) {
    self.table = table
    self.target = target
    self.known = known
    self.takesAll = takesAll
    isFound = !columns.isEmpty
    shape = RowShape(
      table.schema,
      columns: isFound ? columns : Self.systemColumns + table.schema.properties.map(\.name),
      isDay: { target.context.world.midnight($0) != nil })
    result = Database.Rescue(entity: table.name)
  }

  /// Copies the readable rows of the damaged table.
  ///
  /// - Parameter number: The highest id that it recorded; nil when unreadable.
  func copyRows(of source: Connection, isSound: Bool, given number: Int64?) throws {
    if !isSound, !takesAll { evidence = source.numbersByIndexes(of: table.name) }
    highest = highestNumber(in: source, given: number)
    guard let highest else { return }
    let rows = DamagedTable(source, table.name, shape.columns)
    try target.transaction {
      try rows.forEachRow(upTo: highest) { row in
        let misfits = shape.misfits(in: row) ?? (takesAll ? [] : nil)
        if let misfits, try save(row, misfits, isSound: isSound) { return }
        result.leftOut += 1
      }
    }
    if takesAll, let all = try source.number("SELECT count(*) FROM \(name: table.name) NOT INDEXED")
    {
      result.lost = max(0, Int(all) - result.saved)
    }
  }

  /// The highest id that an item had, according to everything readable.
  private func highestNumber(in source: Connection, given: Int64?) -> Int64? {
    let name = table.name
    var queries: [SQL] = [
      "SELECT max(id) FROM \(name: name) NOT INDEXED",
      "SELECT max(last) FROM errand_changes WHERE entity = \(.text(name))",
    ]
    if !takesAll {
      queries.append("SELECT max(id) FROM \(name: name) INDEXED BY \(name: name + "_by_date")")
    }
    return (queries.compactMap { try? source.number($0) } + [evidence?.max() ?? 0, given ?? 0])
      .filter { (1...DamagedTable.highestLikelyNumber).contains($0) }.max()
  }

  /// Saves a row, unless it cannot be an item of this entity.
  ///
  /// - Parameter misfits: The positions of invalid values.
  /// - Returns: Whether the row was saved.
  func save(_ row: Statement, _ misfits: [Int], isSound: Bool) throws -> Bool {
    let id = row.int(0)
    guard (1...DamagedTable.highestLikelyNumber).contains(id) else { return false }
    if !takesAll {
      let isKnown = isSound && isFound ? true : evidence?.contains(id)
      // One value may be damaged; a row with more belongs to another table.
      guard isKnown ?? misfits.isEmpty, misfits.count <= 1 else { return false }
    }
    var values = (0..<shape.columns.count).map { row.value(Int32($0)) }
    for position in misfits {
      guard let value = try substitute(at: position, in: values) else { return false }
      values[position] = value
    }
    if try isTaken("id", .int(id)) { return false }
    let hasOtherUID = try isTaken("uid", values[1])
    if hasOtherUID { values[1] = .blob(target.makeUID().bytes) }
    let hasIdentity = try setIdentity(in: &values, of: row)
    if hasOtherUID || !hasIdentity { duplicates.append(id) }
    try target.connection.withStatement(insert) { statement in
      try statement.bind(values)
      _ = try statement.step()
    }
    result.saved += 1
    if !hasIdentity { result.duplicates += 1 }
    if !misfits.isEmpty { result.incomplete += 1 }
    return true
  }

  private func isTaken(_ column: String, _ value: SQLValue) throws -> Bool {
    try target.connection.exists(
      "SELECT 1 FROM \(name: table.name) WHERE \(name: column) = \(value)")
  }

  /// The replacement of a damaged value; nil when there is none.
  private func substitute(at position: Int, in values: [SQLValue]) throws -> SQLValue? {
    if let property = shape.property(at: position) {
      if takesAll { return values[position] }
      if property.isOptional { return .null }
      guard let index = table.layout.index(of: property.name), property.defaultValue != nil
      else { return nil }
      return target.codec.column(try target.items.defaults(of: table)[index], of: property.type)
    }
    switch shape.columns[position] {
    case "uid": return .blob(target.makeUID().bytes)
    case "createdAt", "updatedAt":
      if case .int(let other) = values[position == 2 ? 3 : 2] { return .int(other) }
      return .int(target.context.world.now().microseconds)
    default: return .null
    }
  }

  /// Sets the identity key; returns false when another item has it.
  private func setIdentity(in values: inout [SQLValue], of row: Statement) throws -> Bool {
    guard let column = shape.columns.firstIndex(of: "_identity") else { return true }
    guard !identity.isEmpty else {
      values[column] = .null
      return true
    }
    let computed = try target.items.identity(
      of: identity.map { position, type in
        (try target.codec.value(of: type, in: row, column: Int32(position)), type)
      })
    // Whether a text is a URL, with several spellings, is not always recorded.
    if known == nil, case .text = values[column] {
    } else {
      values[column] = computed.map(SQLValue.text) ?? .null
    }
    guard values[column] != .null, try isTaken("_identity", values[column]) else { return true }
    values[column] = .null
    return false
  }

  /// Computes the number of lost items.
  ///
  /// - Parameter isWhole: Whether its table cannot have lost any.
  func finish(isWhole: Bool) {
    if let evidence {
      result.lost = max(0, evidence.count - result.saved)
    } else if isWhole, result.lost == nil {
      result.lost = 0
    }
  }

  /// A sentence on the duplicates that lost their identity key.
  var duplicateLoss: String {
    "\(duplicates.count) of \(table.name) duplicated others and are no longer found by their "
      + "identity: "
      + duplicates.prefix(10).map { "\(ItemReference(entity: table.name, id: $0))" }
      .joined(separator: ", ")
  }

  /// The columns of the identity properties, with the best known types; empty when one is missing.
  private lazy var identity: [(position: Int, type: DataType)] = {
    let names = table.schema.identities
    let schema = known?.identities == names ? known : table.schema
    let columns = names.compactMap { name -> (position: Int, type: DataType)? in
      guard let position = shape.columns.firstIndex(of: name),
        let type = schema?.properties.first(where: { $0.name == name })?.type
      else { return nil }
      return (position, type)
    }
    return columns.count == names.count ? columns : []
  }()

  /// Inserts a row with all its columns.
  private lazy var insert = SQL.insertion(into: table.name, shape.columns)
}
