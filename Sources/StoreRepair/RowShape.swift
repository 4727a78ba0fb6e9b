import CEL
import Items
import JSON
import Store

/// How the rows of an entity's items look, by which those of others and damaged ones are told.
struct RowShape {
  /// What a column holds.
  enum Column {
    case id, uid, createdAt, updatedAt, identity, frecency, used
    case property(PropertySchema)
  }

  /// The columns, with their names in the file.
  let columns: [(name: String, holds: Column)]
  private let hasIdentity: Bool
  private let isDay: (String) -> Bool

  /// A shape with columns in the order of the file.
  init(_ schema: EntitySchema, columns: [String], isDay: @escaping (String) -> Bool) {
    hasIdentity = !schema.identities.isEmpty
    self.isDay = isDay
    let properties = Dictionary(
      schema.properties.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    self.columns = columns.map { name in
      switch name {
      case "id": (name, .id)
      case "uid": (name, .uid)
      case "createdAt": (name, .createdAt)
      case "updatedAt": (name, .updatedAt)
      case "_identity": (name, .identity)
      case "_frecency": (name, .frecency)
      case "_used": (name, .used)
      default:
        (
          name,
          .property(
            properties[name] ?? PropertySchema(name: name, type: .any, isOptional: true))
        )
      }
    }
  }

  /// The positions of the values that no store writes there; nil for a row that is another's.
  func misfits(in row: Statement) -> [Int]? {
    var misfits: [Int] = []
    for position in 1..<Int(row.columnCount) {
      let value = row.value(Int32(position))
      guard position < columns.count else {
        if value == .null { continue }
        return nil
      }
      if case .identity = columns[position].holds, !hasIdentity, value != .null { return nil }
      if !fits(value, columns[position].holds) { misfits.append(position) }
    }
    return misfits
  }

  private func fits(_ value: SQLValue, _ column: Column) -> Bool {
    switch (column, value) {
    case (.id, _): true
    case (.uid, .blob(let bytes)): bytes.count == 16
    case (.createdAt, .int(let moment)), (.updatedAt, .int(let moment)):
      Timestamp(microseconds: moment).isInRange
    case (.identity, .null), (.identity, .text), (.frecency, .null), (.frecency, .int),
      (.used, .null), (.used, .int):
      true
    case (.property(let property), .null): property.isOptional
    case (.property(let property), _): fits(value, property.type)
    default: false
    }
  }

  private func fits(_ value: SQLValue, _ type: DataType) -> Bool {
    switch (type, value) {
    case (.list, .text(let text)): if case .list? = json(text) { true } else { false }
    case (.map, .text(let text)), (.share, .text(let text)):
      if case .map? = json(text) { true } else { false }
    case (.any, .text(let text)): json(text) != nil
    case (.enumeration(let values), .text(let text)): values.contains(text)
    case (.date, .text(let text)): isDay(text)
    case (.bool, .int(let int)): int == 0 || int == 1
    case (.entity, .int(let id)): id > 0
    case (.timestamp, .int(let moment)): Timestamp(microseconds: moment).isInRange
    case (.int, .int), (.duration, .int), (.double, .double), (.double, .int): true
    case (.string, .blob(let bytes)): PackedText.isOne(bytes)
    case (.string, .text), (.url, .text), (.file, .text): true
    case (.refined(let type), _): fits(value, type.base)
    default: false
    }
  }

  private func json(_ text: String) -> Value? {
    // That it cannot be parsed is the answer.
    try? JSONParser().parse(text)
  }
}
