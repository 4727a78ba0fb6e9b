package import Items

extension EntityStore {
  /// The elements of an indexed list property with how many items have each, in no order.
  ///
  /// - Throws: `invalidValue` for a property that is no list with `index`.
  /// - Complexity: O(n) for all elements of all items.
  package func elements(of property: String, in entity: String) throws -> [ElementCount] {
    let table = try table(entity)
    let list = try listTable(of: property, in: table)
    if table.isAbsent { return [] }
    var elements: [ElementCount] = []
    try connection.rows("SELECT value, count(*) FROM \(name: list) GROUP BY value") { row in
      elements.append(ElementCount(Self.text(row.value(0)), count: Int(row.int(1))))
      return true
    }
    return elements
  }

  /// How many items have an element or one below it, such as `lang` or `lang/swift`.
  ///
  /// - Throws: `invalidValue` for a property that is no list with `index`.
  package func count(under element: String, of property: String, in entity: String) throws -> Int {
    let table = try table(entity)
    let list = try listTable(of: property, in: table)
    guard !table.isAbsent,
      // `0` is the character after `/`.
      case .int(let count)? = try connection.first(
        """
        SELECT count(DISTINCT id) FROM \(name: list) WHERE value = \(.text(element)) \
        OR (value >= \(.text(element + "/")) AND value < \(.text(element + "0")))
        """)
    else { return 0 }
    return Int(count)
  }

  /// The name of the table of an indexed list's elements.
  ///
  /// - Throws: `invalidValue` for a property that is no list with `index`.
  func listTable(of property: String, in table: EntityTable) throws -> String {
    guard table.hasListTable(property) else {
      throw StoreError(
        .invalidValue, "\(table.name).\(property) is not a list with `index: true`")
    }
    return table.listName(property)
  }

  private static func text(_ value: SQLValue) -> String {
    switch value {
    case .text(let text): text
    case .int(let int): String(int)
    case .double(let number): "\(number)"
    case .null, .blob: ""
    }
  }
}
