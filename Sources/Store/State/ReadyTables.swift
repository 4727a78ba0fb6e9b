/// The tables of entities that are ready for use.
package struct ReadyTables {
  /// Those of entities that are defined, by name.
  private var defined: [String: EntityTable] = [:]
  /// Those of entities that are not defined here and of which a change is being taken back.
  private var recorded: [String: EntityTable] = [:]
  /// The version of the database for which the definitions were last compared with the file.
  var checkedVersion: SQLValue?

  init() {}

  /// The table of an entity that is defined; nil when it is not ready.
  package internal(set) subscript(entity: String) -> EntityTable? {
    get { defined[entity] }
    set { defined[entity] = newValue }
  }

  /// All tables of entities that are defined.
  var all: [EntityTable] { Array(defined.values) }

  /// The table of an entity that is not defined here, as the store recorded it.
  func recorded(_ entity: String) -> EntityTable? { recorded[entity] }

  /// Keeps a table of an entity that is not defined here.
  mutating func keepRecorded(_ table: EntityTable) { recorded[table.name] = table }

  /// Forgets the tables of entities that are not defined here.
  mutating func forgetRecorded() { recorded = [:] }
}
