import CEL
import Items
import Store

/// An entity whose items are rescued: how its rows look, and what became of them.
final class RescueTable {
  /// The table in the new store.
  let table: EntityTable
  /// The definition that is known now, which tells more than the one that was recorded.
  let known: EntitySchema?
  /// The properties that are no longer declared but kept.
  let extra: [PropertySchema]
  let shape: RowShape
  /// Whether the file tells the columns.
  let isFound: Bool
  var evidence: IndexEvidence?
  var result: EntityStore.Rescue
  /// The highest number that an item had; nil when unknown.
  var highest: Int64?

  /// The columns that every table has.
  static let systemColumns = [
    "id", "uid", "createdAt", "updatedAt", "_identity", "_frecency", "_used",
  ]

  init(
    _ table: EntityTable, known: EntitySchema?, columns: [String], extra: [PropertySchema],
    isDay: @escaping (String) -> Bool
  ) {
    self.table = table
    self.known = known
    self.extra = extra
    isFound = !columns.isEmpty
    shape = RowShape(
      table.schema,
      columns: isFound ? columns : Self.systemColumns + table.schema.properties.map(\.name),
      extra: extra, isDay: isDay)
    result = EntityStore.Rescue(entity: table.name)
  }

  /// The column of the property by which items are the same.
  private(set) lazy var identityPosition = table.schema.identity.flatMap { identity in
    shape.columns.firstIndex { $0.name == identity }
  }

  /// The type of that property, as well as it is known.
  private(set) lazy var identityType = table.schema.identity.flatMap { identity in
    let schema = known?.identity == identity ? known : table.schema
    return schema?.properties.first { $0.name == identity }?.type
  }

  /// Inserts a row with all its columns.
  private(set) lazy var insert: String = {
    let names = shape.columns.map { SQL.quoted($0.name) }.joined(separator: ", ")
    let marks = shape.columns.map { _ in "?" }.joined(separator: ", ")
    return "INSERT INTO \(SQL.quoted(table.name)) (\(names)) VALUES (\(marks))"
  }()
}
