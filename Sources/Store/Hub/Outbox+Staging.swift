import CEL
import Items
import JSON
import Replication

/// Staging: the unsent changes of this machine become messages, with stamps in the order of the log.
extension Outbox {
  /// The number of items staged in one transaction.
  private static let chunk = 5_000

  // MARK: The log

  /// A part of the log that became messages.
  struct Staged {
    var count = 0
    /// Whether it was the rest of the log.
    var isLast = true
    /// The items that an undo or the like brought back.
    var returned: [GlobalID] = []
  }

  /// Stages the next part of the log, within the open transaction.
  func stageLog(_ clock: inout HybridClock) throws -> Staged {
    var staged = Staged()
    let start = try cursor()
    let (changes, last, isLast) = try localChanges(after: start)
    guard last > start else { return staged }
    staged.isLast = isLast
    for change in changes where try stage(change, &clock, &staged.returned) { staged.count += 1 }
    try moveCursor(to: last)
    try remember(clock)
    return staged
  }

  /// The log entries of one item since the last staging.
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

  /// The changes of items in the next part of the log, in its order.
  private func localChanges(
    after start: Int64
  ) throws -> (changes: [LocalChange], last: Int64, isLast: Bool) {
    var changes: [LocalChange] = []
    var positions: [ItemReference: Int] = [:]
    var (last, entries) = (start, 0)
    func add(_ entity: String, _ id: Int64, at time: Int64, _ body: (inout LocalChange) -> Void) {
      let reference = ItemReference(entity: entity, id: id)
      let position = positions[reference] ?? changes.count
      if position == changes.count { changes.append(LocalChange(entity: entity, id: id)) }
      positions[reference] = position
      changes[position].time = time
      body(&changes[position])
    }
    try connection.rows(
      """
      SELECT sequence, time, kind, entity, id, last, before, after, cause FROM errand_changes \
      WHERE sequence > \(.int(start)) ORDER BY sequence
      """
    ) { row in
      last = row.int(0)
      entries += 1
      let (time, entity, id, cause) = (row.int(1), row.text(3), row.int(4), row.text(8))
      guard cause != HubStore.cause, cause != HubStore.joinCause,
        let kind = Change.Kind(rawValue: row.int(2))
      else { return entries < Self.chunk }
      switch kind {
      case .moveFile: break
      case .create: add(entity, id, at: time) { _ in }
      case .createMany:
        for id in try presentIDs(in: id...max(id, row.int(5)), of: entity) {
          add(entity, id, at: time) { _ in }
          entries += 1
        }
      case .update:
        let replaced = try LoggedColumns.read(row.text(6))
        add(entity, id, at: time) { change in
          for (name, value) in replaced {
            change.times[name] = time
            if change.before[name] == nil { change.before[name] = value }
          }
        }
      case .delete:
        let columns = try LoggedColumns.read(row.optionalText(row.isNull(6) ? 7 : 6))
        add(entity, id, at: time) { $0.deleted = columns }
      case .deleteMany:
        for (id, columns) in try ChangeLog.loggedItems(row.optionalText(row.isNull(6) ? 7 : 6)) {
          add(entity, id, at: time) { $0.deleted = columns }
          entries += 1
        }
      }
      return entries < Self.chunk
    }
    return (changes, last, entries < Self.chunk)
  }

  private func presentIDs(in ids: ClosedRange<Int64>, of entity: String) throws -> [Int64] {
    guard let table = try shared.table(entity), !table.isAbsent else { return [] }
    return try connection.numbers(
      """
      SELECT id FROM \(name: table.name) \
      WHERE id BETWEEN \(.int(ids.lowerBound)) AND \(.int(ids.upperBound)) ORDER BY id
      """)
  }

  /// Records the clock's last stamp.
  func remember(_ clock: HybridClock) throws {
    try database.hub.update { $0.lastStamp = clock.last }
  }

  // MARK: One item

  /// Stages one item; false if nothing of it is new to the hub.
  ///
  /// - Parameter returned: Receives the item if it was brought back.
  private func stage(
    _ change: LocalChange, _ clock: inout HybridClock, _ returned: inout [GlobalID]
  ) throws -> Bool {
    guard let table = try shared.table(change.entity), !table.isAbsent else { return false }
    let record = try items.record(id: change.id, in: table)
    let item =
      try shared.item(change.entity, id: change.id) ?? record?.uid.flatMap { try shared.item($0) }
    guard let record else {
      guard let item, item.id != nil, item.isAlive else { return false }
      try stageDeletion(of: item, change, in: table)
      return true
    }
    guard let item else { return try stageNew(record, of: table, at: change.time, &clock) }
    if item.id != nil, item.isAlive {
      return try stageUpdate(of: item, record, change, in: table, &clock)
    }
    // Brought back, as by an undo of its deletion.
    guard item.life < ItemState.lastLife - 2 else {
      return try stageNew(
        withNewUID(record, item, in: table), of: table, at: change.time, &clock)
    }
    returned.append(item.uid)
    return try stageNew(
      record, of: table, at: change.time, life: ItemState(life: item.life).nextLife, &clock)
  }

