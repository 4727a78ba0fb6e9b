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
              if try apply(messages[position], isAlone: false) { changed += 1 }
            } catch is NeedsOwnStep { return }
            position += 1
          }
        }
        guard position < messages.count else { break }
        if try apply(messages[position], isAlone: true) { changed += 1 }
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

  private func apply(_ message: Message, isAlone: Bool) throws -> Bool {
    switch message.kind {
    case .merge:
      guard case .string(let text)? = try? JSONParser().parse(message.text),
        let winner = GlobalID(text: text)
      else { return false }
      return try merge(message.uid, winner, of: message.entity)
    case .job: return false
    case .item:
      guard let delta = try? DeltaCoder.delta(message.entity, message.text) else {
        // A later release may have written it, and a later one here may read it.
        try keepUnread(message)
        return false
      }
      return try apply(delta, to: message.uid, isAlone: isAlone)
    }
  }

  // MARK: What this release cannot read

  private func keepUnread(_ message: Message) throws {
    try connection.run(
      """
      INSERT OR IGNORE INTO errand_hub_unread (name, entity, uid, delta) VALUES \
      (\(.blob(message.name.bytes)), \(.text(message.entity)), \(.blob(message.uid.bytes)), \
      \(.text(message.text)))
      """)
  }

  /// The number of changes of other machines that this release cannot read.
  package func unreadCount() throws -> Int {
    guard try hasJobTables else { return 0 }
    return Int(try connection.number("SELECT count(*) FROM errand_hub_unread") ?? 0)
  }

  /// Merges changes that an earlier release could not read.
  func readAgain(_ clock: inout HybridClock) throws {
    guard try unreadCount() > 0 else { return }
    let messages = try connection.map(
      "SELECT name, entity, uid, delta FROM errand_hub_unread ORDER BY name"
    ) { row -> Message? in
      guard let name = GlobalID(bytes: row.blob(0)), let uid = GlobalID(bytes: row.blob(2)) else {
        return nil
      }
      return Message(name: name, kind: .item, entity: row.text(1), uid: uid, text: row.text(3))
    }.compactMap { $0 }.filter { (try? DeltaCoder.delta($0.entity, $0.text)) != nil }
    guard !messages.isEmpty, let member = try membership() else { return }
    _ = try apply(messages, upTo: member.seen, named: member.seenName, &clock)
    try database.transaction {
      for message in messages {
        try connection.run(
          "DELETE FROM errand_hub_unread WHERE name = \(.blob(message.name.bytes))")
      }
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
  private func show(
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
  private func place(
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
  private func stored(withIdentity identity: String?, in table: EntityTable) throws -> Record? {
    guard let identity else { return nil }
    return try items.row(
      table.selectByIdentity, .text(identity), in: table, { try items.record($0, table) })
  }

  /// The row of a state; nil while a required value is missing.
  private func row(
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
    if case .int(let created)? = state.fields[Self.creation]?.register?.value {
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

  // MARK: References

  /// The deleted items that a living one requires, and which are not shown.
  private func deletedItems(
    requiredBy state: ItemState, in table: EntityTable
  ) throws -> [GlobalID] {
    try table.schema.properties.compactMap { property in
      guard !property.isOptional, case .entity = property.type,
        case .string(let text)? = state.fields[property.name]?.register?.value,
        let uid = try GlobalID(text: text).map(winner), let target = try known(uid),
        target.id == nil, target.life % 2 == 0
      else { return nil }
      return uid
    }
  }

  private func wait(_ uid: GlobalID, for target: GlobalID) throws {
    try connection.run(
      """
      INSERT OR IGNORE INTO errand_hub_waiting (target, uid) \
      VALUES (\(.blob(target.bytes)), \(.blob(uid.bytes)))
      """)
  }

  /// Shows the items again that waited for one that has come.
  func wake(_ target: GlobalID) throws {
    let waiting = try connection.map(
      "SELECT uid FROM errand_hub_waiting WHERE target = \(.blob(target.bytes))"
    ) { $0.blob(0) }.compactMap(GlobalID.init(bytes:))
    if waiting.isEmpty { return }
    try connection.run("DELETE FROM errand_hub_waiting WHERE target = \(.blob(target.bytes))")
    for uid in waiting { try showAgain(uid) }
  }

  private func expectNoneWaiting(for target: GlobalID) throws {
    let isAwaited = try connection.withStatement(
      "SELECT 1 FROM errand_hub_waiting WHERE target = ? LIMIT 1"
    ) {
      try $0.bind(.blob(target.bytes), at: 1)
      return try $0.step()
    }
    if isAwaited { throw NeedsOwnStep() }
  }

  /// Makes the row of an item show its state again.
  func showAgain(_ uid: GlobalID) throws {
    guard let known = try known(uid) else { return }
    let table = try sharedTable(known.entity)
    let record = try known.id.flatMap { id in
      try table.flatMap { try items.record(id: id, in: $0) }
    }
    let state = try state(of: known, record, in: table)
    _ = try show(state, of: known, record, in: table, isAlone: true)
  }

  // MARK: Deleting

  /// Removes the row of a deleted item, unless another one requires it.
  private func bury(
    _ state: ItemState, of known: Known, _ record: Record?, in table: EntityTable, isAlone: Bool
  ) throws -> Bool {
    var known = known
    guard let id = known.id else {
      // Kept for what needs it.
      if try isAwaited(known.uid) {
        return try place(state, of: known, nil, in: table, isAlone: isAlone)
      }
      try write(state, of: known, shown: nil)
      return false
    }
    if try isRequired(id, of: table.name) {
      try keepConflict(
        .needed, known, property: "", lost: "null", kept: "null", by: .none, over: .none)
      return try place(state, of: known, record, in: table, isAlone: isAlone)
    }
    guard isAlone else { throw NeedsOwnStep() }
    known.id = nil
    // Before the row goes, since what refers to it keeps its id.
    try write(state, of: known, shown: nil)
    try remove(id, of: table)
    return true
  }

  /// Deletes a row; what refers to it remembers the item, in case it comes back.
  private func remove(_ id: Int64, of table: EntityTable) throws {
    let referrers = try referrers(to: id, of: table.name)
    var states: [(Known, ItemState, Set<String>)] = []
    for (entity, row, column) in referrers {
      guard let known = try known(entity, id: row), let other = try sharedTable(entity),
        let record = try items.record(id: row, in: other)
      else { continue }
      let state = try state(of: known, record, in: other)
      states.append((known, state, [column]))
    }
    if let uid = try items.record(id: id, in: table)?.uid {
      for (known, _, _) in states { try wait(known.uid, for: uid) }
    }
    try items.delete(ItemReference(entity: table.name, id: id))
    for (known, state, hidden) in states {
      try write(state, of: known, shown: Set(state.fields.keys).subtracting(hidden))
    }
  }

  /// Removes the rows of deleted items that nothing needs any longer.
  func buryUnneeded() throws {
    let kept = try connection.map(
      "SELECT uid FROM errand_hub_items WHERE id IS NOT NULL AND life % 2 = 0"
    ) { $0.blob(0) }
    for uid in kept.compactMap(GlobalID.init(bytes:)) { try showAgain(uid) }
  }

  /// Shows what waited for a definition, if definitions have changed since the last call.
  package func followDefinitions(_ clock: inout HybridClock) throws {
    try readAgain(&clock)
    let known = try connection.storedLayouts().compactMap {
      try sharedTable($0.name)?.definition
    }.joined(separator: "\n")
    let mark = "\(known.utf8.count) \(known.utf8.reduce(5381 as UInt64) { $0 &* 33 ^ UInt64($1) })"
    guard try database.metadata("hub-definitions") != mark else { return }
    try asHub {
      try stage(&clock)
      let uids = try connection.map(
        """
        SELECT uid FROM errand_hub_items WHERE life % 2 = 1 AND (id IS NULL \
        OR json_type(state, '$.v') IS NOT NULL)
        """
      ) { $0.blob(0) }
      for uid in uids.compactMap(GlobalID.init(bytes:)) { try showAgain(uid) }
      try database.setMetadata("hub-definitions", to: mark)
    }
  }

  private func referrers(
    to id: Int64, of entity: String, requiredOnly: Bool = false
  ) throws -> [(entity: String, id: Int64, column: String)] {
    var found: [(entity: String, id: Int64, column: String)] = []
    for layout in try connection.storedLayouts() {
      for (column, target) in layout.references where target == entity {
        if requiredOnly, !layout.required.contains(column) { continue }
        let ids = try connection.numbers(
          "SELECT id FROM \(name: layout.name) WHERE \(name: column) = \(.int(id))")
        found += ids.map { (layout.name, $0, column) }
      }
      for (column, target) in layout.referenceLists where target == entity && !requiredOnly {
        let ids = try connection.numbers(
          """
          SELECT id FROM \(name: layout.name) WHERE EXISTS \
          (SELECT 1 FROM json_each(\(name: column)) WHERE value = \(.int(id)))
          """)
        found += ids.map { (layout.name, $0, column) }
      }
    }
    return found
  }

  private func isRequired(_ id: Int64, of entity: String) throws -> Bool {
    try !referrers(to: id, of: entity, requiredOnly: true).isEmpty
  }

  /// Whether an item that is not shown waits for this one.
  private func isAwaited(_ uid: GlobalID) throws -> Bool {
    try connection.exists(
      """
      SELECT 1 FROM errand_hub_waiting AS w JOIN errand_hub_items AS h ON h.uid = w.uid \
      WHERE w.target = \(.blob(uid.bytes)) AND h.id IS NULL AND h.life % 2 = 1
      """)
  }

  // MARK: Merging

  /// Makes two items one, after another machine found them to be the same.
  private func merge(_ loser: GlobalID, _ winner: GlobalID, of entity: String) throws -> Bool {
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
  private func mergeFound(_ one: GlobalID, _ other: GlobalID, of entity: String) throws -> Bool {
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
      guard let known = try known(uid) else { continue }
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
