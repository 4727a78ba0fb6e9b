import CEL
import Items
import Replication

/// The values of properties as they travel.
extension SharedItems {
  /// A property's value as a field with one stamp.
  func field(_ value: Value, _ property: PropertySchema, _ stamp: Stamp) -> FieldState {
    guard property.isTextSet else { return FieldState(stamp, outward(value, property.type)) }
    return FieldState(stamp, texts: Self.texts(in: value))
  }

  /// The texts of a list, each once.
  static func texts(in value: Value) -> [String] {
    guard case .list(let values) = value else { return [] }
    var seen: Set<ExactText> = []
    return values.compactMap {
      guard case .string(let text) = $0, seen.insert(ExactText(text)).inserted else { return nil }
      return text
    }
  }

  /// A value as it travels: plain JSON, items by their global ids.
  func outward(_ value: Value, _ type: DataType) -> Value {
    switch (type, value) {
    case (_, .null): .null
    case (.entity, .object(let object)): (object as? Item)?.uid.map(Value.string) ?? .null
    case (.list(let element), .list(let values)): .list(values.map { outward($0, element) })
    default: database.codec.plain(value, of: type)
    }
  }

  /// The value of a field for a property.
  enum Inward {
    case value(Value)
    /// It refers to missing items; the references to existing ones are shown.
    case awaits([GlobalID], meanwhile: Value)
    /// The definition here does not accept it; it is kept and passed on.
    case mismatch
  }

  func inward(_ field: FieldState, _ property: PropertySchema, in table: EntityTable) throws
    -> Inward
  {
    let typed: Value
    if property.isTextSet, field.isList {
      typed = .list(field.texts.map(Value.string))
    } else {
      guard let register = field.register else { return .mismatch }
      if case .null = register.value { return property.isOptional ? .value(.null) : .mismatch }
      switch (property.type, register.value) {
      case (.entity(let entity), .string(let text)):
        guard let uid = GlobalID(text: text) else { return .mismatch }
        guard let item = try referred(uid, entity) else {
          return .awaits([uid], meanwhile: .null)
        }
        typed = item
      case (.list(.entity(let entity)), .list(let texts)):
        var found: [Value] = []
        var missing: [GlobalID] = []
        for case .string(let text) in texts {
          guard let uid = GlobalID(text: text) else { return .mismatch }
          if let item = try referred(uid, entity) {
            found.append(item)
          } else {
            missing.append(uid)
          }
        }
        if !missing.isEmpty { return .awaits(missing, meanwhile: .list(found)) }
        typed = .list(found)
      default:
        typed = database.codec.value(of: property.type, plain: register.value)
        if case .null = typed { return .mismatch }
      }
      if property.type.holdsURLs, !database.changes.holdsOnlyURLs(typed) { return .mismatch }
    }
    // Another machine's definition may accept more.
    guard let value = try? database.items.fit(typed, to: property, of: table, isShared: true) else {
      return .mismatch
    }
    return .value(value)
  }

  /// The item of a global id, or the one it became.
  private func referred(_ uid: GlobalID, _ entity: String) throws -> Value? {
    let items = database.items
    guard let table = try table(entity),
      let item = try items.row(
        table.selectByUID, .blob(winner(of: uid).bytes), in: table, { try items.item($0, table) })
    else { return nil }
    return .object(item)
  }
}
