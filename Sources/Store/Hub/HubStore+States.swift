import CEL
import Items
import JSON
import Replication

extension HubStore {
  /// A shared item as recorded: its state, and the row that shows it.
  struct Known {
    var entity: String
    var uid: GlobalID
    /// The id of its row; nil when it has none: it was deleted, lost against another item, or waits
    /// for one.
    var id: Int64?
    var life: Int64
    /// The stamp of all fields without one of their own.
    var base: Stamp
    /// The stamps and values that differ from the base and the row, as JSON; nil for none.
    var text: String?
  }

  // MARK: Rows

  func known(_ uid: GlobalID) throws -> Known? {
    try connection.withStatement(
      "SELECT entity, id, life, time, machine, state FROM errand_hub_items WHERE uid = ?"
    ) { statement in
      try statement.bind(.blob(uid.bytes), at: 1)
      guard try statement.step() else { return nil }
      return Known(
        entity: statement.text(0), uid: uid, id: statement.optionalInt(1), life: statement.int(2),
        base: Stamp(time: statement.int(3), machine: statement.int(4)),
        text: statement.optionalText(5))
    }
  }

  func known(_ entity: String, id: Int64) throws -> Known? {
    try connection.withStatement(
      "SELECT uid, life, time, machine, state FROM errand_hub_items WHERE entity = ? AND id = ?"
    ) { statement in
      try statement.bind(entity, at: 1)
      try statement.bind(id, at: 2)
      guard try statement.step(), let uid = GlobalID(bytes: statement.blob(0)) else { return nil }
      return Known(
        entity: entity, uid: uid, id: id, life: statement.int(1),
        base: Stamp(time: statement.int(2), machine: statement.int(3)),
        text: statement.optionalText(4))
    }
  }

  func write(_ known: Known) throws {
    try connection.withStatement(
      """
      INSERT INTO errand_hub_items (uid, entity, id, life, time, machine, state) \
      VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (uid) DO UPDATE SET id = excluded.id, \
      life = excluded.life, time = excluded.time, machine = excluded.machine, \
      state = excluded.state
      """
    ) { statement in
      try statement.bind(.blob(known.uid.bytes), at: 1)
      try statement.bind(known.entity, at: 2)
      try statement.bind(known.id.map(SQLValue.int) ?? .null, at: 3)
      try statement.bind(known.life, at: 4)
      try statement.bind(known.base.time, at: 5)
      try statement.bind(known.base.machine, at: 6)
      try statement.bind(.optional(known.text), at: 7)
      _ = try statement.step()
    }
  }

  // MARK: States

  /// The state of an item, with the values of its row.
  func state(of known: Known, _ record: Record?, in table: EntityTable?) throws -> ItemState {
    var fields: [String: FieldState] = [:]
    var stamps: [String: Stamp] = [:]
    if let text = known.text {
      guard case .map(let map)? = try? JSONParser().parse(text),
        let read = try? DeltaCoder.fields(of: map, base: known.base),
        let own = try? DeltaCoder.stamps(of: map)
      else { throw StoreError(.corrupt, "the state of a shared \(known.entity) is damaged") }
      (fields, stamps) = (read, own)
    }
    guard let record, let table, known.id != nil else {
      return ItemState(life: known.life, fields: fields)
    }
    for (index, property) in table.schema.properties.enumerated()
    where property.travels && fields[property.name] == nil {
      fields[property.name] = field(
        record.values[index], property, stamps[property.name] ?? known.base)
    }
    if fields[Self.creation] == nil {
      fields[Self.creation] = FieldState(
        stamps[Self.creation] ?? known.base, .int(record.createdAt?.microseconds ?? 0))
    }
    return ItemState(life: known.life, fields: fields)
  }

  /// The field of the time of creation.
  static let creation = "createdAt"

  /// Writes the state of an item beside its row.
  ///
  /// - Parameter shown: The names of the fields whose values the row holds; nil when the row shows
  ///   something else.
  func write(_ state: ItemState, of known: Known, shown: Set<String>?) throws {
    var known = known
    known.life = state.life
    let parts = DeltaCoder.parts(of: state.fields, base: known.base) {
      shown?.contains($0) ?? false
    }
    known.text = parts.isEmpty ? nil : try LoggedColumns.text(of: .map(MapValue(parts)))
    try write(known)
  }

