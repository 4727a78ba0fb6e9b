import CEL
import Items
import JSON
import Replication

/// The states of shared items beyond their rows, the merged items, and the items that await a
/// missing one.
struct SharedItems {
  let database: Database
  private var connection: Connection { database.connection }
  private var items: ItemStore { database.items }

  /// The condition of items that were not deleted.
  static let living: SQL = "life % 2 = 1"
  /// The condition of deleted items.
  static let deleted: SQL = "life % 2 = 0"

  /// The global ids in the first column of a query.
  func uids(_ sql: SQL) throws -> [GlobalID] {
    try connection.map(sql) { $0.blob(0) }.compactMap(GlobalID.init(bytes:))
  }

  // MARK: Items

  func item(_ uid: GlobalID) throws -> SharedItem? { try item("uid = \(.blob(uid.bytes))") }

  /// The item that a row shows.
  func item(_ entity: String, id: Int64) throws -> SharedItem? {
    try item("entity = \(.text(entity)) AND id = \(.int(id))")
  }

  private func item(_ condition: SQL) throws -> SharedItem? {
    try connection.firstRow(
      """
      SELECT uid, entity, id, life, time, machine, state FROM errand_hub_items \
      WHERE \(condition)
      """
    ) { row in
      GlobalID(bytes: row.blob(0)).map {
        SharedItem(
          entity: row.text(1), uid: $0, id: row.optionalInt(2), life: row.int(3),
          base: Stamp(time: row.int(4), machine: row.int(5)), text: row.optionalText(6))
      }
    } ?? nil
  }

  func write(_ item: SharedItem) throws {
    let columns: [SQLValue] = [
      .blob(item.uid.bytes), .text(item.entity), item.id.map(SQLValue.int) ?? .null,
      .int(item.life), .int(item.base.time), .int(item.base.machine), .optional(item.text),
    ]
    try connection.run(
      """
      INSERT INTO errand_hub_items (uid, entity, id, life, time, machine, state) \
      VALUES (\(SQL.values(columns))) ON CONFLICT (uid) DO UPDATE SET id = excluded.id, \
      life = excluded.life, time = excluded.time, machine = excluded.machine, \
      state = excluded.state
      """)
  }

  /// Removes the link from an item to its row.
  func detach(_ uid: GlobalID) throws {
    guard var item = try item(uid) else { return }
    item.id = nil
    try write(item)
  }

  // MARK: States

  func load(_ uid: GlobalID) throws -> SharedItem.Loaded? { try item(uid).map(load) }

  func load(_ item: SharedItem) throws -> SharedItem.Loaded {
    let table = try table(item.entity)
    let record = try item.id.flatMap { id in
      try table.flatMap { try items.record(id: id, in: $0) }
    }
    return SharedItem.Loaded(
      item: item, table: table, record: record, state: try state(of: item, record, in: table))
  }

  /// The state of an item, with the values of its row.
  func state(
    of item: SharedItem, _ record: Record? = nil, in table: EntityTable? = nil
  ) throws -> ItemState {
    var fields: [String: FieldState] = [:]
    var stamps: [String: Stamp] = [:]
    if let text = item.text {
      guard case .map(let map)? = try? JSONParser().parse(text),
        let read = try? DeltaCoder.fields(of: map, base: item.base),
        let own = try? DeltaCoder.stamps(of: map)
      else { throw StoreError(.corrupt, "the state of a shared \(item.entity) is damaged") }
      (fields, stamps) = (read, own)
    }
    guard let record, let table, item.id != nil else {
      return ItemState(life: item.life, fields: fields)
    }
    for (index, property) in table.schema.properties.enumerated()
    where property.travels && fields[property.name] == nil {
      fields[property.name] = field(
        record.values[index], property, stamps[property.name] ?? item.base)
    }
    if fields[Self.creation] == nil {
      fields[Self.creation] = FieldState(
        stamps[Self.creation] ?? item.base, .int(record.createdAt?.microseconds ?? 0))
    }
    return ItemState(life: item.life, fields: fields)
  }

  /// The field of the time of creation.
  static let creation = "createdAt"

