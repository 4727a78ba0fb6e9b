import CEL
import Items
import JSON
import Replication

/// References between shared items, and what deleting one does to others.
extension HubStore {
  /// The deleted items that a living one requires, and which are not shown.
  func deletedItems(
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

  /// Shows an item again once another one has come.
  func wait(_ uid: GlobalID, for target: GlobalID) throws {
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

  /// Checks that no item waits for this one.
  ///
  /// - Throws: `NeedsOwnStep` if one does.
  func expectNoneWaiting(for target: GlobalID) throws {
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
  func bury(
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
  func remove(_ id: Int64, of table: EntityTable) throws {
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

  /// The rows that refer to a row, with the columns that do.
  func referrers(
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

  /// Whether a row requires this one.
  func isRequired(_ id: Int64, of entity: String) throws -> Bool {
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
}
