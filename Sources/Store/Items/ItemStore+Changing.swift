package import CEL
package import Items

extension ItemStore {
  /// Sets properties and adds or removes list elements, in one step.
  ///
  /// - Parameter isMerged: Whether the values come from a merge, so that when and where it takes place is not checked.
  /// - Throws: `notFound`, `invalidValue`, `conflict` when another item has the new identity.
  package func update(
    _ reference: ItemReference, set: [(name: String, value: Value)] = [],
    add: [(name: String, value: Value)] = [], remove: [(name: String, value: Value)] = [],
    isMerged: Bool = false
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
        let isTags = table.schema.properties[index].areTags
        changed.values[index] = .list(united(old, given, ignoringCase: isTags))
      }
      for (name, value) in remove {
        let (index, old, given) = try list(name, value, of: changed, in: table)
        let isTags = table.schema.properties[index].areTags
        changed.values[index] = .list(old.filter { !contains(given, $0, ignoringCase: isTags) })
      }
      try expectAcyclic(stored, changed, in: table)
      if !isMerged {
        try expectTimes(stored, changed, in: table)
        try expectWritableCalendar(stored, changed, in: table)
      }
      try repeatDone(stored, &changed, in: table)
      try change(stored, to: &changed, in: table)
      return Item(changed, layout: table.layout)
    }
  }

  /// The position of a list property, its elements, and the given ones; a single value is a list of
  /// one.
  private func list(
    _ name: String, _ value: Value, of record: Record, in table: EntityTable
  ) throws -> (Int, [Value], [Value]) {
    let index = try settableIndex(of: name, in: table)
    let property = table.schema.properties[index]
    guard case .list = property.type else {
      throw StoreError(
        .invalidValue, "\(table.name).\(name) is not a list: set it instead of adding or removing")
    }
    let elements: Value =
      switch value {
      case .list: value
      case .null: .list([])
      default: .list([value])
      }
    guard case .list(let given) = try fit(elements, to: property, of: table) else {
      return (index, [], [])
    }
    if case .list(let old) = record.values[index] { return (index, old, given) }
    return (index, [], given)
  }

  /// Writes the differences between a stored record and its new form, and sets `updatedAt`.
  ///
  /// - Parameter time: The time of the change; nil for now.
  /// - Throws: `conflict` when another item has the new identity.
  func change(
    _ stored: Record, to changed: inout Record, at time: Timestamp? = nil, in table: EntityTable
  ) throws {
    guard let id = stored.id else { return }
    let properties = table.schema.properties
    let different = properties.indices.filter { !isSame(stored.values[$0], changed.values[$0]) }
    let isRedated = stored.createdAt != changed.createdAt
    guard !different.isEmpty || isRedated else { return }
    for index in different { try expectLimits(changed.values[index], properties[index], of: table) }
    try expectKeptFile(changed.values, changed: different, in: table)
    changed.updatedAt = Timestamp(microseconds: (time ?? context.world.now()).microseconds)

    let lists = isRedated ? table.indexedLists : table.indexedLists.filter(different.contains)
    let text = table.searched.contains(where: different.contains)
    try unindex(stored, in: table, lists: lists, text: text)
    var assignments: [SQL] = different.map { index in
      let column = codec.stored(changed.values[index], of: properties[index])
      return "\(name: properties[index].name) = \(column)"
    }
    assignments.append("updatedAt = \(.int(changed.updatedAt?.microseconds ?? 0))")
    if isRedated { assignments.append("createdAt = \(.int(changed.createdAt?.microseconds ?? 0))") }
    if table.identity.contains(where: different.contains) {
      let identity = identity(of: changed.values, in: table)
      try expectFree(identity, except: id, in: table)
      assignments.append("_identity = \(.optional(identity))")
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

  /// Checks that no other item has an identity.
  ///
  /// - Throws: `conflict`.
  func expectFree(_ identity: String?, except id: Int64, in table: EntityTable) throws {
    guard
      let other = try connection.number(
        """
        SELECT id FROM \(name: table.name) \
        WHERE _identity = \(.optional(identity)) AND id <> \(.int(id))
        """)
    else { return }
    throw StoreError(
      .conflict,
      "this \(table.name) already exists: \(ItemReference(entity: table.name, id: other))")
  }

  /// Records a use of an item for ranking; `updatedAt` does not change.
  ///
  /// The score has a half-life of 30 days and is stored as the moment at which it falls to 1.
  /// - Throws: `notFound`.
  package func recordUse(of reference: ItemReference, as use: Use) throws {
    let table = try database.table(reference.entity)
    let now = context.world.now().microseconds
    // Not synced: ranking data may be lost in a power cut, though not in a crash.
    try connection.transaction(waitsForDisk: false) {
      let stored = try connection.number(
        "SELECT coalesce(_frecency, -1) FROM \(name: table.name) WHERE id = \(.int(reference.id))")
      guard let date = stored else { throw StoreError(.notFound, "there is no \(reference)") }
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
  /// - Returns: The updated items.
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

  /// The number of items changed between updates of the text index.
  private static let batchSize = 5_000

  /// Processes values in batches, since FTS5 is faster in the order of row ids.
  private func inBatches<Element>(_ values: [Element], _ body: (Element) throws -> Void) throws {
    for start in stride(from: 0, to: values.count, by: Self.batchSize) {
      let batch = values[start..<min(values.count, start + Self.batchSize)]
      try withImportBatch { for value in batch { try body(value) } }
    }
  }

  /// Replaces elements, such as tags, of an indexed list of texts in all items that have them.
  ///
  /// Duplicates are removed.
  /// - Returns: The number of changed items.
  /// - Throws: `invalidValue` for a property that is not a list with `index`, or for an element
  ///   that does not fit.
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
        ids.formUnion(
          try connection.numbers("SELECT id FROM \(name: list) WHERE value = \(.text(element))"))
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
