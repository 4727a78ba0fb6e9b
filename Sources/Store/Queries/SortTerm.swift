import CEL
import Items

/// One term of `ORDER BY`.
struct SortTerm {
  /// The sort expression.
  let key: SQL
  let isDescending: Bool
  /// Whether the key may be NULL, which sorts last in either direction.
  let isNullable: Bool

  /// A term that is never NULL.
  init(_ key: SQL, descending: Bool) {
    self.key = key
    isDescending = descending
    isNullable = false
  }

  /// The term of a sort key.
  ///
  /// - Throws: `notFound`, `invalidValue` for a property without an order.
  init(_ key: SortKey, in table: EntityTable) throws(StoreError) {
    isDescending = key.isDescending
    if ["id", "createdAt", "updatedAt"].contains(key.property) {
      self.key = "t.\(name: key.property)"
      isNullable = false
      return
    }
    guard let index = table.layout.index(of: key.property) else {
      throw StoreError(.notFound, "\(table.name) has no property “\(key.property)” to sort by")
    }
    let property = table.schema.properties[index]
    isNullable = property.isOptional
    switch property.type {
    case .list, .map, .any, .entity:
      throw StoreError(
        .invalidValue,
        "cannot sort \(table.name) by “\(key.property)”: its type has no order")
    case .enumeration(let values):
      // An enum sorts in the order of its declaration: low, medium, high.
      let cases = values.enumerated().map { rank, value -> SQL in
        "WHEN \(.text(value)) THEN \(.int(Int64(rank)))"
      }
      self.key = "CASE t.\(name: key.property) \(SQL.joined(cases, separator: " ")) END"
    case .when:
      self.key = "\(raw: Connection.momentFunction)(t.\(name: key.property))"
    default:
      let column: SQL = "t.\(name: key.property)"
      self.key = property.isBody ? "\(raw: Connection.unpackingFunction)(\(column))" : column
    }
  }

  /// The SQL of the term.
  var sql: SQL {
    "\(key)\(raw: isDescending ? " DESC" : "")\(raw: isNullable ? " NULLS LAST" : "")"
  }

  /// The condition that a row comes after another, in an order that ends with date and id.
  static func following(
    _ record: Record, _ order: [SortTerm], _ keys: [SortKey], in table: EntityTable,
    context: StoreContext
  ) throws -> SQL {
    guard let id = record.id, let created = record.createdAt else { return "1" }
    let date = order[order.count - 2].key
    let number = order[order.count - 1].key
    var condition: SQL = "(\(date), \(number)) < (\(.int(created.microseconds)), \(.int(id)))"
    for (term, key) in zip(order, keys).reversed() {
      let value = column(key.property, of: record, in: table, context)
      if case .null = value {
        condition = "(\(term.key) IS NULL AND \(condition))"
        continue
      }
      let isBeyond: SQL = "\(term.key) \(raw: term.isDescending ? "<" : ">") \(value)"
      let orNull: SQL = term.isNullable ? " OR \(term.key) IS NULL" : ""
      condition = "(\(isBeyond)\(orNull) OR \(term.key) = \(value) AND \(condition))"
    }
    // A redundant bound without OR, so that an index can seek to the start.
    if let term = order.first, let key = keys.first, !term.isNullable {
      let value = column(key.property, of: record, in: table, context)
      let side = term.isDescending ? "<=" : ">="
      condition = "\(term.key) \(raw: side) \(value) AND \(condition)"
    }
    return condition
  }

  /// The value of a sort key for a record.
  private static func column(
    _ name: String, of record: Record, in table: EntityTable, _ context: StoreContext
  ) -> SQLValue {
    switch name {
    case "id": return record.id.map(SQLValue.int) ?? .null
    case "createdAt": return (record.createdAt?.microseconds).map(SQLValue.int) ?? .null
    case "updatedAt": return (record.updatedAt?.microseconds).map(SQLValue.int) ?? .null
    default: break
    }
    guard let index = table.layout.index(of: name) else { return .null }
    let property = table.schema.properties[index]
    if case .enumeration(let values) = property.type {
      guard case .string(let text) = record.values[index],
        let rank = values.firstIndex(where: { $0.utf8.elementsEqual(text.utf8) })
      else { return .null }
      return .int(Int64(rank))
    }
    if property.type == .when, case .timestamp(let moment) = record.values[index] {
      return .int(moment.seconds)
    }
    let codec = PropertyCodec(
      dateText: context.world.dateText, midnight: context.world.midnight, item: { _, _ in .null })
    return codec.column(record.values[index], of: property.type)
  }
}
