/// The items of all entities in one SQLite database, with all that is kept beside them.
///
/// Each part is reached by its name; the transactions that hold them together are the database's.
/// Several processes may use one file at once: writers wait for one another.
package struct EntityStore {
  package let database: Database

  /// Opens a store, making it first when it is not there.
  ///
  /// - Throws: `readOnly`, `full`, `corrupt`, `notAStore`, `newerFormat`, `busy`, `io`.
  package init(at location: StoreLocation, context: StoreContext) throws {
    database = try Database(at: location, context: context)
  }

  /// What writes: the session of the run that goes on, else one of none.
  package var session: WriteSession { database.session }
  /// Items: reading, finding, creating, changing, deleting.
  package var items: ItemStore { database.items }
  /// What there is to say of searches.
  package var search: ItemSearch { database.search }
  /// The log of changes, which are taken back and made again.
  package var changes: ChangeLog { database.changes }
  /// Recorded runs with their journals, and who may write for them.
  package var runs: RunStore { database.runs }
  /// Jobs, and the cursors of automations.
  package var jobs: JobQueue { database.jobs }
  /// The shares that were taken in.
  package var receipts: ReceiptStore { database.receipts }
}

extension Database {
  package var items: ItemStore { ItemStore(database: self) }
  var search: ItemSearch { ItemSearch(database: self) }
  package var changes: ChangeLog { ChangeLog(database: self) }
  package var runs: RunStore { RunStore(database: self) }
  var jobs: JobQueue { JobQueue(database: self) }
  var receipts: ReceiptStore { ReceiptStore(database: self) }
}
