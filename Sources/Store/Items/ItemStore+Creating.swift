package import CEL
package import Items

extension ItemStore {
  /// Creates an item, or treats the stored one of the same identity by the policy.
  ///
  /// - Throws: `conflict`, `invalidValue`, `notFound` for an unknown property.
  package func create(
    _ entity: String, set values: [(name: String, value: Value)],
    onConflict policy: ConflictPolicy = .fail
  ) throws -> Item {
    try create(Draft(entity, values), onConflict: policy)
  }

  /// Creates an item from a draft, or treats the stored one of the same global id or identity by
  /// the policy.
  ///
  /// - Throws: `conflict`, `invalidValue`, `notFound` for an unknown property.
  package func create(_ draft: Draft, onConflict policy: ConflictPolicy = .fail) throws -> Item {
    let table = try database.table(draft.entity)
    let prepared = try prepare(draft, in: table)
    return try database.transaction {
      let current = try database.table(draft.entity)
      return try place(follow(prepared, from: table, to: current), in: current, policy)
    }
  }

  /// A draft whose values were checked.
  struct PreparedDraft {
    /// The value of each given property, by position.
    var given: [Value?]
    var uid: GlobalID?
    var createdAt: Timestamp?
    var updatedAt: Timestamp?
    /// The positions of properties that were given null and take their default.
    var reset: [Int] = []
    /// The text by which the item is found again.
    var identity: String?
    /// What a new item is, where that was found out before.
    var row: NewRow?

    /// How much memory the values take, about.
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

  /// A new item as the tables have it.
  struct NewRow {
    var values: [Value]
    /// The values as columns.
    var columns: [SQLValue]
    /// What the text index holds of it; nil where the view has to tell.
    var texts: [SQLValue]?
  }

  /// What a new item made from a draft is.
  ///
  /// - Throws: `invalidValue` when a property needs a value.
  func newRow(_ draft: PreparedDraft, in table: EntityTable) throws -> NewRow {
    let values = try completed(draft, in: table)
    let columns = zip(values, table.schema.properties).map { codec.stored($0, of: $1) }
    return NewRow(
      values: values, columns: columns,
      texts: table.searched.isEmpty ? nil : plainTexts(of: values, in: table))
  }

  /// Checks the values of a draft.
  func prepare(_ draft: Draft, in table: EntityTable) throws -> PreparedDraft {
    var result = PreparedDraft(
      given: Array(repeating: nil, count: table.schema.properties.count),
      createdAt: draft.createdAt, updatedAt: draft.updatedAt)
    for (name, value) in draft.values {
      let index = try settableIndex(of: name, in: table)
      let property = table.schema.properties[index]
      if case .null = value, !property.isOptional, property.defaultValue != nil {
        result.reset.append(index)
        continue
      }
      result.given[index] = try fit(value, to: property, of: table)
    }
    if let text = draft.uid {
      guard let uid = GlobalID(text: text) else {
        throw StoreError(.invalidValue, "the uid of a \(table.name) must be a UUID")
      }
      result.uid = uid
    }
    result.identity = try identity(of: result, in: table)
    return result
  }

  /// The text by which a draft's item is found again; nil without an identity.
  private func identity(of draft: PreparedDraft, in table: EntityTable) throws -> String? {
    if table.identity.isEmpty { return nil }
    func value(_ index: Int) throws -> Value {
      try draft.given[index] ?? defaults(of: table)[index]
    }
    // Nearly all have one, and an import has no time for lists.
    if table.identity.count == 1 {
      let index = table.identity[0]
      return identity(of: try value(index), type: table.schema.properties[index].type)
    }
    return identity(
      of: try table.identity.map { (try value($0), table.schema.properties[$0].type) })
  }

  /// A checked draft for the table of an entity that another process brought to another definition.
  ///
  /// - Throws: `invalidValue` when a value does not fit there, `notFound` when it has no such property.
  func follow(
    _ draft: PreparedDraft, from old: EntityTable, to new: EntityTable
  ) throws -> PreparedDraft {
    if old === new { return draft }
    var result = draft
    result.row = nil
    result.given = Array(repeating: nil, count: new.schema.properties.count)
    result.reset = draft.reset.compactMap {
      new.layout.index(of: old.schema.properties[$0].name)
    }
    for (property, value) in zip(old.schema.properties, draft.given) {
      guard let value else { continue }
      if case .null = value, new.layout.index(of: property.name) == nil { continue }
      let index = try settableIndex(of: property.name, in: new)
      result.given[index] = try fit(value, to: new.schema.properties[index], of: new)
    }
    result.identity = try identity(of: result, in: new)
    return result
  }

  /// Stores a checked draft inside a transaction.
  func place(
    _ draft: PreparedDraft, in table: EntityTable, _ policy: ConflictPolicy
  ) throws -> Item {
    guard let stored = try storedRecord(of: draft, in: table) else {
      let record = try insert(draft, in: table)
      return Item(record, layout: table.layout, isNew: true)
    }
    var changed = stored
    switch policy {
    case .fail:
      let reference = ItemReference(entity: table.name, id: stored.id ?? 0)
      throw StoreError(
        .conflict,
        "\(reference) is the same \(table.name) already", remedy: .resolveConflict)
    case .keep: break
    case .replace:
      changed.values = try completed(draft, in: table)
      try change(stored, to: &changed, in: table)
    case .update:
      let defaults = try defaults(of: table)
      for index in draft.reset { changed.values[index] = defaults[index] }
      for (index, value) in draft.given.enumerated() {
        if let value { changed.values[index] = value }
      }
      try change(stored, to: &changed, in: table)
    case .merge:
      for (index, value) in draft.given.enumerated() {
        guard let value else { continue }
        changed.values[index] = Self.merged(stored.values[index], with: value)
      }
      if let created = draft.createdAt, let known = stored.createdAt, created < known {
        changed.createdAt = Timestamp(microseconds: created.microseconds)
      }
      try change(stored, to: &changed, in: table)
    }
    return Item(changed, layout: table.layout, isNew: false)
  }

