package import CEL
package import Items
package import Store

/// The dependencies of an import or export: definitions, store, dates and times.
///
/// The target Exchange owns import and export: the readers of other programs' bookmark formats, the import itself, and
/// the writers of the export formats.
package struct ExchangeContext {
  /// Returns the names of all entities.
  package let entityNames: () -> [String]
  /// Returns the schema of an entity.
  package let schema: (String) throws -> EntitySchema
  /// Opens the store.
  package let store: () throws -> Database
  /// Opens the store and prepares the table of an entity.
  package let preparedStore: (_ entity: String) throws -> Database
  /// Returns the date in the user's time zone, as `YYYY-MM-DD`.
  package let day: (Timestamp) -> String
  /// Parses a day or local time in ISO 8601 in the user's time zone.
  package let moment: (String) -> Timestamp?
  /// The person's time zone.
  package let zone: () -> TimeZoneRules
  /// The person's holidays.
  package let holidays: () -> Holidays?
  /// Stores the bytes of a file beside the store.
  package let keepFile: (_ bytes: [UInt8], _ name: String) throws -> Void

  package init(
    entityNames: @escaping () -> [String], schema: @escaping (String) throws -> EntitySchema,
    store: @escaping () throws -> Database,
    preparedStore: @escaping (_ entity: String) throws -> Database,
    day: @escaping (Timestamp) -> String, moment: @escaping (String) -> Timestamp?,
    zone: @escaping () -> TimeZoneRules = { .utc }, holidays: @escaping () -> Holidays? = { nil },
    keepFile: @escaping (_ bytes: [UInt8], _ name: String) throws -> Void = { _, _ in }
  ) {
    (self.zone, self.holidays, self.keepFile) = (zone, holidays, keepFile)
    self.entityNames = entityNames
    self.schema = schema
    self.store = store
    self.preparedStore = preparedStore
    self.day = day
    self.moment = moment
  }
}
