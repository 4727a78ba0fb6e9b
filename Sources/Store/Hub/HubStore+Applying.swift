import CEL
import Items
import JSON
package import Replication

extension HubStore {
  /// Merges messages of other machines, in their order on the hub, and records the last one.
  ///
  /// What this machine changed meanwhile is staged first, in the same transaction.
  /// - Returns: The numbers of items changed and of conflicts found.
  package func apply(
    _ messages: [Message], upTo seen: Int64, named name: String, _ clock: inout HybridClock
  ) throws -> (changed: Int, conflicts: Int) {
    defer { database.recordedTables = [:] }
    return try asHub {
      try stage(&clock)
      let before = try conflictCount()
      var changed = 0
      var position = 0
      while position < messages.count {
        // The text index is written in bulk; what deletes or renames rows goes by itself.
        try items.withImportBatch {
          while position < messages.count, messages[position].kind == .item {
            do {
              if try apply(messages[position], isAlone: false, clock.latest) { changed += 1 }
            } catch is NeedsOwnStep { return }
            position += 1
          }
        }
        guard position < messages.count else { break }
        if try apply(messages[position], isAlone: true, clock.latest) { changed += 1 }
        position += 1
      }
      try buryUnneeded()
      guard var member = try membership() else { return (changed, 0) }
      (member.seen, member.seenName) = (seen, name)
      try setMembership(member)
      return (changed, try conflictCount() - before)
    }
  }

  /// Runs `body` in one transaction whose log entries have the hub as their cause.
  func asHub<Result>(_ body: () throws -> Result) throws -> Result {
    let cause = database.session.cause
    database.session.cause = try membership()?.isSettled == false ? Self.joinCause : Self.cause
    defer { database.session.cause = cause }
    return try database.transaction(body)
  }

  /// A message that cannot share a bulk write of the indexes; nothing of it was written.
  struct NeedsOwnStep: Error {}

  private func apply(_ message: Message, isAlone: Bool, _ latest: Int64) throws -> Bool {
    switch message.kind {
    case .merge:
      guard case .string(let text)? = try? JSONParser().parse(message.text),
        let winner = GlobalID(text: text)
      else { return false }
      return try merge(message.uid, winner, of: message.entity)
    case .job: return false
    case .item:
      guard let delta = try? DeltaCoder.delta(message.entity, message.text, upTo: latest) else {
        // A later release may have written it, and a later one here may read it; a stamp of the
        // future is not one of this hub's clock.
        try keepUnread(message)
        return false
      }
      return try apply(delta, to: message.uid, isAlone: isAlone)
    }
  }

  // MARK: One item

  private func apply(_ delta: ItemDelta, to uid: GlobalID, isAlone: Bool) throws -> Bool {
    let table = try sharedTable(delta.entity)
    guard var known = try known(uid) else {
      let new = Known(
        entity: delta.entity, uid: uid, id: nil, life: delta.state.life, base: delta.base ?? .none)
      return try show(delta.state, of: new, nil, in: table, isAlone: isAlone)
    }
    guard known.entity == delta.entity else { return false }
    let record = try known.id.flatMap { id in
      try table.flatMap { try items.record(id: id, in: $0) }
    }
    let old = try state(of: known, record, in: table)
    var state = old
    let outcome = state.join(delta)
    if state == old {
      // The value of the other machine may have lost.
      try keep(outcome, old, delta, of: known)
      return false
    }
    if !isAlone, state.life != old.life { throw NeedsOwnStep() }
    if state.epoch > old.epoch, let base = delta.base { known.base = base }
    let changed = try show(state, of: known, record, in: table, isAlone: isAlone)
    try keep(outcome, old, delta, of: known)
    return changed
  }

  /// Makes the row of an item show its state, and writes the state.
  func show(
    _ state: ItemState, of known: Known, _ record: Record?, in table: EntityTable?, isAlone: Bool
  ) throws -> Bool {
    let winner = try winner(of: known.uid)
    let losers = try losers(to: winner)
    if winner != known.uid || !losers.isEmpty {
      guard isAlone else { throw NeedsOwnStep() }
      try write(state, of: known, shown: nil)
      return try showMerged(winner, losers, of: known.entity)
    }
    guard let table else {
      try write(state, of: known, shown: nil)
      return true
    }
    guard state.isAlive else {
      return try bury(state, of: known, record, in: table, isAlone: isAlone)
    }
    return try place(state, of: known, record, in: table, isAlone: isAlone)
  }

