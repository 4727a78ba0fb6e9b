import Items

/// A value by which an index finds rows, those of one value in the order of their dates.
enum Anchor: Hashable {
  /// The value of an indexed property.
  case column(String, SQLValue)
  /// An element of an indexed list.
  case element(String, SQLValue)

  /// The condition that a row has the value; it is never NULL.
  func condition(in table: EntityTable) -> SQL {
    switch self {
    case .column(let name, let value): "(t.\(name: name) IS \(value))"
    case .element(let property, let value): Self.hasElement(of: [value], property, in: table)
    }
  }

  /// Whether one of some values stands in the table of an indexed list.
  static func hasElement(
    of values: [SQLValue], _ property: String, in table: EntityTable
  ) -> SQL {
    let marks = values.map { value -> SQL in "\(value)" }
    let isWanted: SQL =
      marks.count == 1 ? "= \(marks[0])" : "IN (\(SQL.joined(marks, separator: ", ")))"
    return """
      EXISTS (SELECT 1 FROM \(name: table.listName(property)) AS l \
      WHERE l.value \(isWanted) AND l.createdAt = t.createdAt AND l.id = t.id)
      """
  }
}
