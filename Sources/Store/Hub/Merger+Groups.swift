import CEL
import Items
import Replication

/// Items that became one, since they have the same identity.
extension Merger {
  /// The item that stays of two, and the one that is lost.
  private static func order(
    _ one: GlobalID, _ other: GlobalID
  ) -> (winner: GlobalID, loser: GlobalID) {
    one.bytes.lexicographicallyPrecedes(other.bytes) ? (one, other) : (other, one)
  }

  /// Makes two items one, after another machine found them to be the same.
  func merge(_ loser: GlobalID, _ winner: GlobalID, of entity: String) throws -> Bool {
    let (first, second) = (try shared.winner(of: loser), try shared.winner(of: winner))
    if first == second { return false }
    let (kept, lost) = Self.order(first, second)
    try shared.unite(lost, with: kept)
    return try showGroup(shared.group(of: kept), of: entity, isNew: true)
  }

  /// Merges two items found to be the same here, and posts the merge to the hub.
  func mergeFound(_ one: GlobalID, _ other: GlobalID, of entity: String) throws -> Bool {
    let (winner, loser) = Self.order(one, other)
    try outbox.postMerge(of: loser, into: winner, entity: entity)
    return try merge(loser, winner, of: entity)
  }

  /// Shows items that became one in one row, which keeps the number it has here.
  ///
  /// - Parameters:
  ///   - group: The items, the winner first.
  ///   - isNew: Whether they have just become one, so that their differences are recorded.
  func showGroup(_ group: [GlobalID], of entity: String, isNew: Bool = false) throws -> Bool {
    guard let table = try shared.table(entity) else { return false }
    let members = try group.compactMap { try shared.load($0) }.filter { $0.item.entity == entity }
    // From now on the row shows more than the item.
    for member in members { try shared.write(member.state, of: member.item, shown: nil) }
    let state = ItemState.merged(members.map(\.state))
    var rows = members.compactMap(\.item.id).sorted()
    guard state.isAlive else {
      if try rows.contains(where: { try isRequired($0, of: entity) }) { return false }
      for member in members { try shared.detach(member.item.uid) }
      for id in rows { try remove(id, of: table) }
      return !rows.isEmpty
    }
    if let changed = try mergeThird(group[0], rows, state, of: table) { return changed }
    guard let winner = members.first, winner.item.uid == group[0] else { return false }
    for member in members { try shared.detach(member.item.uid) }
    let kept = rows.isEmpty ? nil : rows.removeFirst()
    for id in rows {
      if let kept { try repoint(from: id, to: kept, of: entity) }
      try items.delete(ItemReference(entity: entity, id: id))
    }
    if let kept { try shared.setUID(of: kept, to: winner.item.uid, in: table) }
    var shown = SharedItem.Loaded(item: winner.item, table: table, state: state)
    shown.item.id = kept
    shown.item.life = winner.state.life
    shown.record = try kept.flatMap { try items.record(id: $0, in: table) }
    if isNew { try conflicts.recordDifferences(of: members, in: state) }
    _ = try writeRow(shown, of: table, isGroup: true)
    // That wrote the state that the row shows; the winner's own is kept.
    guard var placed = try shared.item(winner.item.uid) else { return true }
    placed.id = placed.id ?? kept
    try shared.write(winner.state, of: placed, shown: nil)
    for uid in group { try showAwaiting(uid) }
    return true
  }

  /// Merges a group with another item that has its identity; nil if there is none.
  private func mergeThird(
    _ winner: GlobalID, _ rows: [Int64], _ state: ItemState, of table: EntityTable
  ) throws -> Bool? {
    let item = SharedItem(entity: table.name, uid: winner, id: nil, life: state.life, base: .none)
    let shown = try rows.first.flatMap { try items.record(id: $0, in: table) }
    let loaded = SharedItem.Loaded(item: item, table: table, record: shown, state: state)
    guard let row = try row(of: loaded, in: table),
      let other = try stored(
        withIdentity: items.identity(of: row.record.values, in: table), in: table),
      let id = other.id, !rows.contains(id), let uid = other.uid
    else { return nil }
    return try mergeFound(winner, uid, of: table.name)
  }

  /// Makes references to one row lead to another.
  private func repoint(from old: Int64, to new: Int64, of entity: String) throws {
    for (other, id, column) in try referrers(to: old, of: entity) {
      guard let table = try shared.table(other), let stored = try items.record(id: id, in: table),
        let index = table.layout.index(of: column)
      else { continue }
      var changed = stored
      func renamed(_ value: Value) -> Value {
        if case .list(let values) = value { return .list(values.map(renamed)) }
        guard case .object(let object) = value, (object as? Item)?.id == old else { return value }
        return database.codec.item(entity, new)
      }
      changed.values[index] = renamed(stored.values[index])
      try items.change(stored, to: &changed, at: stored.updatedAt, in: table)
    }
  }
}
