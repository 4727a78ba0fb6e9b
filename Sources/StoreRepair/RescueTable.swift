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

  /// The columns of the properties by which items are the same, with their types as well as they
  /// are known; empty when one of them is not there.
  private(set) lazy var identity: [(position: Int, type: DataType)] = {
    let names = table.schema.identities
    let schema = known?.identities == names ? known : table.schema
    let columns = names.compactMap { name -> (position: Int, type: DataType)? in
      guard let position = shape.columns.firstIndex(where: { $0.name == name }),
        let type = schema?.properties.first(where: { $0.name == name })?.type
      else { return nil }
      return (position, type)
    }
    return columns.count == names.count ? columns : []
  }()

  /// Inserts a row with all its columns.
  private(set) lazy var insert: String = {
    let names = shape.columns.map { SQL.quoted($0.name) }.joined(separator: ", ")
    let marks = shape.columns.map { _ in "?" }.joined(separator: ", ")
    return "INSERT INTO \(SQL.quoted(table.name)) (\(names)) VALUES (\(marks))"
  }()
}