  /// The stored record with the identity of a draft, else with its global id.
  ///
  /// The identity comes first: what it finds can be merged without touching another item.
  private func storedRecord(of draft: PreparedDraft, in table: EntityTable) throws -> Record? {
    if let identity = draft.identity,
      let record = try row(
        table.selectByIdentity, .text(identity), in: table, { try record($0, table) })
    {
      return record
    }
    guard let uid = draft.uid else { return nil }
    return try row(table.selectByUID, .blob(uid.bytes), in: table) { try record($0, table) }
  }

  /// The values of a new item: as given, else the default.
  ///
  /// - Throws: `invalidValue` when a property needs a value.
  private func completed(_ draft: PreparedDraft, in table: EntityTable) throws -> [Value] {
    var values = try defaults(of: table)
    for (index, property) in table.schema.properties.enumerated() {
      if let value = draft.given[index] { values[index] = value }
      if case .null = values[index], !property.isOptional {
        throw StoreError(.invalidValue, "\(table.name).\(property.name) needs a value")
      }
    }
    try expectKeptFile(values, in: table)
    return values
  }

  /// Joins a stored value with a given one so that nothing is lost.
  static func merged(_ stored: Value, with given: Value) -> Value {
    switch (stored, given) {
    case (_, .null): stored
    case (.list(let old), .list(let new)): .list(united(old, new))
    default: given
    }
  }

  private func insert(_ draft: PreparedDraft, in table: EntityTable) throws -> Record {
    let now = context.now()
    let created = Timestamp(microseconds: (draft.createdAt ?? now).microseconds)
    let updated = Timestamp(microseconds: (draft.updatedAt ?? draft.createdAt ?? now).microseconds)
    let uid = draft.uid ?? database.makeUID()
    let row = try draft.row ?? newRow(draft, in: table)
    var record = Record(
      id: nil, uid: uid, createdAt: created, updatedAt: updated, values: row.values)
    try connection.withStatement(table.insert) { statement in
      try statement.bind(.blob(uid.bytes), at: 1)
      try statement.bind(created.microseconds, at: 2)
      try statement.bind(updated.microseconds, at: 3)
      try statement.bind(draft.identity.map(SQLValue.text) ?? .null, at: 4)
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

  /// Throws what a full database is in truth when it is no number that is left.
  private func throwNumbersUsedUp(_ error: StoreError, _ table: EntityTable) throws {
    guard error.code == .full,
      try connection.number("SELECT seq FROM sqlite_sequence WHERE name = \(.text(table.name))")
        == .max
    else { return }
    throw StoreError(
      .corrupt, "there is no number left for a \(table.name)", remedy: .repair)
  }

  // MARK: Values that fit

  /// The value as a property keeps it.
  ///
  /// - Throws: `invalidValue`, naming the property and never the value.
  func fit(_ value: Value, to property: PropertySchema, of table: EntityTable) throws -> Value {
    var value = value
    if case .optional(let optional) = value { value = optional.wrapped ?? .null }
    if case .null = value {
      guard property.isOptional else {
        throw StoreError(.invalidValue, "\(table.name).\(property.name) needs a value")
      }
      return .null
    }
    let fitted: Value
    do {
      fitted = try codec.fit(value, to: property.type)
    } catch {
      throw StoreError(
        .invalidValue, "the value for \(table.name).\(property.name) \(error.reason)")
    }
    try expectLimits(fitted, property, of: table)
    return fitted
  }

  /// Expects that a value is what its property says beside its type, as a list is when elements were
  /// added.
  ///
  /// - Throws: `invalidValue`.
  func expectLimits(
    _ value: Value, _ property: PropertySchema, of table: EntityTable
  ) throws {
    guard let problem = property.constraints?.problem(with: value) else { return }
    throw StoreError(.invalidValue, "the value for \(table.name).\(property.name) \(problem)")
  }

  /// The position of a property that is about to be set.
  ///
  /// - Throws: `notFound` for a name that the entity has not, `invalidValue` for one every item
  ///   has of itself.
  func settableIndex(of name: String, in table: EntityTable) throws -> Int {
    if let index = table.layout.index(of: name) { return index }
    if SystemField.named(name) != nil {
      throw StoreError(
        .invalidValue, "“\(name)” of \(table.name) is kept by the store and cannot be set")
    }
    throw StoreError(.notFound, "\(table.name) has no property “\(name)”")
  }

  /// The text by which items with these values are found again; nil without an identity.
  func identity(of values: [Value], in table: EntityTable) -> String? {
    identity(
      of: table.identity.map { (values[$0], table.schema.properties[$0].type) })
  }

  /// The text by which the values of the identity's properties are found again; nil where there are
  /// none, or one of them is null.
  ///
  /// Of several each has its length before it, so that no two lists have the same text.
  package func identity(of parts: [(value: Value, type: DataType)]) -> String? {
    let texts = parts.compactMap { identity(of: $0.value, type: $0.type) }
    guard !texts.isEmpty, texts.count == parts.count else { return nil }
    if texts.count == 1 { return texts[0] }
    return texts.map { "\($0.utf8.count):\($0)" }.joined()
  }

  /// The text by which an identity property's value is found again; nil for null.
  package func identity(of value: Value, type: DataType) -> String? {
    if type == .url, case .string(let url) = value { return context.canonicalURL(url) }
    return switch codec.column(value, of: type) {
    case .null, .blob: nil
    case .int(let int): String(int)
    case .double(let number): String(number)
    case .text(let text): text
    }
  }
}
