import CEL
import Items
import JSON
package import Replication

extension HubStore {
  /// The entries of the log for one item since the last staging.
  private struct LocalChange {
    let entity: String
    let id: Int64
    /// The time of the last entry, in microseconds since 1970.
    var time: Int64 = 0
    /// The time of the last change of each property.
    var times: [String: Int64] = [:]
    /// The first replaced value of each property.
    var before: [String: Value] = [:]
    /// The columns of the item when it was deleted last.
    var deleted: [(name: String, value: Value)]?
  }

  /// The number of items staged in one transaction.
  private static let chunk = 5_000

  /// Writes the unsent changes of this machine to the outbox, with stamps in the order of the log.
  ///
  /// Called before changes of others are merged, so that an item's row holds what its state says.
  /// - Returns: The number of messages written, and the jobs of the hub that have ended: all their
  ///   changes are in the outbox.
  @discardableResult
  package func stage(_ clock: inout HybridClock) throws -> (count: Int, ended: [HubJobEnd]) {
    var count = 0
    if try membership()?.isWhole == false { count += try stageOldItems(&clock) }
    while true {
      let (staged, isOver, ended) = try asHub {
        let (staged, isOver) = try stageLog(&clock)
        return (staged, isOver, isOver ? try endedJobs() : [])
      }
      count += staged
      guard isOver else { continue }
      if count > 0 { try asHub { try buryUnneeded() } }
      return (count, ended)
    }
  }

  // MARK: The log

  private func stageLog(_ clock: inout HybridClock) throws -> (count: Int, isOver: Bool) {
    let start = try cursorPosition()
    var last = start
    var changes: [String: [Int64: LocalChange]] = [:]
    var order: [(entity: String, id: Int64)] = []
    var entries = 0
    func note(_ entity: String, _ id: Int64, _ time: Int64, _ body: (inout LocalChange) -> Void) {
      var change = changes[entity]?[id] ?? LocalChange(entity: entity, id: id)
      if changes[entity]?[id] == nil { order.append((entity, id)) }
      change.time = time
      body(&change)
      changes[entity, default: [:]][id] = change
    }
    try connection.rows(
      """
      SELECT sequence, time, kind, entity, id, last, before, after, cause FROM errand_changes \
      WHERE sequence > \(.int(start)) ORDER BY sequence
      """
    ) { row in
      last = row.int(0)
      entries += 1
      let cause = row.text(8)
      guard cause != Self.cause, cause != Self.joinCause,
        let kind = Change.Kind(rawValue: row.int(2))
      else {
        return entries < Self.chunk
      }
      let (time, entity, id) = (row.int(1), row.text(3), row.int(4))
      switch kind {
      case .moveFile: break
      case .create: note(entity, id, time) { _ in }
      case .createMany:
        for id in try presentIDs(in: id...max(id, row.int(5)), of: entity) {
          note(entity, id, time) { _ in }
          entries += 1
        }
      case .update:
        let replaced = try LoggedColumns.read(row.text(6))
        note(entity, id, time) { change in
          for (name, value) in replaced {
            change.times[name] = time
            if change.before[name] == nil { change.before[name] = value }
          }
        }
      case .delete:
        let columns = try LoggedColumns.read(row.optionalText(row.isNull(6) ? 7 : 6))
        note(entity, id, time) { $0.deleted = columns }
      case .deleteMany:
        for (id, columns) in try ChangeLog.loggedItems(row.optionalText(row.isNull(6) ? 7 : 6)) {
          note(entity, id, time) { $0.deleted = columns }
          entries += 1
        }
      }
      return entries < Self.chunk
    }
    guard last > start else { return (0, true) }
    var count = 0
    var returned: [GlobalID] = []
    for (entity, id) in order {
      guard let change = changes[entity]?[id] else { continue }
      if try stage(change, &clock, returned: &returned) { count += 1 }
    }
    for uid in returned {
      let winner = try winner(of: uid)
      let losers = try losers(to: winner)
      if let entity = try known(uid)?.entity, winner != uid || !losers.isEmpty {
        _ = try showMerged(winner, losers, of: entity)
      }
      try wake(uid)
    }
    try moveCursor(to: last)
    try remember(clock)
    return (count, entries < Self.chunk)
  }

