package import CEL
package import Items
import JSON
import POSIX
import Replication

/// The log of merges that may need review.
package struct ConflictLog {
  let database: Database
  private var connection: Connection { database.connection }
  private var items: ItemStore { database.items }
  private var shared: SharedItems { SharedItems(database: database) }

  /// A merge that may need review.
  package struct Conflict: Hashable, Sendable {
    /// The kinds of conflicts.
    package enum Kind: String, Sendable {
      /// Two machines set a property without knowing of each other.
      case value
      /// One machine deleted the item and another changed it.
      case deleted
      /// The item was deleted, but a remaining item requires it.
      case needed
      /// Two items became one, and had different values.
      case merged
    }

    package let number: Int64
    package let kind: Kind
    package let entity: String
    package let uid: GlobalID
    /// The item's row here; nil when it has none.
    package internal(set) var id: Int64?
    /// The property; empty for a whole item.
    package let property: String
    /// The value that lost, as plain JSON; the values by property for a whole item.
    package let lost: Value
    /// The value that was kept, as plain JSON.
    package let kept: Value
    /// The time at which the value that lost was written.
    package let time: Timestamp
    /// The number of the machine whose value lost.
    package let loser: Int64
    /// The number of the machine whose value was kept.
    package let winner: Int64
  }

  /// The retention of conflicts: ninety days.
  private static let keptTime = Duration.seconds(90 * 86_400)

  /// The conflicts found here, latest first.
  package func all(limit: Int = 1_000) throws -> [Conflict] {
    guard try SystemTables.hub.exist(in: database) else { return [] }
    let found = try connection.map(
      """
      SELECT c.number, c.kind, c.entity, c.uid, h.id, c.property, c.lost, c.kept, c.time, \
      c.loser, c.winner FROM errand_hub_conflicts AS c \
      LEFT JOIN errand_hub_merged AS m ON m.loser = c.uid \
      LEFT JOIN errand_hub_items AS h ON h.uid = coalesce(m.winner, c.uid) \
      ORDER BY c.number DESC LIMIT \(.int(Int64(limit)))
      """
    ) { row -> Conflict? in
      guard let kind = Conflict.Kind(rawValue: row.text(1)),
        let uid = GlobalID(bytes: row.blob(3))
      else { return nil }
      return Conflict(
        number: row.int(0), kind: kind, entity: row.text(2), uid: uid, id: row.optionalInt(4),
        property: row.text(5), lost: Self.value(row.text(6)), kept: Self.value(row.text(7)),
        time: Timestamp(microseconds: row.int(8)), loser: row.int(9), winner: row.int(10))
    }.compactMap { $0 }
    // Without a hub, items are not among the shared ones.
    return try found.map { conflict in
      guard conflict.id == nil, database.metadata["entity:" + conflict.entity] != nil,
        let item = try items.get(conflict.entity, uid: conflict.uid.text)
      else { return conflict }
      var here = conflict
      here.id = item.id
      return here
    }
  }

  private static func value(_ text: String) -> Value {
    (try? JSONParser().parse(text)) ?? .null
  }

  func count() throws -> Int {
    Int(try connection.number("SELECT count(*) FROM errand_hub_conflicts") ?? 0)
  }

  /// Removes a conflict.
  package func settle(_ number: Int64) throws {
    try database.write("DELETE FROM errand_hub_conflicts WHERE number = \(.int(number))")
  }

  /// Removes conflicts after ninety days.
  func prune() throws {
    let cutoff = database.context.world.now().microseconds - Self.keptTime.microseconds
    try database.write("DELETE FROM errand_hub_conflicts WHERE found < \(.int(cutoff))")
  }

  /// Gives an item the value that lost, as a change of this machine; restores a deleted item.
  ///
  /// - Returns: The item.
  /// - Throws: `conflict` if the definition here does not accept the value, or there is nothing to
  ///   restore.
  package func restore(_ conflict: Conflict) throws -> ItemReference {
    let table = try database.table(conflict.entity)
    return try database.transaction {
      let uid = try shared.winner(of: conflict.uid)
      let id = try shared.item(uid)?.id ?? items.get(conflict.entity, uid: uid.text)?.id
      switch (conflict.kind, id) {
      case (.needed, _):
        throw StoreError(.conflict, "the item is still there; delete what needs it first")
      case (.deleted, nil):
        guard case .map(let values) = conflict.lost else {
          throw StoreError(.conflict, "the values of the deleted item are not known here")
        }
        var record = Record(uid: uid, values: try items.defaults(of: table))
        record.createdAt = database.context.world.now()
        for (index, property) in table.schema.properties.enumerated() {
          guard let value = values[property.name] else { continue }
          record.values[index] = try typed(value, property, in: table)
        }
        guard try items.row(table.selectByUID, .blob(uid.bytes), in: table, { _ in true }) == nil
        else { throw StoreError(.conflict, "the item is there again") }
        let item = try items.insertShared(
          record, identity: items.identity(of: record.values, in: table), in: table)
        return ItemReference(entity: table.name, id: item.id ?? 0)
      case (_, nil): throw StoreError(.conflict, "the item was deleted since")
      case (_, let id?):
        let reference = ItemReference(entity: table.name, id: id)
        guard let index = table.layout.index(of: conflict.property) else {
          throw StoreError(
            .conflict, "\(table.name) has no property “\(conflict.property)” on this machine")
        }
        let value = try typed(conflict.lost, table.schema.properties[index], in: table)
        _ = try items.update(reference, set: [(conflict.property, value)])
        return reference
      }
    }
  }

  private func typed(
    _ value: Value, _ property: PropertySchema, in table: EntityTable
  ) throws -> Value {
    var field = FieldState(.none, value)
    if property.isTextSet, case .list = value {
      field = FieldState(.none, texts: SharedItems.texts(in: value))
    }
    guard case .value(let typed) = try shared.inward(field, property, in: table) else {
      throw StoreError(
        .conflict, "the value does not fit \(table.name).\(property.name) on this machine")
    }
    return typed
  }

  // MARK: Recording

  /// Records the values that joining a delta to a state lost.
  func record(
    _ outcome: JoinOutcome, of item: SharedItem, joining delta: ItemDelta, to old: ItemState
  ) throws {
    for loss in outcome.lost {
      try record(.value, of: item, property: loss.field, lost: loss.lost, kept: loss.kept)
    }
    guard outcome.wasChangedWhileDeleted else { return }
    var state = old
    state.join(ItemState(life: old.life, fields: delta.state.fields))
    let changer = old.isAlive ? old.stamp : delta.state.stamp
    let values = state.fields.sorted { $0.key < $1.key }.map { name, field in
      (name, field.isList ? .list(field.texts.map(Value.string)) : field.register?.value ?? .null)
    }
    try record(
      .deleted, of: item, lost: .init(changer, .map(MapValue(values))),
      kept: .init(delta.lastSeen ?? changer, .null))
  }

  /// Records the values of items that became one and that the row does not show.
  func recordDifferences(of members: [SharedItem.Loaded], in merged: ItemState) throws {
    for member in members where member.state.isAlive {
      for (name, field) in member.state.fields.sorted(by: { $0.key < $1.key }) {
        guard name != SharedItems.creation, let lost = field.register, lost.value != .null,
          let kept = merged.fields[name]?.register, kept.value != lost.value
        else { continue }
        try record(.merged, of: member.item, property: name, lost: lost, kept: kept)
      }
    }
  }

  /// Records a property that was set here and in a calendar.
  package func record(
    _ entity: String, _ uid: GlobalID, property: String, lost: Value, kept: Value
  ) throws {
    try SystemTables.hub.make(in: database)
    let stamp = Stamp(time: database.context.world.now().microseconds, machine: 0)
    let item = SharedItem(entity: entity, uid: uid, id: nil, life: 0, base: .none)
    try record(
      .value, of: item, property: property, lost: .init(stamp, lost), kept: .init(stamp, kept))
  }

  /// Records a conflict, unless it is known.
  func record(
    _ kind: Conflict.Kind, of item: SharedItem, property: String = "",
    lost: FieldState.Register = .init(.none, .null), kept: FieldState.Register = .init(.none, .null)
  ) throws {
    let columns: [SQLValue] = [
      .int(database.context.world.now().microseconds), .text(kind.rawValue), .text(item.entity),
      .blob(item.uid.bytes), .text(property), .text(try LoggedColumns.text(of: lost.value)),
      .text(try LoggedColumns.text(of: kept.value)), .int(lost.stamp.time),
      .int(lost.stamp.machine), .int(kept.stamp.machine),
    ]
    try connection.run(
      """
      INSERT OR IGNORE INTO errand_hub_conflicts \
      (found, kind, entity, uid, property, lost, kept, time, loser, winner) \
      VALUES (\(SQL.values(columns)))
      """)
  }
}
