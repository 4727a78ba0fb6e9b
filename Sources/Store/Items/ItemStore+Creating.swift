package import CEL
package import Items

extension ItemStore {
  /// Creates an item, or applies the policy if one with the same identity is stored.
  ///
  /// - Throws: `conflict`, `invalidValue`, `notFound` for an unknown property.
  package func create(
    _ entity: String, set values: [(name: String, value: Value)],
    onConflict policy: ConflictPolicy = .fail
  ) throws -> Item {
    try create(NewItem(entity, values), onConflict: policy)
  }

  /// Creates an item, or applies the policy if one with the same global id or identity is stored.
  ///
  /// - Parameter isMerged: Whether the values come from a merge; see `update`.
  /// - Throws: `conflict`, `invalidValue`, `notFound` for an unknown property.
  package func create(
    _ newItem: NewItem, onConflict policy: ConflictPolicy = .fail, isMerged: Bool = false
  ) throws -> Item {
    let table = try database.table(newItem.entity)
    let prepared = try prepare(newItem, in: table)
    if !isMerged {
      let given = Record(values: prepared.given.map { $0 ?? .null })
      try expectTimes(nil, given, in: table)
      try expectWritableCalendar(nil, given, in: table)
    }
    return try database.transaction {
      let current = try database.table(newItem.entity)
      return try place(follow(prepared, from: table, to: current), in: current, policy)
    }
  }

  /// A validated new item.
  struct PreparedItem {
    /// The value of each given property, by position.
    var given: [Value?]
    var uid: GlobalID?
    var createdAt: Timestamp?
    var updatedAt: Timestamp?
    /// The positions of properties that were set to null and get their default.
    var reset: [Int] = []
    /// The identity key; nil without an identity.
    var identity: String?
    /// The new row, if already computed.
    var row: NewRow?

    /// The approximate memory use of the values, in bytes.
    var approximateBytes: Int {
      given.reduce(64) { sum, value in
        switch value {
        case .string(let text)?: sum + text.utf8.count
        case .list(let values)?: sum + 40 * values.count
        case .map(let map)?: sum + 80 * map.count
        default: sum
        }
      }
    }
  }

  /// A new item as stored in the tables.
  struct NewRow {
    var values: [Value]
    /// The values as columns.
    var columns: [SQLValue]
    /// The indexed texts; nil when only the view can compute them.
    var texts: [SQLValue]?
  }

  /// The row of a new item.
  ///
  /// - Throws: `invalidValue` when a required value is missing.
  func newRow(_ newItem: PreparedItem, in table: EntityTable) throws -> NewRow {
    let values = try completed(newItem, in: table)
    let columns = zip(values, table.schema.properties).map { codec.stored($0, of: $1) }
    return NewRow(
      values: values, columns: columns,
      texts: table.searched.isEmpty ? nil : plainTexts(of: values, in: table))
  }

  /// Validates the values of a new item.
  func prepare(_ newItem: NewItem, in table: EntityTable) throws -> PreparedItem {
    var result = PreparedItem(
      given: Array(repeating: nil, count: table.schema.properties.count),
      createdAt: newItem.createdAt, updatedAt: newItem.updatedAt)
    for (name, value) in newItem.values {
      let index = try settableIndex(of: name, in: table)
      let property = table.schema.properties[index]
      if case .null = value, !property.isOptional, property.defaultValue != nil {
        result.reset.append(index)
        continue
      }
      result.given[index] = try fit(value, to: property, of: table)
    }
    if let text = newItem.uid {
      guard let uid = GlobalID(text: text) else {
        throw StoreError(.invalidValue, "the uid of a \(table.name) must be a UUID")
      }
      result.uid = uid
    }
    result.identity = try identity(of: result, in: table)
    return result
  }

  /// The identity key of a new item; nil without an identity.
  private func identity(of newItem: PreparedItem, in table: EntityTable) throws -> String? {
    if table.identity.isEmpty { return nil }
    let defaults = try defaults(of: table)
    return identity(
      of: table.identity.map { index in
        (newItem.given[index] ?? defaults[index], table.schema.properties[index].type)
      })
  }

  /// Converts a validated new item to a schema that another process has changed.
  ///
  /// - Throws: `invalidValue` when a value does not fit, `notFound` when a property no longer
  ///   exists.
  func follow(
    _ newItem: PreparedItem, from old: EntityTable, to new: EntityTable
  ) throws -> PreparedItem {
    if old === new { return newItem }
    var result = newItem
    result.row = nil
    result.given = Array(repeating: nil, count: new.schema.properties.count)
    result.reset = newItem.reset.compactMap { new.layout.index(of: old.schema.properties[$0].name) }
    for (property, value) in zip(old.schema.properties, newItem.given) {
      guard let value else { continue }
      if case .null = value, new.layout.index(of: property.name) == nil { continue }
      let index = try settableIndex(of: property.name, in: new)
      result.given[index] = try fit(value, to: new.schema.properties[index], of: new)
    }
    result.identity = try identity(of: result, in: new)
    return result
  }

