import CEL
import Items
import JSON
import Replication

/// Items that became one, since they have the same identity.
extension HubStore {
  /// Makes two items one, after another machine found them to be the same.
  func merge(_ loser: GlobalID, _ winner: GlobalID, of entity: String) throws -> Bool {
    let first = try self.winner(of: loser)
    let second = try self.winner(of: winner)
    if first == second { return false }
    let (kept, lost) =
      first.bytes.lexicographicallyPrecedes(second.bytes)
      ? (first, second) : (second, first)
    try connection.run(
      """
      UPDATE errand_hub_merged SET winner = \(.blob(kept.bytes)) \
      WHERE winner = \(.blob(lost.bytes))
      """)
    try connection.run(
      """
      INSERT OR REPLACE INTO errand_hub_merged (loser, winner) \
      VALUES (\(.blob(lost.bytes)), \(.blob(kept.bytes)))
      """)
    return try showMerged(kept, losers(to: kept), of: entity, isNew: true)
  }

  /// Makes two items one that are the same here, and tells the others.
  func mergeFound(_ one: GlobalID, _ other: GlobalID, of entity: String) throws -> Bool {
    let (winner, loser) =
      one.bytes.lexicographicallyPrecedes(other.bytes)
      ? (one, other) : (other, one)
    try post(.merge, entity, loser, "\"\(winner.text)\"")
    return try merge(loser, winner, of: entity)
  }

  /// Shows items that became one in one row, which keeps the number it has here.
  ///
  /// - Parameter isNew: Whether they have just become one, so that what differed is recorded.
  func showMerged(
    _ winner: GlobalID, _ losers: [GlobalID], of entity: String, isNew: Bool = false
  ) throws -> Bool {
    guard let table = try sharedTable(entity) else { return false }
    var members: [(known: Known, state: ItemState)] = []
    for uid in [winner] + losers {
      guard let known = try known(uid), known.entity == entity else { continue }
      let record = try known.id.flatMap { try items.record(id: $0, in: table) }
      let state = try state(of: known, record, in: table)
      // From now on the row shows more than the item.
      try write(state, of: known, shown: nil)
      members.append((known, state))
    }
    let state = ItemState.merged(members.map(\.state))
    var rows = members.compactMap(\.known.id).sorted()
    if !state.isAlive {
      if try rows.contains(where: { try isRequired($0, of: entity) }) { return false }
      for member in members { try detach(member.known) }
      for id in rows { try remove(id, of: table) }
      return !rows.isEmpty
    }
    let shown = try rows.first.flatMap { try items.record(id: $0, in: table) }
    if let row = try row(of: state, shown, in: table, uid: winner),
      let other = try stored(
        withIdentity: items.identity(of: row.record.values, in: table), in: table),
      let id = other.id, !rows.contains(id), let uid = other.uid
    {
      // A third one is the same.
      return try mergeFound(winner, uid, of: entity)
    }
    guard var first = members.first(where: { $0.known.uid == winner })?.known else { return false }
    for member in members { try detach(member.known) }
    let kept = rows.isEmpty ? nil : rows.removeFirst()
    for id in rows {
      if let kept { try repoint(from: id, to: kept, of: entity) }
      try items.delete(ItemReference(entity: entity, id: id))
    }
    if let kept {
      try connection.run(
        """
        UPDATE \(name: table.name) SET uid = \(.blob(winner.bytes)) WHERE id = \(.int(kept))
        """)
    }
    first.id = kept
    first.life = members.first { $0.known.uid == winner }?.state.life ?? 1
    let own = members.first { $0.known.uid == winner }?.state ?? state
    let record = try kept.flatMap { try items.record(id: $0, in: table) }
    if isNew { try noteLosses(members, state) }
    _ = try place(state, of: first, record, in: table, isAlone: true, isMerged: true)
    // `place` wrote what the row shows; the winner's own state is kept.
    guard var placed = try known(winner) else { return true }
    placed.id = placed.id ?? kept
    try write(own, of: placed, shown: nil)
    for uid in [winner] + losers { try wake(uid) }
    return true
  }

  /// Forgets the row of an item.
  private func detach(_ known: Known) throws {
    guard var stored = try self.known(known.uid) else { return }
    stored.id = nil
    try write(stored)
  }

  /// Makes what refers to one row refer to another.
  private func repoint(from old: Int64, to new: Int64, of entity: String) throws {
    for (other, id, column) in try referrers(to: old, of: entity) {
      guard let table = try sharedTable(other), let stored = try items.record(id: id, in: table),
        let index = table.layout.index(of: column)
      else { continue }
      var changed = stored
      func renamed(_ value: Value) -> Value {
        guard case .object(let object) = value, (object as? Item)?.id == old else { return value }
        return codec.item(entity, new)
      }
      if case .list(let values) = stored.values[index] {
        changed.values[index] = .list(values.map(renamed))
      } else {
        changed.values[index] = renamed(stored.values[index])
      }
      try items.change(stored, to: &changed, at: stored.updatedAt, in: table)
    }
  }
}