  /// Writes the state of an item beside its row.
  ///
  /// - Parameter shown: The names of the fields whose values the row holds; nil when the row shows
  ///   something else.
  func write(_ state: ItemState, of item: SharedItem, shown: Set<String>?) throws {
    var item = item
    item.life = state.life
    let parts = DeltaCoder.parts(of: state.fields, base: item.base) {
      shown?.contains($0) ?? false
    }
    item.text = parts.isEmpty ? nil : try LoggedColumns.text(of: .map(MapValue(parts)))
    try write(item)
  }

  /// The table of an entity, defined here or recorded in the file; nil for an unknown entity.
  func table(_ entity: String) throws -> EntityTable? {
    if let table = try? database.table(entity) { return table }
    return try? database.recordedTable(entity)
  }

  /// Sets `updatedAt` to the time of the stamp, which is the same on all machines.
  func setDate(of id: Int64?, to stamp: Stamp, in table: EntityTable) throws {
    try connection.run(
      """
      UPDATE \(name: table.name) SET updatedAt = \(.int(stamp.time)) WHERE id = \(.int(id ?? 0))
      """)
  }

  /// Gives a row another global id.
  func setUID(of id: Int64?, to uid: GlobalID, in table: EntityTable) throws {
    try connection.run(
      """
      UPDATE \(name: table.name) SET uid = \(.blob(uid.bytes)) WHERE id = \(.int(id ?? 0))
      """)
  }

  // MARK: Items that became one

  /// The item that another became; itself if it is its own.
  func winner(of uid: GlobalID) throws -> GlobalID {
    try uids("SELECT winner FROM errand_hub_merged WHERE loser = \(.blob(uid.bytes))").first ?? uid
  }

  /// The items that became this one, without itself.
  func losers(to winner: GlobalID) throws -> [GlobalID] {
    try uids("SELECT loser FROM errand_hub_merged WHERE winner = \(.blob(winner.bytes))")
  }

  /// All items that are one with this one, the winner first; only itself if it is its own.
  func group(of uid: GlobalID) throws -> [GlobalID] {
    let winner = try winner(of: uid)
    return [winner] + (try losers(to: winner))
  }

  /// Records that two items are one.
  func unite(_ loser: GlobalID, with winner: GlobalID) throws {
    try connection.run(
      """
      UPDATE errand_hub_merged SET winner = \(.blob(winner.bytes)) \
      WHERE winner = \(.blob(loser.bytes))
      """)
    try connection.run(
      """
      INSERT OR REPLACE INTO errand_hub_merged (loser, winner) \
      VALUES (\(.blob(loser.bytes)), \(.blob(winner.bytes)))
      """)
  }

  /// All pairs of merged items.
  func united() throws -> [(loser: GlobalID, winner: GlobalID)] {
    try connection.map("SELECT loser, winner FROM errand_hub_merged") {
      (GlobalID(bytes: $0.blob(0)), GlobalID(bytes: $0.blob(1)))
    }.compactMap { loser, winner in
      loser.flatMap { loser in winner.map { (loser, $0) } }
    }
  }

  // MARK: Items that await a missing item

  /// Records that an item is to be shown again when a missing item arrives.
  func addAwaiting(_ target: GlobalID, by uid: GlobalID) throws {
    try connection.run(
      """
      INSERT OR IGNORE INTO errand_hub_waiting (target, uid) \
      VALUES (\(.blob(target.bytes)), \(.blob(uid.bytes)))
      """)
  }

  /// Removes and returns the items that await this one.
  func takeAwaiting(_ target: GlobalID) throws -> [GlobalID] {
    let found = try uids(
      "SELECT uid FROM errand_hub_waiting WHERE target = \(.blob(target.bytes))")
    if !found.isEmpty {
      try connection.run("DELETE FROM errand_hub_waiting WHERE target = \(.blob(target.bytes))")
    }
    return found
  }

  /// Whether an item awaits this one.
  func isAwaited(_ target: GlobalID) throws -> Bool {
    try connection.exists(
      "SELECT 1 FROM errand_hub_waiting WHERE target = \(.blob(target.bytes)) LIMIT 1")
  }

  /// Whether an item awaits this one that is hidden until then.
  func hidesOthers(_ target: GlobalID) throws -> Bool {
    try connection.exists(
      """
      SELECT 1 FROM errand_hub_waiting AS w JOIN errand_hub_items AS h ON h.uid = w.uid \
      WHERE w.target = \(.blob(target.bytes)) AND h.id IS NULL AND \(Self.living)
      """)
  }
}