  /// Stores a validated new item inside a transaction.
  func place(
    _ newItem: PreparedItem, in table: EntityTable, _ policy: ConflictPolicy
  ) throws -> Item {
    guard let stored = try storedRecord(of: newItem, in: table) else {
      let record = try insert(newItem, in: table)
      return Item(record, layout: table.layout, isNew: true)
    }
    var changed = stored
    switch policy {
    case .fail:
      let reference = ItemReference(entity: table.name, id: stored.id ?? 0)
      throw StoreError(
        .conflict, "this \(table.name) already exists: \(reference)", remedy: .resolveConflict)
    case .keep: break
    case .replace:
      changed.values = try completed(newItem, in: table)
      try change(stored, to: &changed, in: table)
    case .update:
      let defaults = try defaults(of: table)
      for index in newItem.reset { changed.values[index] = defaults[index] }
      for (index, value) in newItem.given.enumerated() {
        if let value { changed.values[index] = preferred(stored, value, at: index, in: table) }
      }
      try change(stored, to: &changed, in: table)
    case .merge:
      for (index, value) in newItem.given.enumerated() {
        guard let value else { continue }
        let kept = preferred(stored, value, at: index, in: table)
        changed.values[index] = Self.merged(
          stored.values[index], with: kept, ignoringCase: table.schema.properties[index].areTags)
      }
      if let created = newItem.createdAt, let known = stored.createdAt, created < known {
        changed.createdAt = Timestamp(microseconds: created.microseconds)
      }
      try change(stored, to: &changed, in: table)
    }
    return Item(changed, layout: table.layout, isNew: false)
  }

  /// A given value; of two addresses by which an item is identified, the one to keep.
  private func preferred(
    _ stored: Record, _ given: Value, at index: Int, in table: EntityTable
  ) -> Value {
    guard table.identity.contains(index), table.schema.properties[index].type == .url,
      case .string(let old) = stored.values[index], case .string(let new) = given,
      context.rules.canonicalURL(old) == context.rules.canonicalURL(new)
    else { return given }
    return .string(context.rules.preferredURL(old, new))
  }

  /// The stored record with the identity of a new item, otherwise with its global id.
  ///
  /// The identity comes first: its match can be merged without affecting another item.
  func storedRecord(of newItem: PreparedItem, in table: EntityTable) throws -> Record? {
    if let identity = newItem.identity,
      let record = try row(
        table.selectByIdentity, .text(identity), in: table, { try record($0, table) })
    {
      return record
    }
    guard let uid = newItem.uid else { return nil }
    return try row(table.selectByUID, .blob(uid.bytes), in: table) { try record($0, table) }
  }

  /// The values of a new item: the given ones, otherwise the defaults.
  ///
  /// - Throws: `invalidValue` when a required value is missing.
  private func completed(_ newItem: PreparedItem, in table: EntityTable) throws -> [Value] {
    var values = try defaults(of: table)
    for (index, property) in table.schema.properties.enumerated() {
      if let value = newItem.given[index] { values[index] = value }
      if case .null = values[index], !property.isOptional {
        throw StoreError(.invalidValue, "\(table.name).\(property.name) needs a value")
      }
    }
    try expectKeptFile(values, in: table)
    return values
  }

  /// Merges a stored value with a given one without losing anything.
  static func merged(
    _ stored: Value, with given: Value, ignoringCase: Bool
  ) -> Value {
    switch (stored, given) {
    case (_, .null): stored
    case (.list(let old), .list(let new)): .list(united(old, new, ignoringCase: ignoringCase))
    default: given
    }
  }

  /// Inserts an item with its global id, and with its times if it has any: one of another machine, or
  /// a successor.
  ///
  /// - Parameter identity: The identity key of the record.
  func insertShared(
    _ record: Record, identity: String?, in table: EntityTable
  ) throws -> Record {
    var newItem = PreparedItem(
      given: record.values.map { $0 }, uid: record.uid, createdAt: record.createdAt,
      updatedAt: record.updatedAt)
    newItem.identity = identity
    return try insert(newItem, in: table)
  }

