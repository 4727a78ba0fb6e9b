package import CEL
package import Items
package import Store

/// What an exchange of items asks of whoever runs it: definitions, the store, days and moments.
package struct ExchangeContext {
  /// The names of the entities in reach.
  package let entityNames: () -> [String]
  /// The schema of an entity.
  package let schema: (String) throws -> EntitySchema
  /// The store.
  package let store: () throws -> EntityStore
  /// The store with the table of an entity ready.
  package let preparedStore: (_ entity: String) throws -> EntityStore
  /// The day in the person's zone, as `YYYY-MM-DD`.
  package let day: (Timestamp) -> String
  /// The moment that a day or a local time in ISO 8601 means in the person's zone.
  package let moment: (String) -> Timestamp?

  package init(
    entityNames: @escaping () -> [String], schema: @escaping (String) throws -> EntitySchema,
    store: @escaping () throws -> EntityStore,
    preparedStore: @escaping (_ entity: String) throws -> EntityStore,
    day: @escaping (Timestamp) -> String, moment: @escaping (String) -> Timestamp?
  ) {
    self.entityNames = entityNames
    self.schema = schema
    self.store = store
    self.preparedStore = preparedStore
    self.day = day
    self.moment = moment
  }
}
