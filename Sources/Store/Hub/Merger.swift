import CEL
import Items
import JSON
import Replication

/// The merging of changes of other machines into the rows of this library.
///
/// An item's row shows its state, unless the item was deleted, became one with another, or requires
/// one that has not arrived. Changes that cannot be read yet are kept.
package struct Merger {
  let database: Database
  /// Whether the text index is written in bulk, so that no row may be deleted or renamed.
  private(set) var isInBulk = false

  init(database: Database) { self.database = database }

  var connection: Connection { database.connection }
  var items: ItemStore { database.items }
  var hub: HubStore { database.hub }
  var outbox: Outbox { hub.outbox }
  var conflicts: ConflictLog { hub.conflicts }
  var shared: SharedItems { SharedItems(database: database) }

  // MARK: This machine's changes

  /// Stages the unsent changes of this machine, and shows the items they affect.
  ///
  /// Called before merging changes of other machines, so that an item's row matches its state.
  func stage(_ clock: inout HybridClock) throws {
    var count = 0
    if try hub.membership()?.isWhole == false { count += try outbox.stageOldItems(&clock) }
    var isLast = false
    while !isLast {
      try hub.withHubCause {
        let staged = try outbox.stageLog(&clock)
        for uid in staged.returned {
          let group = try shared.group(of: uid)
          if group.count > 1, let entity = try shared.item(uid)?.entity {
            _ = try showGroup(group, of: entity)
          }
          try showAwaiting(uid)
        }
        count += staged.count
        isLast = staged.isLast
      }
    }
    if count > 0 { try hub.withHubCause { try hideUnrequired() } }
  }

  // MARK: Messages

  /// Merges messages of other machines, in their order on the hub, and records the last one.
  ///
  /// Changes of this machine since then are staged first, in the same transaction.
  /// - Returns: The numbers of items changed and of conflicts found.
  func apply(
    _ messages: [Outbox.Message], upTo seen: Int64, named name: String, _ clock: inout HybridClock
  ) throws -> (changed: Int, conflicts: Int) {
    defer { database.recordedTables = [:] }
    return try hub.withHubCause {
      try stage(&clock)
      let before = try conflicts.count()
      var changed = 0
      var position = 0
      var bulk = self
      bulk.isInBulk = true
      while position < messages.count {
        try items.withImportBatch {
          while position < messages.count, messages[position].kind == .item {
            do {
              if try bulk.apply(messages[position], clock.latest) { changed += 1 }
            } catch is NeedsOwnStep { return }
            position += 1
          }
        }
        guard position < messages.count else { break }
        if try apply(messages[position], clock.latest) { changed += 1 }
        position += 1
      }
      try hideUnrequired()
      try hub.update { ($0.seen, $0.seenName) = (seen, name) }
      return (changed, try conflicts.count() - before)
    }
  }

  /// A message that cannot be applied in bulk; none of it was written.
  private struct NeedsOwnStep: Error {}

  /// - Throws: `NeedsOwnStep` in bulk.
  func expectOwnStep() throws { if isInBulk { throw NeedsOwnStep() } }

  private func apply(_ message: Outbox.Message, _ latest: Int64) throws -> Bool {
    switch message.kind {
    case .merge:
      guard case .string(let text)? = try? JSONParser().parse(message.text),
        let winner = GlobalID(text: text)
      else { return false }
      return try merge(message.uid, winner, of: message.entity)
    case .job: return false
    case .item:
      guard let delta = try? DeltaCoder.delta(message.entity, message.text, upTo: latest) else {
        try keepUnread(message)
        return false
      }
      return try apply(delta, to: message.uid)
    }
  }

  private func apply(_ delta: ItemDelta, to uid: GlobalID) throws -> Bool {
    guard var loaded = try shared.load(uid) else {
      let item = SharedItem(
        entity: delta.entity, uid: uid, id: nil, life: delta.state.life, base: delta.base ?? .none)
      return try show(
        SharedItem.Loaded(item: item, table: shared.table(delta.entity), state: delta.state))
    }
    guard loaded.item.entity == delta.entity else { return false }
    let old = loaded.state
    let outcome = loaded.state.join(delta)
    var changed = false
    if loaded.state != old {
      if loaded.state.life != old.life { try expectOwnStep() }
      if loaded.state.epoch > old.epoch, let base = delta.base { loaded.item.base = base }
      changed = try show(loaded)
    }
    // The incoming value may be the one that lost.
    try conflicts.record(outcome, of: loaded.item, joining: delta, to: old)
    return changed
  }

  // MARK: Rows

  /// Makes the row of an item show its state, and writes the state; returns whether rows changed.
  func show(_ loaded: SharedItem.Loaded) throws -> Bool {
    let group = try shared.group(of: loaded.item.uid)
    if group.count > 1 {
      try expectOwnStep()
      try shared.write(loaded.state, of: loaded.item, shown: nil)
      return try showGroup(group, of: loaded.item.entity)
    }
    guard let table = loaded.table else {
      try shared.write(loaded.state, of: loaded.item, shown: nil)
      return true
    }
    return try loaded.state.isAlive ? writeRow(loaded, of: table) : removeRow(loaded, of: table)
  }

  /// Makes the row of an item show its state again.
  func show(_ uid: GlobalID) throws {
    if let loaded = try shared.load(uid) { _ = try show(loaded) }
  }

  /// Creates or updates the row of an item.
  ///
  /// - Parameter isGroup: Whether the state is that of several items that became one.
  func writeRow(
    _ loaded: SharedItem.Loaded, of table: EntityTable, isGroup: Bool = false
  ) throws -> Bool {
    var (item, state) = (loaded.item, loaded.state)
    guard let row = try row(of: loaded, in: table) else {
      // A required item has not arrived, or the definition here requires more.
      let required = try deletedItems(requiredBy: state, in: table)
      if !required.isEmpty { try expectOwnStep() }
      try shared.write(state, of: item, shown: nil)
      // Once they are shown again, so is what awaits them.
      for uid in required { try show(uid) }
      return false
    }
    var values = row.record
    // Its canonical form takes longer than most of the rest.
    let identity = items.identity(of: values.values, in: table)
    if let other = try stored(withIdentity: identity, in: table), other.id != item.id,
      let otherUID = other.uid
    {
      try expectOwnStep()
      try shared.write(state, of: item, shown: nil)
      return try mergeFound(item.uid, otherUID, of: table.name)
    }
    if loaded.record == nil, try shared.isAwaited(item.uid) { try expectOwnStep() }
    do {
      if let stored = loaded.record {
        let date = values.updatedAt
        try items.change(stored, to: &values, at: date, in: table)
        if stored.updatedAt != date {
          try shared.setDate(of: values.id, to: state.stamp, in: table)
        }
      } else {
        values = try items.insertShared(values, identity: identity, in: table)
        item.id = values.id
      }
    } catch let error as StoreError where error.isAboutTheItem {
      // The releases of other machines may accept the state: keep it and pass it on.
      try shared.write(state, of: item, shown: nil)
      return false
    }
    try shared.write(state, of: item, shown: isGroup ? nil : row.shown)
    if loaded.record == nil { try showAwaiting(item.uid) }
    return true
  }

  /// The row with an identity; nil if there is none.
  func stored(withIdentity identity: String?, in table: EntityTable) throws -> Record? {
    guard let identity else { return nil }
    return try items.row(
      table.selectByIdentity, .text(identity), in: table, { try items.record($0, table) })
  }

  /// The row of a state, and the fields that it shows; nil while a required value is missing.
  func row(
    of loaded: SharedItem.Loaded, in table: EntityTable
  ) throws -> (record: Record, shown: Set<String>)? {
    let (uid, state) = (loaded.item.uid, loaded.state)
    var shown: Set<String> = []
    var result = try loaded.record ?? Record(uid: uid, values: items.defaults(of: table))
    for (index, property) in table.schema.properties.enumerated() {
      if property.travels, let field = state.fields[property.name] {
        switch try shared.inward(field, property, in: table) {
        case .value(let value):
          result.values[index] = value
          shown.insert(property.name)
        case .awaits(let targets, let meanwhile):
          for target in targets { try shared.addAwaiting(target, by: uid) }
          if meanwhile != .null || property.isOptional { result.values[index] = meanwhile }
        case .mismatch:
          if property.isOptional || loaded.record == nil {
            result.values[index] = try items.defaults(of: table)[index]
          }
        }
      } else if property.type == .file, case .null = result.values[index] {
        result.values[index] = keptPath(state).map(Value.string) ?? .null
      }
      if case .null = result.values[index], !property.isOptional { return nil }
    }
    if case .int(let created)? = state.fields[SharedItems.creation]?.register?.value,
      Timestamp(microseconds: created).isInRange
    {
      result.createdAt = Timestamp(microseconds: created)
      shown.insert(SharedItems.creation)
    }
    result.updatedAt = Timestamp(microseconds: state.stamp.time)
    return (result, shown)
  }

  /// The path under which this library keeps the bytes of a file, which may be missing.
  private func keptPath(_ state: ItemState) -> String? {
    guard case .string(let hash)? = state.fields["hash"]?.register?.value else { return nil }
    return items.keptPath(of: hash)
  }
}