  /// Gives the row of an item that has used up its lives a new global id, as a new item.
  private func withNewUID(
    _ record: Record, _ item: SharedItem, in table: EntityTable
  ) throws -> Record {
    try shared.detach(item.uid)
    var record = record
    let uid = database.makeUID()
    record.uid = uid
    try shared.setUID(of: record.id, to: uid, in: table)
    return record
  }

  /// Stages an item that the hub lacks, or has as deleted.
  ///
  /// - Parameter isOld: Whether it existed before the machine joined.
  private func stageNew(
    _ record: Record, of table: EntityTable, at time: Int64, life: Int64 = 1, isOld: Bool = false,
    _ clock: inout HybridClock
  ) throws -> Bool {
    guard let uid = record.uid else { return false }
    let before = life > 1 ? try shared.item(uid).map { try shared.state(of: $0).stamp } : nil
    let stamp =
      isOld ? clock.stampOfOld(at: time) : clock.stamp(at: time, after: before ?? .none)
    var fields = [
      SharedItems.creation: FieldState(stamp, .int(record.createdAt?.microseconds ?? 0))
    ]
    for (index, property) in table.schema.properties.enumerated() where property.travels {
      // Null without a default is null everywhere.
      if case .null = record.values[index], property.defaultValue == nil { continue }
      fields[property.name] = shared.field(record.values[index], property, stamp)
    }
    let state = ItemState(life: life, fields: fields)
    try post(ItemDelta(table.name, state, base: stamp), of: uid)
    try shared.write(
      SharedItem(entity: table.name, uid: uid, id: record.id, life: life, base: stamp, text: nil))
    try shared.setDate(of: record.id, to: stamp, in: table)
    return true
  }

  private func stageUpdate(
    of item: SharedItem, _ record: Record, _ change: LocalChange, in table: EntityTable,
    _ clock: inout HybridClock
  ) throws -> Bool {
    // The item as it was staged or merged last.
    var old = record
    for (index, property) in table.schema.properties.enumerated() {
      guard let value = change.before[property.name] else { continue }
      old.values[index] = try database.codec.value(of: property.type, column: value)
    }
    if case .int(let created)? = change.before[SharedItems.creation] {
      old.createdAt = Timestamp(microseconds: created)
    }
    var state = try shared.state(of: item, old, in: table)
    let group = try shared.group(of: item.uid)
    let shownBefore = try shownState(state, of: item, group)
    var delta = ItemDelta(table.name, ItemState(life: item.life))
    for (name, time) in change.times.sorted(by: { ($0.value, $0.key) < ($1.value, $1.key) }) {
      let before = shownBefore.fields[name] ?? FieldState()
      func stamp() -> Stamp { clock.stamp(at: time, after: before.stamp) }
      if name == SharedItems.creation, old.createdAt != record.createdAt {
        delta.seen[name] = before.stamp
        delta.state.fields[name] = FieldState(
          stamp(), .int(record.createdAt?.microseconds ?? 0))
      }
      guard let index = table.layout.index(of: name), table.schema.properties[index].travels
      else { continue }
      let property = table.schema.properties[index]
      if property.isTextSet {
        let texts = SharedItems.texts(in: record.values[index])
        guard texts.map(ExactText.init) != before.texts.map(ExactText.init) else { continue }
        delta.state.fields[name] = Self.listChange(from: before.texts, to: texts, stamp())
      } else {
        let value = shared.outward(record.values[index], property.type)
        // A reference may have been cleared because its item is gone.
        let isChanged =
          property.type.referredEntity == nil
          ? before.register?.value != value
          : change.before[name]
            != LoggedColumns.value(
              of: database.codec.column(record.values[index], of: property.type))
        guard isChanged else { continue }
        delta.seen[name] = before.stamp
        delta.state.fields[name] = FieldState(stamp(), value)
      }
    }
    guard !delta.state.fields.isEmpty else {
      // Properties were changed and changed back.
      if change.times.keys.contains(where: { state.fields[$0] != nil }) {
        try shared.setDate(of: record.id, to: shownBefore.stamp, in: table)
      }
      return false
    }
    try post(delta, of: item.uid)
    state.join(delta.state)
    try shared.write(
      state, of: item,
      shown: group.first == item.uid && group.count > 1
        ? nil : try shown(state, item, changed: delta.state.fields.keys))
    try shared.setDate(of: record.id, to: try shownState(state, of: item, group).stamp, in: table)
    return true
  }