  /// A property's value as a field with one stamp.
  func field(_ value: Value, _ property: PropertySchema, _ stamp: Stamp) -> FieldState {
    if property.isTextSet {
      guard case .list(let values) = value else { return FieldState(stamp, texts: []) }
      return FieldState(stamp, texts: Self.texts(values))
    }
    return FieldState(stamp, outward(value, property.type))
  }

  static func texts(_ values: [Value]) -> [String] {
    var seen: Set<ExactText> = []
    return values.compactMap {
      guard case .string(let text) = $0, seen.insert(ExactText(text)).inserted else { return nil }
      return text
    }
  }

  // MARK: Values

  /// A value as it travels: plain JSON, items by their global ids.
  func outward(_ value: Value, _ type: DataType) -> Value {
    switch (type, value) {
    case (_, .null): .null
    case (.entity, .object(let object)): (object as? Item)?.uid.map(Value.string) ?? .null
    case (.list(let element), .list(let values)): .list(values.map { outward($0, element) })
    default: codec.plain(value, of: type)
    }
  }

  /// The value of a field for a property.
  enum Inward {
    case value(Value)
    /// It refers to items that are not here; the others are shown.
    case waits(for: [GlobalID], meanwhile: Value)
    /// The definition here does not accept it; it is kept and passed on.
    case misfit
  }

  func inward(_ field: FieldState, _ property: PropertySchema, in table: EntityTable) throws
    -> Inward
  {
    if property.isTextSet, field.isList {
      let texts = field.texts
      guard let value = try? items.fit(.list(texts.map(Value.string)), to: property, of: table)
      else { return .misfit }
      return .value(value)
    }
    guard let register = field.register else { return .misfit }
    if case .null = register.value { return property.isOptional ? .value(.null) : .misfit }
    let typed: Value
    switch (property.type, register.value) {
    case (.entity(let entity), .string(let text)):
      guard let uid = GlobalID(text: text) else { return .misfit }
      guard let item = try referred(uid, entity) else {
        return .waits(for: [uid], meanwhile: .null)
      }
      typed = item
    case (.list(.entity(let entity)), .list(let texts)):
      var found: [Value] = []
      var missing: [GlobalID] = []
      for case .string(let text) in texts {
        guard let uid = GlobalID(text: text) else { return .misfit }
        if let item = try referred(uid, entity) { found.append(item) } else { missing.append(uid) }
      }
      if !missing.isEmpty { return .waits(for: missing, meanwhile: .list(found)) }
      typed = .list(found)
    default:
      typed = codec.value(of: property.type, plain: register.value)
      if case .null = typed { return .misfit }
    }
    if property.type.holdsURLs, !database.changes.holdsOnlyURLs(typed) { return .misfit }
    // A misfit is an answer: another machine's definition may accept more.
    guard let value = try? items.fit(typed, to: property, of: table) else { return .misfit }
    return .value(value)
  }

  /// The item of a global id, or the one it became.
  private func referred(_ uid: GlobalID, _ entity: String) throws -> Value? {
    guard let table = try sharedTable(entity),
      let item = try items.row(
        table.selectByUID, .blob(winner(of: uid).bytes), in: table, { try items.item($0, table) })
    else { return nil }
    return .object(item)
  }

  /// The table of an entity, defined here or recorded in the file; nil for an unknown entity.
  func sharedTable(_ entity: String) throws -> EntityTable? {
    if let table = try? database.table(entity) { return table }
    return try? database.recordedTable(entity)
  }

  // MARK: Items that became one

  /// The item that another became; itself if it is its own.
  func winner(of uid: GlobalID) throws -> GlobalID {
    try connection.withStatement("SELECT winner FROM errand_hub_merged WHERE loser = ?") {
      try $0.bind(.blob(uid.bytes), at: 1)
      return try $0.step() ? GlobalID(bytes: $0.blob(0)) : nil
    } ?? uid
  }

  /// The items that became this one, without itself.
  func losers(to winner: GlobalID) throws -> [GlobalID] {
    try connection.withStatement("SELECT loser FROM errand_hub_merged WHERE winner = ?") {
      try $0.bind(.blob(winner.bytes), at: 1)
      var found: [GlobalID] = []
      while try $0.step() { if let uid = GlobalID(bytes: $0.blob(0)) { found.append(uid) } }
      return found
    }
  }
}

extension PropertySchema {
  /// Whether its values are shared: not those declared `sync: false`, and no paths of this machine.
  var travels: Bool { isShared && type != .file }

  /// Whether it is a list of texts, which is merged by element.
  var isTextSet: Bool { type == .list(.string) }
}
