package import CEL
package import Items

/// The services and limits that the host gives to a store.
package struct StoreContext {
  package var world: StoreWorld
  package var rules: StoreRules
  package var events = StoreEvents()

  /// Whether the store is read-only: neither items nor migrations are written.
  package var readsOnly = false

  /// The step limit for evaluating one filter, over all items.
  package var filterSteps = 50_000_000

  package init(world: StoreWorld, rules: StoreRules) {
    self.world = world
    self.rules = rules
  }
}

/// The clock, the time zone and the random source of a store.
package struct StoreWorld {
  /// The current time.
  package var now: () -> Timestamp
  /// Returns a number of random bytes, for global ids.
  package var randomBytes: (Int) -> [UInt8]
  /// The day in the user's zone, as `YYYY-MM-DD`.
  package var dateText: (Timestamp) -> String
  /// The first moment of a day in the user's zone; nil when the text is not a day.
  package var midnight: (String) -> Timestamp?
  /// Returns the moment with the local time of the first on the day of the second.
  package var sameTime: (Timestamp, Timestamp) -> Timestamp
  /// Whether getters without a time zone, such as `getHours()`, use UTC.
  package var localIsUTC: () -> Bool

  package init(
    now: @escaping () -> Timestamp, randomBytes: @escaping (Int) -> [UInt8],
    dateText: @escaping (Timestamp) -> String, midnight: @escaping (String) -> Timestamp?,
    sameTime: @escaping (Timestamp, Timestamp) -> Timestamp = {
      Timestamp(
        seconds: $1.seconds + $0.seconds % 86_400)
    },
    localIsUTC: @escaping () -> Bool = { true }
  ) {
    self.sameTime = sameTime
    self.now = now
    self.randomBytes = randomBytes
    self.dateText = dateText
    self.midnight = midnight
    self.localIsUTC = localIsUTC
  }
}

/// The rules for the values of a store, and the schemas of its entities.
package struct StoreRules {
  /// The canonical form of a URL, which decides whether two identity values are equal.
  package var canonicalURL: (String) -> String
  /// Returns the one of two addresses with one canonical form to keep: the stored or the given one.
  package var preferredURL: (_ stored: String, _ given: String) -> String = { $1 }
  /// Whether a text is a URL; checked when a migration changes a property's type to URL.
  package var isURL: (String) -> Bool
  /// The schema of an entity that another one refers to; nil when there is none.
  package var schema: (String) -> EntitySchema?
  /// The user's language (ISO 639-1), whose word endings searches know.
  package var language: String
  /// The person's holidays; nil when unknown.
  package var holidays: () -> Holidays? = { nil }
  /// The occurrences of an item within a range of time, at most as many as a limit.
  package var occurrences: (Record, EntitySchema, Range<Timestamp>, _ limit: Int) -> [Record]
  /// The retention of finished runs.
  package var runRetention: () -> Duration = { defaultRunRetention }
  /// The default retention of finished runs: thirty days.
  package static let defaultRunRetention = Duration.seconds(30 * 86_400)

  package init(
    canonicalURL: @escaping (String) -> String, isURL: @escaping (String) -> Bool = { _ in true },
    schema: @escaping (String) -> EntitySchema? = { _ in nil }, language: String = "en",
    holidays: @escaping () -> Holidays? = { nil },
    occurrences: @escaping (Record, EntitySchema, Range<Timestamp>, _ limit: Int) -> [Record] = {
      record, _, _, _ in [record]
    }
  ) {
    self.occurrences = occurrences
    self.holidays = holidays
    self.canonicalURL = canonicalURL
    self.isURL = isURL
    self.schema = schema
    self.language = language
  }
}

/// The events of a store that its host shows to the person or decides.
package struct StoreEvents {
  /// Called before the items of an entity are migrated, with their approximate number.
  package var willMigrate: (_ entity: String, _ count: Int) -> Void = { _, _ in }
  /// Called after a migration, with the path of the backup made before it.
  package var didCopyBeforeMigrating: (_ entity: String, _ path: String) -> Void = { _, _ in }
  /// Called when a query has only the first occurrences of an item, which has more than a limit.
  package var didCutSeries: (_ item: String, _ limit: Int) -> Void = { _, _ in }
  /// Called when another process has held the lock for two seconds, with that process if known.
  package var isWaiting: ((LockHolder?) -> Void)?
  /// Whether the work is cancelled; polled during long statements and waits.
  package var isCancelled: (() -> Bool)?
}

/// The location of a store.
package enum StoreLocation: Hashable, Sendable {
  /// A file; created with its folder when missing.
  case file(String)
  /// The memory of this process.
  case memory

  /// Parses a path as given on the command line; `:memory:` means no file.
  package init(path: String) { self = path == ":memory:" ? .memory : .file(path) }
}