  /// The fields whose values the row holds after a local change: those it held, and the changed ones.
  private func shown(
    _ state: ItemState, _ item: SharedItem, changed: some Sequence<String>
  ) throws -> Set<String> {
    var hidden: Set<String> = []
    if let text = item.text, case .map(let map)? = try? JSONParser().parse(text),
      case .map(let values)? = map["v"]
    {
      for (key, _) in values.entries { if case .string(let name) = key { hidden.insert(name) } }
    }
    hidden.subtract(changed)
    return Set(state.fields.keys).subtracting(hidden)
  }

  /// The added and removed elements of a list, and its new order.
  private static func listChange(
    from old: [String], to new: [String], _ stamp: Stamp
  ) -> FieldState {
    var field = FieldState()
    field.order = FieldState.Order(stamp, new)
    let (now, before) = (Set(new.map(ExactText.init)), Set(old.map(ExactText.init)))
    for text in now.subtracting(before) { field.elements[text] = .init(stamp, isPresent: true) }
    for text in before.subtracting(now) { field.elements[text] = .init(stamp, isPresent: false) }
    return field
  }

  private func stageDeletion(
    of item: SharedItem, _ change: LocalChange, in table: EntityTable
  ) throws {
    var record = Record(id: item.id, values: try items.defaults(of: table))
    // The last state sent: edits since the last sync were deleted with the item.
    for (name, value) in (change.deleted ?? []) + change.before.map({ ($0.key, $0.value) }) {
      if name == SharedItems.creation, case .int(let created) = value {
        record.createdAt = Timestamp(microseconds: created)
      } else if let index = table.layout.index(of: name) {
        record.values[index] = try database.codec.value(
          of: table.schema.properties[index].type, column: value)
      }
    }
    for uid in [item.uid] + (try shared.losers(to: item.uid)) {
      let isShown = uid == item.uid
      guard var member = isShown ? item : try shared.item(uid), member.isAlive else { continue }
      var state = try shared.state(of: member, isShown ? record : nil, in: table)
      state.life = min(state.life, ItemState.lastLife - 1) + 1
      try post(
        ItemDelta(table.name, ItemState(life: state.life), lastSeen: state.stamp), of: uid)
      // The values stay: another item may require this one.
      member.id = nil
      try shared.write(state, of: member, shown: nil)
    }
  }

  /// The state that a row shows: of the item and of those that became one with it.
  private func shownState(
    _ state: ItemState, of item: SharedItem, _ group: [GlobalID]
  ) throws -> ItemState {
    guard group.first == item.uid, group.count > 1 else { return state }
    return .merged(
      try [state]
        + group.dropFirst().compactMap { try shared.item($0) }.map { try shared.state(of: $0) })
  }

  // MARK: Items from before

  /// Stages all items that the hub lacks, when a machine joins.
  func stageOldItems(_ clock: inout HybridClock) throws -> Int {
    var count = 0
    for entity in try connection.storedLayouts().map(\.name) {
      guard let table = try shared.table(entity), !table.isAbsent else { continue }
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
            if try stageNew(record, of: table, at: time, isOld: true, &clock) { count += 1 }
          }
        }
      }
    }
    try database.hub.update { $0.isWhole = true }
    return count
  }

  /// Writes the whole state of all items to the outbox, for a hub that was restored from a backup.
  func stageEverything() throws {
    var last: [UInt8] = []
    while true {
      let uids = try shared.uids(
        """
        SELECT uid FROM errand_hub_items WHERE uid > \(.blob(last)) ORDER BY uid \
        LIMIT \(.int(Int64(Self.chunk)))
        """)
      guard let end = uids.last else { break }
      last = end.bytes
      try database.transaction {
        for uid in uids {
          guard let loaded = try shared.load(uid) else { continue }
          let delta = ItemDelta(loaded.item.entity, loaded.state, base: loaded.item.base)
          try post(delta, of: uid)
        }
      }
    }
    try database.transaction {
      for (loser, winner) in try shared.united() {
        guard let item = try shared.item(loser) else { continue }
        try postMerge(of: loser, into: winner, entity: item.entity)
      }
    }
  }
}
