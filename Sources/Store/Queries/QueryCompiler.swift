/// Turns a query into one statement.
struct QueryCompiler {
  private let table: EntityTable

  init(_ table: EntityTable) {
    self.table = table
  }

  /// The statement; nil when nothing can match.
  func sql(_ query: Query) throws -> SQL? {
    var sql: SQL = "SELECT \(raw: table.columns) FROM "
    var order = try query.sort.map(orderTerm)
    let words = query.match ?? ""
    if words.allSatisfy(\.isWhitespace) {
      sql.append("\(name: table.name) AS t")
    } else {
      guard !table.searched.isEmpty, let match = Self.matchExpression(words) else { return nil }
      sql.append(
        """
        \(name: table.searchName) AS f JOIN \(name: table.name) AS t ON t.id = f.rowid \
        WHERE \(name: table.searchName) MATCH \(.text(match))
        """)
      if order.isEmpty {
        let weights = table.searched.map {
          String(table.schema.properties[$0].searchWeight ?? 1)
        }
        order.append(
          "bm25(\(name: table.searchName), \(raw: weights.joined(separator: ", ")))")
      }
    }
    order += ["t.createdAt DESC", "t.id DESC"]
    sql.append(" ORDER BY \(SQL.joined(order, separator: ", "))")
    if query.filter == nil, let limit = query.limit {
      sql.append(" LIMIT \(.int(Int64(limit)))")
    }
    return sql
  }

  /// The user's words as an FTS5 expression in which nothing is syntax; nil when there are none.
  static func matchExpression(_ words: String) -> String? {
    let terms = words.split(whereSeparator: \.isWhitespace).filter { word in
      word.unicodeScalars.contains {
        $0.properties.isAlphabetic || $0.properties.numericType != nil
      }
    }
    guard !terms.isEmpty else { return nil }
    return terms.map { SQL.quoted(String($0)) }.joined(separator: " ")
  }

  private func orderTerm(_ key: SortKey) throws -> SQL {
    let direction = key.isDescending ? "DESC" : "ASC"
    if ["id", "createdAt", "updatedAt"].contains(key.property) {
      return "t.\(name: key.property) \(raw: direction)"
    }
    guard let index = table.layout.index(of: key.property) else {
      throw StoreError(.notFound, "\(table.name) has no property “\(key.property)” to sort by")
    }
    let property = table.schema.properties[index]
    switch property.type {
    case .list, .map, .any, .entity:
      throw StoreError(
        .invalidValue,
        "\(table.name) cannot be sorted by “\(key.property)”, which is no plain "
          + "value")
    case .enumeration(let values):
      // An enum sorts as it was declared: low, medium, high.
      let cases = values.enumerated().map { rank, value -> SQL in
        "WHEN \(.text(value)) THEN \(.int(Int64(rank)))"
      }
      return """
        CASE t.\(name: key.property) \(SQL.joined(cases, separator: " ")) END \
        \(raw: direction) NULLS LAST
        """
    default:
      let nulls = property.isOptional ? " NULLS LAST" : ""
      return "t.\(name: key.property) \(raw: direction)\(raw: nulls)"
    }
  }
}