  func insert(_ newItem: PreparedItem, in table: EntityTable) throws -> Record {
    let now = context.world.now()
    let created = Timestamp(microseconds: (newItem.createdAt ?? now).microseconds)
    let updated = Timestamp(
      microseconds: (newItem.updatedAt ?? newItem.createdAt ?? now).microseconds)
    let uid = newItem.uid ?? database.makeUID()
    let row = try newItem.row ?? newRow(newItem, in: table)
    var record = Record(
      id: nil, uid: uid, createdAt: created, updatedAt: updated, values: row.values)
    try connection.withStatement(table.insert) { statement in
      try statement.bind(.blob(uid.bytes), at: 1)
      try statement.bind(created.microseconds, at: 2)
      try statement.bind(updated.microseconds, at: 3)
      try statement.bind(.optional(newItem.identity), at: 4)
      for (index, column) in row.columns.enumerated() {
        try statement.bind(column, at: Int32(index + 5))
      }
      do { _ = try statement.step() } catch let error as StoreError {
        try throwNumbersUsedUp(error, table)
        throw error
      }
    }
    let id = connection.lastInsertedID
    record.id = id
    try index(record, row.texts, in: table)
    // An import logs its new items together.
    if session.batch == nil { try database.changes.log(.create, table.name, id: id) }
    return record
  }

  /// Throws a more precise error when SQLite reports “full” because no row id is left.
  private func throwNumbersUsedUp(_ error: StoreError, _ table: EntityTable) throws {
    guard error.code == .full,
      try connection.number("SELECT seq FROM sqlite_sequence WHERE name = \(.text(table.name))")
        == .max
    else { return }
    throw StoreError(.corrupt, "no id is left for a new \(table.name)", remedy: .repair)
  }

  // MARK: Validation

  /// The value as stored in a property; of tags that differ by case, the first.
  ///
  /// - Parameter isShared: Whether it comes from another machine, whose tags stay as they are, so that
  ///   all machines have the same.
  /// - Throws: `invalidValue`, with the property but never the value.
  func fit(
    _ value: Value, to property: PropertySchema, of table: EntityTable, isShared: Bool = false
  ) throws -> Value {
    var value = value
    if case .optional(let optional) = value { value = optional.wrapped ?? .null }
    if case .null = value {
      guard property.isOptional else {
        throw StoreError(.invalidValue, "\(table.name).\(property.name) needs a value")
      }
      return .null
    }
    let fitted: Value
    do { fitted = try codec.fit(value, to: property.type) } catch {
      throw StoreError(
        .invalidValue, "the value for \(table.name).\(property.name) \(error.reason)")
    }
    try expectLimits(fitted, property, of: table)
    guard property.areTags, !isShared, case .list(let tags) = fitted else { return fitted }
    return .list(united([], tags, ignoringCase: true))
  }

  /// Checks a value against its property's constraints, for example after adding list elements.
  ///
  /// - Throws: `invalidValue`.
  func expectLimits(_ value: Value, _ property: PropertySchema, of table: EntityTable) throws {
    guard let problem = property.constraints?.problem(with: value) else { return }
    throw StoreError(.invalidValue, "the value for \(table.name).\(property.name) \(problem)")
  }

  /// The position of a property to be set.
  ///
  /// - Throws: `notFound` for an unknown property, `invalidValue` for a system field.
  func settableIndex(of name: String, in table: EntityTable) throws -> Int {
    if let index = table.layout.index(of: name) { return index }
    if SystemField.named(name) != nil {
      throw StoreError(
        .invalidValue, "“\(name)” of \(table.name) is maintained by the store and cannot be set")
    }
    throw StoreError(.notFound, "\(table.name) has no property “\(name)”")
  }

  /// The identity key of property values; nil without an identity.
  func identity(of values: [Value], in table: EntityTable) -> String? {
    identity(of: table.identity.map { (values[$0], table.schema.properties[$0].type) })
  }

  /// The identity key of the identity properties' values; nil when there are none or one is null.
  ///
  /// Several values are length-prefixed, so that different lists have different keys.
  package func identity(of parts: [(value: Value, type: DataType)]) -> String? {
    let texts = parts.compactMap { identity(of: $0.value, type: $0.type) }
    guard !texts.isEmpty, texts.count == parts.count else { return nil }
    if texts.count == 1 { return texts[0] }
    return texts.map { "\($0.utf8.count):\($0)" }.joined()
  }

  /// The identity key of one value; nil for null.
  package func identity(of value: Value, type: DataType) -> String? {
    if type == .url, case .string(let url) = value { return context.rules.canonicalURL(url) }
    return switch codec.column(value, of: type) {
    case .null, .blob: nil
    case .int(let int): String(int)
    case .double(let number): String(number)
    case .text(let text): text
    }
  }
}
