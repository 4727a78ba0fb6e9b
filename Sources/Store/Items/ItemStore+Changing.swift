package import CEL
package import Items

extension ItemStore {
  /// Sets properties, and adds to and takes out of lists, in one step.
  ///
  /// - Throws: `notFound`, `invalidValue`, `conflict` when the identity becomes another item's.
  package func update(
    _ reference: ItemReference, set: [(name: String, value: Value)] = [],
    add: [(name: String, value: Value)] = [], remove: [(name: String, value: Value)] = []
  ) throws -> Item {
    _ = try database.table(reference.entity)
    return try database.transaction {
      let table = try database.table(reference.entity)
      guard let stored = try record(id: reference.id, in: table) else {
        throw StoreError(.notFound, "there is no \(reference)")
      }
      var changed = stored
      for (name, value) in set {
        let index = try settableIndex(of: name, in: table)
        changed.values[index] = try fit(value, to: table.schema.properties[index], of: table)
      }
      for (name, value) in add {
        let (index, old, given) = try list(name, value, of: changed, in: table)
        changed.values[index] = .list(united(old, given))
      }
      for (name, value) in remove {
        let (index, old, given) = try list(name, value, of: changed, in: table)
        changed.values[index] = .list(old.filter { !contains(given, $0) })
      }
      try change(stored, to: &changed, in: table)
      return Item(changed, layout: table.layout)
    }
  }

  /// A list property's position, its elements, and the given ones (one alone is a list of one).
  private func list(
    _ name: String, _ value: Value, of record: Record, in table: EntityTable
  ) throws -> (Int, [Value], [Value]) {
    let index = try settableIndex(of: name, in: table)
    let property = table.schema.properties[index]
    guard case .list = property.type else {
      throw StoreError(
        .invalidValue, "\(table.name).\(name) is no list, so nothing can be added or removed")
    }
    var value = value
    switch value {
    case .list: break
    case .null: value = .list([])
    default: value = .list([value])
    }
    guard case .list(let given) = try fit(value, to: property, of: table) else {
      return (index, [], [])
    }
    if case .list(let old) = record.values[index] { return (index, old, given) }
    return (index, [], given)
  }

  /// Writes what differs between a stored record and its new form, and moves `updatedAt`.
  ///
  /// - Throws: `conflict` when the identity becomes another item's.
  func change(_ stored: Record, to changed: inout Record, in table: EntityTable) throws {
    guard let id = stored.id else { return }
    let properties = table.schema.properties
    let different = properties.indices.filter { !isSame(stored.values[$0], changed.values[$0]) }
    let isRedated = stored.createdAt != changed.createdAt
    guard !different.isEmpty || isRedated else { return }
    for index in different { try expectLimits(changed.values[index], properties[index], of: table) }
    try expectKeptFile(changed.values, changed: different, in: table)
    changed.updatedAt = Timestamp(microseconds: context.now().microseconds)

    let lists = isRedated ? table.indexedLists : table.indexedLists.filter(different.contains)
    let text = table.searched.contains(where: different.contains)
    try unindex(stored, in: table, lists: lists, text: text)
    var assignments: [SQL] = different.map { index in
      let column = codec.stored(changed.values[index], of: properties[index])
      return "\(name: properties[index].name) = \(column)"
    }
    assignments.append("updatedAt = \(.int(changed.updatedAt?.microseconds ?? 0))")
    if isRedated {
      assignments.append("createdAt = \(.int(changed.createdAt?.microseconds ?? 0))")
    }
    if table.identity.contains(where: different.contains) {
      let identity = identity(of: changed.values, in: table)
      try expectFree(identity, except: id, in: table)
      assignments.append("_identity = \(identity.map(SQLValue.text) ?? .null)")
    }
    try connection.run(
      """
      UPDATE \(name: table.name) SET \(SQL.joined(assignments, separator: ", ")) \
      WHERE id = \(.int(id))
      """)
    try reindex(changed, in: table, lists: lists, text: text)
    var before = database.changes.logged(stored, different, in: table)
    var after = database.changes.logged(changed, different, in: table)
    if isRedated {
      before.append(("createdAt", .int(stored.createdAt?.microseconds ?? 0)))
      after.append(("createdAt", .int(changed.createdAt?.microseconds ?? 0)))
    }
    try database.changes.log(.update, table.name, id: id, before: before, after: after)
  }