  /// Creates or updates the row of a living item.
  func place(
    _ state: ItemState, of known: Known, _ record: Record?, in table: EntityTable, isAlone: Bool,
    isMerged: Bool = false
  ) throws -> Bool {
    var known = known
    guard let row = try row(of: state, record, in: table, uid: known.uid) else {
      // A required item is not here yet, or the definition here wants more.
      let required = try deletedItems(requiredBy: state, in: table)
      guard isAlone || required.isEmpty else { throw NeedsOwnStep() }
      try write(state, of: known, shown: nil)
      // They are shown again, and wake what waits for them.
      for uid in required { try showAgain(uid) }
      return false
    }
    var values = row.record
    // Its canonical form takes longer than most of the rest.
    let identity = items.identity(of: values.values, in: table)
    if let other = try stored(withIdentity: identity, in: table), other.id != known.id,
      let otherUID = other.uid
    {
      guard isAlone else { throw NeedsOwnStep() }
      try write(state, of: known, shown: nil)
      return try mergeFound(known.uid, otherUID, of: table.name)
    }
    if record == nil, !isAlone { try expectNoneWaiting(for: known.uid) }
    do {
      if let stored = record {
        let date = values.updatedAt
        try items.change(stored, to: &values, at: date, in: table)
        if stored.updatedAt != date { try setDate(of: values.id, to: state.stamp, in: table) }
      } else {
        values = try items.insertShared(values, identity: identity, in: table)
        known.id = values.id
      }
    } catch let error as StoreError where error.isAboutTheItem {
      // Another machine's release accepts what this one does not; it is kept and passed on.
      try write(state, of: known, shown: nil)
      return false
    }
    try write(state, of: known, shown: isMerged ? nil : row.shown)
    if record == nil { try wake(known.uid) }
    return true
  }

  /// The row with an identity; nil if there is none.
  func stored(withIdentity identity: String?, in table: EntityTable) throws -> Record? {
    guard let identity else { return nil }
    return try items.row(
      table.selectByIdentity, .text(identity), in: table, { try items.record($0, table) })
  }

  /// The row of a state; nil while a required value is missing.
  func row(
    of state: ItemState, _ record: Record?, in table: EntityTable, uid: GlobalID
  ) throws -> (record: Record, shown: Set<String>)? {
    var shown: Set<String> = []
    var result = try record ?? Record(uid: uid, values: items.defaults(of: table))
    for (index, property) in table.schema.properties.enumerated() {
      if property.travels, let field = state.fields[property.name] {
        switch try inward(field, property, in: table) {
        case .value(let value):
          result.values[index] = value
          shown.insert(property.name)
        case .waits(let targets, let meanwhile):
          for target in targets { try wait(uid, for: target) }
          if meanwhile != .null || property.isOptional { result.values[index] = meanwhile }
        case .misfit:
          if property.isOptional || record == nil {
            result.values[index] = try items.defaults(of: table)[index]
          }
        }
      } else if property.type == .file, case .null = result.values[index] {
        result.values[index] = keptPath(state).map(Value.string) ?? .null
      }
      if case .null = result.values[index], !property.isOptional { return nil }
    }
    if case .int(let created)? = state.fields[Self.creation]?.register?.value,
      Timestamp(microseconds: created).isInRange
    {
      result.createdAt = Timestamp(microseconds: created)
      shown.insert(Self.creation)
    }
    result.updatedAt = Timestamp(microseconds: state.stamp.time)
    return (result, shown)
  }

  /// The place at which this library keeps the bytes of a file, which it may not have yet.
  private func keptPath(_ state: ItemState) -> String? {
    guard case .string(let hash)? = state.fields["hash"]?.register?.value else { return nil }
    return items.keptPath(of: hash)
  }
}
