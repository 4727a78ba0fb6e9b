import CEL
import Items
import Replication

/// References between shared items, and the effect of deleting one on others.
extension Merger {
  /// The deleted items without a row that a living one requires.
  func deletedItems(requiredBy state: ItemState, in table: EntityTable) throws -> [GlobalID] {
    try table.schema.properties.compactMap { property in
      guard !property.isOptional, case .entity = property.type,
        case .string(let text)? = state.fields[property.name]?.register?.value,
        let uid = try GlobalID(text: text).map(shared.winner),
        let target = try shared.item(uid), target.id == nil, !target.isAlive
      else { return nil }
      return uid
    }
  }

  /// Shows the items anew that awaited this one.
  func showAwaiting(_ target: GlobalID) throws {
    for uid in try shared.takeAwaiting(target) { try show(uid) }
  }

  // MARK: Deleting

  /// Removes the row of a deleted item, unless another item requires it.
  func removeRow(_ loaded: SharedItem.Loaded, of table: EntityTable) throws -> Bool {
    guard let id = loaded.item.id else {
      // An item that requires it is hidden as long as it has no row.
      if try shared.hidesOthers(loaded.item.uid) { return try writeRow(loaded, of: table) }
      try shared.write(loaded.state, of: loaded.item, shown: nil)
      return false
    }
    if try isRequired(id, of: table.name) {
      try conflicts.record(.needed, of: loaded.item)
      return try writeRow(loaded, of: table)
    }
    try expectOwnStep()
    var item = loaded.item
    item.id = nil
    // Before the row goes, since referring items keep its id.
    try shared.write(loaded.state, of: item, shown: nil)
    try remove(id, of: table)
    return true
  }

  /// Deletes a row; referring items keep its global id, so that a revival restores the reference.
  func remove(_ id: Int64, of table: EntityTable) throws {
    let uid = try items.record(id: id, in: table)?.uid
    let referring = try referrers(to: id, of: table.name).compactMap { entity, row, column in
      try shared.item(entity, id: row).map { (try shared.load($0), column) }
    }.filter { $0.0.record != nil }
    if let uid { for (loaded, _) in referring { try shared.addAwaiting(uid, by: loaded.item.uid) } }
    try items.delete(ItemReference(entity: table.name, id: id))
    for (loaded, column) in referring {
      try shared.write(
        loaded.state, of: loaded.item, shown: Set(loaded.state.fields.keys).subtracting([column]))
    }
  }

  /// Removes the rows of deleted items that no item requires any longer.
  func hideUnrequired() throws {
    let shown: SQL =
      "SELECT uid FROM errand_hub_items WHERE id IS NOT NULL AND \(SharedItems.deleted)"
    for uid in try shared.uids(shown) { try show(uid) }
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
}