  /// Expects that no other item has an identity.
  ///
  /// - Throws: `conflict`.
  func expectFree(_ identity: String?, except id: Int64, in table: EntityTable) throws {
    guard let identity,
      let other = try connection.number(
        """
        SELECT id FROM \(name: table.name) \
        WHERE _identity = \(.text(identity)) AND id <> \(.int(id))
        """)
    else { return }
    throw StoreError(
      .conflict,
      "\(ItemReference(entity: table.name, id: other)) is the same \(table.name) already")
  }

  /// Counts a use of an item for ranking; `updatedAt` stays as it is.
  ///
  /// The score halves in 30 days and is kept as the moment at which it falls to 1.
  /// - Throws: `notFound`.
  package func recordUse(of reference: ItemReference, as use: Use) throws {
    let table = try database.table(reference.entity)
    let now = context.now().microseconds
    // A count for ranking is no item: a power cut may take it, a killed process never does.
    try connection.withoutWaitingForDisk {
      let stored = try connection.number(
        """
        SELECT coalesce(_frecency, -1) FROM \(name: table.name) \
        WHERE id = \(.int(reference.id))
        """)
      guard let date = stored else {
        throw StoreError(.notFound, "there is no \(reference)")
      }
      let frecency = Frecency.date(afterUseAt: now, weight: use.weight, before: date)
      try connection.run(
        """
        UPDATE \(name: table.name) SET _frecency = \(.int(frecency)), _used = \(.int(now)) \
        WHERE id = \(.int(reference.id))
        """)
    }
  }

  // MARK: Many items

  /// Changes several items in the same way, in one transaction.
  ///
  /// - Returns: The items as they are now.
  /// - Throws: `notFound`, `invalidValue`, `conflict`; nothing is changed then.
  package func update(
    all references: [ItemReference], set: [(name: String, value: Value)],
    add: [(name: String, value: Value)], remove: [(name: String, value: Value)]
  ) throws -> [Item] {
    var items: [Item] = []
    items.reserveCapacity(references.count)
    for entity in Set(references.map(\.entity)) { _ = try database.table(entity) }
    try database.transaction {
      try inBatches(references) { reference in
        items.append(try update(reference, set: set, add: add, remove: remove))
      }
    }
    return items
  }

  /// How many items are changed before the text index is brought up to date.
  private static let batchSize = 5_000

  /// Works on values in batches, whose texts FTS5 takes faster in the order of their numbers.
  private func inBatches<Element>(
    _ values: [Element], _ body: (Element) throws -> Void
  ) throws {
    for start in stride(from: 0, to: values.count, by: Self.batchSize) {
      let batch = values[start..<min(values.count, start + Self.batchSize)]
      try withImportBatch { for value in batch { try body(value) } }
    }
  }

  /// Replaces elements of an indexed list of texts in all items that have them, such as tags.
  ///
  /// An element that is there already is not repeated.
  /// - Returns: How many items were changed.
  /// - Throws: `invalidValue` for a property that is no list with `index`, or an element that does
  ///   not fit.
  package func replaceElements(
    _ replacements: [String: String?], of property: String, in entity: String
  ) throws -> Int {
    _ = try database.table(entity)
    return try database.transaction {
      let table = try database.table(entity)
      let list = try listTable(of: property, in: table)
      let index = try settableIndex(of: property, in: table)
      var ids: Set<Int64> = []
      for element in replacements.keys {
        try connection.rows("SELECT id FROM \(name: list) WHERE value = \(.text(element))") {
          row in
          ids.insert(row.int(0))
          return true
        }
      }
      try inBatches(ids.sorted()) { id in
        guard let stored = try record(id: id, in: table),
          case .list(let elements) = stored.values[index]
        else { return }
        var changed = stored
        var seen: Set<String> = []
        let replaced = elements.compactMap { element -> Value? in
          guard case .string(let text) = element else { return element }
          guard let new = replacements[text] ?? text else { return nil }
          return seen.insert(new).inserted ? .string(new) : nil
        }
        changed.values[index] = try fit(
          .list(replaced), to: table.schema.properties[index], of: table)
        try change(stored, to: &changed, in: table)
      }
      return ids.count
    }
  }
}