  private func presentIDs(in ids: ClosedRange<Int64>, of entity: String) throws -> [Int64] {
    guard let table = try sharedTable(entity), !table.isAbsent else { return [] }
    return try connection.numbers(
      """
      SELECT id FROM \(name: table.name) \
      WHERE id BETWEEN \(.int(ids.lowerBound)) AND \(.int(ids.upperBound)) ORDER BY id
      """)
  }

  func remember(_ clock: HybridClock) throws {
    guard var member = try membership(), member.lastStamp != clock.last else { return }
    member.lastStamp = clock.last
    try setMembership(member)
  }

  /// Stages one item; false if nothing of it is new to the hub.
  ///
  /// - Parameter returned: Receives the item if it was brought back.
  private func stage(
    _ change: LocalChange, _ clock: inout HybridClock, returned: inout [GlobalID]
  ) throws -> Bool {
    guard let table = try sharedTable(change.entity), !table.isAbsent else { return false }
    let record = try items.record(id: change.id, in: table)
    var known = try known(change.entity, id: change.id)
    if known == nil, let uid = record?.uid { known = try self.known(uid) }
    switch (record, known) {
    case (let record?, nil): return try stageNew(record, of: table, change.time, &clock)
    case (let record?, let known?):
      if known.id == nil || known.life % 2 == 0 {
        // Brought back, as by an undo of its deletion.
        guard known.life < ItemState.lastLife - 2 else {
          return try stageNew(renamed(record, known, in: table), of: table, change.time, &clock)
        }
        let life = known.life + (known.life % 2 == 0 ? 1 : 2)
        returned.append(known.uid)
        return try stageNew(record, of: table, life: life, change.time, &clock)
      }
      return try stageUpdate(of: record, known, change, in: table, &clock)
    case (nil, let known?):
      guard known.id != nil, known.life % 2 != 0 else { return false }
      return try stageDeletion(of: known, change, in: table, &clock)
    case (nil, nil): return false
    }
  }

  /// Stages an item that the hub does not have, or has as deleted.
  private func stageNew(
    _ record: Record, of table: EntityTable, life: Int64 = 1, _ time: Int64,
    _ clock: inout HybridClock, isOld: Bool = false
  ) throws -> Bool {
    guard let uid = record.uid else { return false }
    let before = life > 1 ? try known(uid).map { try state(of: $0, nil, in: nil).stamp } : nil
    let stamp =
      isOld ? clock.stampOfOld(at: time) : clock.stamp(at: time, after: before ?? .none)
    var fields = [
      Self.creation: FieldState(stamp, .int(record.createdAt?.microseconds ?? 0))
    ]
    for (index, property) in table.schema.properties.enumerated() where property.travels {
      // What is null without a default is null everywhere.
      if case .null = record.values[index], property.defaultValue == nil { continue }
      fields[property.name] = field(record.values[index], property, stamp)
    }
    let delta = ItemDelta(table.name, ItemState(life: life, fields: fields), base: stamp)
    try post(.item, table.name, uid, DeltaCoder.text(of: delta))
    try write(
      Known(entity: table.name, uid: uid, id: record.id, life: life, base: stamp, text: nil))
    try setDate(of: record.id, to: stamp, in: table)
    return true
  }

