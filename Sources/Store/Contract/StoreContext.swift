package import CEL
package import Items

/// What the store asks of its host: time, chance, the user's zone, and what makes URLs equal.
package struct StoreContext {
  /// The time now.
  package var now: () -> Timestamp
  /// Random bytes, as many as asked for, for the global ids of items.
  package var randomBytes: (Int) -> [UInt8]
  /// The text by which two values of an identity property of type `url` are the same.
  package var canonicalURL: (String) -> String
  /// The day in the user's zone, as `YYYY-MM-DD`.
  package var dateText: (Timestamp) -> String
  /// The first moment of a day in the user's zone; nil when the text is not a day.
  package var midnight: (String) -> Timestamp?
  /// Whether a text is a URL, which values of a property that becomes one must be.
  package var isURL: (String) -> Bool
  /// The definition of an entity that another one refers to; nil when there is none.
  package var schema: (String) -> EntitySchema?

  /// Whether getters without a zone, such as `getHours()`, give parts of a moment in UTC.
  package var localIsUTC: () -> Bool = { true }

  /// The user's language as ISO 639-1 has it, of which searches know the endings of words.
  package var language = "en"

  /// For how long runs that are over are kept, in microseconds.
  package var keptRunTime: () -> Int64 = { StoreContext.usualKeptRunTime }
  /// For how long they are where nobody said how long: thirty days.
  package static let usualKeptRunTime: Int64 = 30 * 86_400 * 1_000_000

  /// Whether nothing is ever written, neither items nor tables that follow their definitions.
  package var readsOnly = false

  /// The steps that evaluating one filter may take for all items together.
  package var filterSteps = 50_000_000

  /// Hears that the items of an entity are about to follow a change, and about how many there are.
  package var willMigrate: (_ entity: String, _ count: Int) -> Void = { _, _ in }

  /// Hears that the items of an entity followed a change, and where the store is kept as it was.
  package var didCopyBeforeMigrating: (_ entity: String, _ path: String) -> Void = { _, _ in }

  /// Hears that another process has kept the store busy for two seconds, and which, if it is known.
  package var isWaiting: ((LockHolder?) -> Void)?

  /// Whether the work is to end; asked again and again in long statements and waits.
  package var isCancelled: (() -> Bool)?

  package init(
    now: @escaping () -> Timestamp, randomBytes: @escaping (Int) -> [UInt8],
    canonicalURL: @escaping (String) -> String,
    isURL: @escaping (String) -> Bool = { _ in true }, dateText: @escaping (Timestamp) -> String,
    midnight: @escaping (String) -> Timestamp?,
    schema: @escaping (String) -> EntitySchema? = { _ in nil }
  ) {
    self.now = now
    self.randomBytes = randomBytes
    self.canonicalURL = canonicalURL
    self.isURL = isURL
    self.dateText = dateText
    self.midnight = midnight
    self.schema = schema
  }
}

/// Where a store is kept.
package enum StoreLocation: Hashable, Sendable {
  /// A file, made with its folder when it is not there.
  case file(String)
  /// The memory of this process.
  case memory

  /// Reads a path as given on the command line, where `:memory:` means no file.
  package init(path: String) {
    self = path == ":memory:" ? .memory : .file(path)
  }
}
