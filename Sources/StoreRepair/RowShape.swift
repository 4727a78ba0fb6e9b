import CEL
import Items
import JSON
import Store

/// The row format of an entity's items, to detect damaged rows and rows of other tables.
struct RowShape {
  /// The names of the columns in the file.
  let columns: [String]
  private let properties: [String: PropertySchema]
  private let hasIdentity: Bool
  private let isDay: (String) -> Bool

  /// A format with columns in the order of the file.
  init(_ schema: EntitySchema, columns: [String], isDay: @escaping (String) -> Bool) {
    self.columns = columns
    self.isDay = isDay
    hasIdentity = !schema.identities.isEmpty
    properties = Dictionary(
      schema.properties.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The property of a column; nil for a system column.
  func property(at position: Int) -> PropertySchema? { properties[columns[position]] }

  /// The positions of invalid values; nil for a row of another table.
  func misfits(in row: Statement) -> [Int]? {
    var misfits: [Int] = []
    for position in 1..<Int(row.columnCount) {
      let value = row.value(Int32(position))
      guard position < columns.count else {
        if value == .null { continue }
        return nil
      }
      if columns[position] == "_identity", !hasIdentity, value != .null { return nil }
      if !fits(value, position) { misfits.append(position) }
    }
    return misfits
  }

  private func fits(_ value: SQLValue, _ position: Int) -> Bool {
    if let property = property(at: position) {
      return value == .null ? property.isOptional : fits(value, property.type)
    }
    return switch (columns[position], value) {
    case ("uid", .blob(let bytes)): bytes.count == 16
    case ("createdAt", .int(let moment)), ("updatedAt", .int(let moment)):
      Timestamp(microseconds: moment).isInRange
    case ("_identity", .text), ("_frecency", .int), ("_used", .int): true
    case ("_identity", .null), ("_frecency", .null), ("_used", .null): true
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
    case (.when, .text(let text)):
      isDay(text) || WhenText.timestamp(text, midnight: { _ in nil }) != nil
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
    // An error means that it is not JSON.
    try? JSONParser().parse(text)
  }
}
