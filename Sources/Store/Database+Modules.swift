/// The modules of a store.
extension Database {
  /// Reads, finds, creates, changes and deletes items.
  package var items: ItemStore { ItemStore(database: self) }
  /// Ranking, highlighting and suggestions of searches.
  package var search: ItemSearch { ItemSearch(database: self) }
  /// Items like others, and the tags that they suggest.
  package var likeness: LikenessSearch { LikenessSearch(database: self) }
  /// The change log, for undo and redo.
  package var changes: ChangeLog { ChangeLog(database: self) }
  /// Recorded runs with their journals and leases.
  package var runs: RunStore { RunStore(database: self) }
  /// Jobs, and the cursors of automations.
  package var jobs: JobQueue { JobQueue(database: self) }
  /// The receipts of imported shares.
  package var receipts: ReceiptStore { ReceiptStore(database: self) }
  /// The sharing of items with other machines.
  package var hub: HubStore { HubStore(database: self) }
  /// The calendars that are kept in step with the library.
  package var calendars: CalendarStore { CalendarStore(database: self) }
}