  private func stageUpdate(
    of record: Record, _ known: Known, _ change: LocalChange, in table: EntityTable,
    _ clock: inout HybridClock
  ) throws -> Bool {
    // The item as it was staged or merged last.
    var old = record
    for (index, property) in table.schema.properties.enumerated() {
      guard let value = change.before[property.name] else { continue }
      old.values[index] = try codec.value(of: property.type, column: value)
    }
    if case .int(let created)? = change.before[Self.creation] {
      old.createdAt = Timestamp(microseconds: created)
    }
    var state = try state(of: known, old, in: table)
    let shownBefore = try shownState(state, of: known)
    var delta = ItemDelta(table.name, ItemState(life: known.life))
    for (name, time) in change.times.sorted(by: { ($0.value, $0.key) < ($1.value, $1.key) }) {
      let stampOfField = shownBefore.fields[name]?.stamp ?? .none
      if name == Self.creation, old.createdAt != record.createdAt {
        let value = Value.int(record.createdAt?.microseconds ?? 0)
        delta.seen[name] = stampOfField
        delta.state.fields[name] = FieldState(clock.stamp(at: time, after: stampOfField), value)
      }
      guard let index = table.layout.index(of: name), table.schema.properties[index].travels
      else { continue }
      let property = table.schema.properties[index]
      if property.isTextSet {
        guard
          let changed = listChange(
            from: shownBefore.fields[name] ?? FieldState(), to: record.values[index],
            { clock.stamp(at: time, after: stampOfField) })
        else { continue }
        delta.state.fields[name] = changed
      } else {
        let value = outward(record.values[index], property.type)
        // A reference may have been cleared because its item is gone.
        let isChanged =
          property.type.referredEntity == nil
          ? shownBefore.fields[name]?.register?.value != value
          : change.before[name]
            != LoggedColumns.value(of: codec.column(record.values[index], of: property.type))
        guard isChanged else { continue }
        delta.seen[name] = stampOfField
        delta.state.fields[name] = FieldState(clock.stamp(at: time, after: stampOfField), value)
      }
    }
    if delta.state.fields.isEmpty {
      // What was changed and changed back.
      if change.times.keys.contains(where: { state.fields[$0] != nil }) {
        try setDate(of: record.id, to: try shownState(state, of: known).stamp, in: table)
      }
      return false
    }
    try post(.item, table.name, known.uid, DeltaCoder.text(of: delta))
    state.join(delta.state)
    let isMerged = try !losers(to: known.uid).isEmpty
    try write(
      state, of: known,
      shown: isMerged ? nil : try shown(state, known, changed: delta.state.fields.keys))
    try setDate(of: record.id, to: try shownState(state, of: known).stamp, in: table)
    return true
  }

  /// The fields whose values the row holds after a local change: those it held, and the changed ones.
  private func shown(
    _ state: ItemState, _ known: Known, changed: some Sequence<String>
  ) throws -> Set<String> {
    var hidden: Set<String> = []
    if let text = known.text, case .map(let map)? = try? JSONParser().parse(text),
      case .map(let values)? = map["v"]
    {
      for (key, _) in values.entries { if case .string(let name) = key { hidden.insert(name) } }
    }
    hidden.subtract(changed)
    return Set(state.fields.keys).subtracting(hidden)
  }

  /// The added and removed elements of a list, and its new order; nil for an equal list.
  private func listChange(
    from old: FieldState, to value: Value, _ stamp: () -> Stamp
  ) -> FieldState? {
    let texts: [String] = if case .list(let values) = value { Self.texts(values) } else { [] }
    let known = old.texts
    guard texts.map(ExactText.init) != known.map(ExactText.init) else { return nil }
    let stamp = stamp()
    var field = FieldState()
    field.order = FieldState.Order(stamp, texts)
    let (now, before) = (Set(texts.map(ExactText.init)), Set(known.map(ExactText.init)))
    for text in now.subtracting(before) { field.elements[text] = .init(stamp, isPresent: true) }
    for text in before.subtracting(now) { field.elements[text] = .init(stamp, isPresent: false) }
    return field
  }

  private func stageDeletion(
    of known: Known, _ change: LocalChange, in table: EntityTable, _ clock: inout HybridClock
  ) throws -> Bool {
    var record = Record(id: known.id, values: try items.defaults(of: table))
    // As the others know it: edits since the last sync went with the item.
    for (name, value) in (change.deleted ?? []) + change.before.map({ ($0.key, $0.value) }) {
      if name == Self.creation, case .int(let created) = value {
        record.createdAt = Timestamp(microseconds: created)
      } else if let index = table.layout.index(of: name) {
        record.values[index] = try codec.value(
          of: table.schema.properties[index].type, column: value)
      }
    }
    for uid in [known.uid] + (try losers(to: known.uid)) {
      guard var member = uid == known.uid ? known : try self.known(uid), member.life % 2 != 0
      else { continue }
      var state = try state(of: member, uid == known.uid ? record : nil, in: table)
      state.life = min(state.life, ItemState.lastLife - 1) + 1
      let delta = ItemDelta(
        table.name, ItemState(life: state.life), lastSeen: state.stamp)
      try post(.item, table.name, uid, DeltaCoder.text(of: delta))
      // The values stay: another item may need this one.
      member.id = nil
      try write(state, of: member, shown: nil)
    }
    return true
  }

  /// Sets `updatedAt` to the time by which all machines know the item.
  func setDate(of id: Int64?, to stamp: Stamp, in table: EntityTable) throws {
    try connection.run(
      """
      UPDATE \(name: table.name) SET updatedAt = \(.int(stamp.time)) WHERE id = \(.int(id ?? 0))
      """)
  }

  /// The state that a row shows: of the item and of those that became one with it.
  private func shownState(_ state: ItemState, of known: Known) throws -> ItemState {
    let others = try losers(to: known.uid)
    if others.isEmpty { return state }
    return .merged(
      try [state]
        + others.compactMap { try self.known($0) }.map { try self.state(of: $0, nil, in: nil) })
  }

  // MARK: Items from before

  /// Stages all items that the hub does not know, when a machine joins.
  private func stageOldItems(_ clock: inout HybridClock) throws -> Int {
    var count = 0
    for entity in try connection.storedLayouts().map(\.name) {
      guard let table = try sharedTable(entity), !table.isAbsent else { continue }
      var last: Int64 = 0
      while true {
        let records = try connection.map(
          """
          \(raw: table.select) WHERE t.id > \(.int(last)) AND NOT EXISTS (SELECT 1 \
          FROM errand_hub_items AS h WHERE h.entity = \(.text(entity)) AND h.id = t.id) \
          ORDER BY t.id LIMIT \(.int(Int64(Self.chunk)))
          """
        ) { try items.record($0, table) }
        guard let end = records.last?.id else { break }
        last = end
        try database.transaction {
          for record in records {
            let time = record.updatedAt?.microseconds ?? 0
            if try stageNew(record, of: table, time, &clock, isOld: true) { count += 1 }
          }
        }
      }
    }
    guard var member = try membership() else { return count }
    member.isWhole = true
    try database.transaction { try setMembership(member) }
    return count
  }

  /// Writes the whole state of all items to the outbox, for a hub that was restored from a backup.
  package func stageEverything() throws -> Int {
    var count = 0
    var last: [UInt8] = []
    while true {
      let uids = try connection.map(
        """
        SELECT uid FROM errand_hub_items WHERE uid > \(.blob(last)) ORDER BY uid \
        LIMIT \(.int(Int64(Self.chunk)))
        """
      ) { $0.blob(0) }
      guard let end = uids.last else { break }
      last = end
      try database.transaction {
        for uid in uids.compactMap(GlobalID.init(bytes:)) {
          guard let known = try known(uid) else { continue }
          let table = try sharedTable(known.entity)
          let record = try known.id.flatMap { id in
            try table.flatMap { try items.record(id: id, in: $0) }
          }
          let state = try state(of: known, record, in: table)
          let delta = ItemDelta(known.entity, state, base: known.base)
          try post(.item, known.entity, uid, DeltaCoder.text(of: delta))
          count += 1
        }
      }
    }
    try database.transaction {
      for (loser, winner) in try connection.map(
        "SELECT loser, winner FROM errand_hub_merged", { ($0.blob(0), $0.blob(1)) })
      {
        guard let loser = GlobalID(bytes: loser), let winner = GlobalID(bytes: winner),
          let known = try known(loser)
        else { continue }
        try post(.merge, known.entity, loser, "\"\(winner.text)\"")
      }
    }
    return count
  }
}
