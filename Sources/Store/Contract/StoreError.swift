/// An error of the store, worded for a person.
///
/// A bound value never appears in a message unless the caller gave it as a name or a reference.
package struct StoreError: Error, Sendable, CustomStringConvertible {
  /// The kinds of failure that callers distinguish.
  package enum Code: String, Sendable {
    /// An item with this identity is stored already.
    case conflict
    /// The item, entity or property does not exist.
    case notFound = "not-found"
    /// A value does not fit its property.
    case invalidValue = "invalid-value"
    /// A changed definition cannot be carried over to the stored items.
    case incompatible
    /// Another process held the store for too long.
    case busy
    /// The store, its file or its folder cannot be written.
    case readOnly = "read-only"
    /// The disk or the quota is full.
    case full
    /// The file is damaged.
    case corrupt
    /// The file is not an Errand store.
    case notAStore = "not-a-store"
    /// The store was written by a newer release.
    case newerFormat = "newer-format"
    /// The system could not open, read or write the file.
    case io
    /// Another process has taken over or ended the run that is writing.
    case superseded
    /// The work was cancelled.
    case cancelled
    /// An internal statement failed: a bug in Errand.
    case bug = "internal"
  }

  /// The kind of failure.
  package let code: Code
  /// The message: what failed, with which name, and what to do.
  package let message: String
  /// The extended result code of SQLite, or 0.
  package let sqliteCode: Int32
  /// The suggested remedy; nil when the message is enough.
  package let remedy: StoreRemedy?
  /// Whether earlier writes of the run are lost too, since SQLite rolled back the transaction.
  package internal(set) var lostEarlierWrites = false

  package init(_ code: Code, _ message: String, remedy: StoreRemedy? = nil, sqliteCode: Int32 = 0) {
    self.code = code
    self.remedy = remedy
    self.message = message
    self.sqliteCode = sqliteCode
  }

  /// The message.
  package var description: String { message }

  /// Whether the store failed, rather than the request being invalid.
  var isFault: Bool { [.busy, .full, .corrupt, .notAStore, .io, .bug].contains(code) }

  /// The error code of the language (language.md §8).
  package var languageCode: String {
    switch code {
    case .conflict, .notFound, .invalidValue, .cancelled, .busy: code.rawValue
    case .io: "io"
    case .bug: "internal"
    case .superseded: "busy"
    case .incompatible, .readOnly, .full, .corrupt, .notAStore, .newerFormat: "store"
    }
  }
}

/// A remedy for a store error; each front end words it in its own way.
package enum StoreRemedy: Hashable, Sendable {
  /// Recover the readable data into a new file.
  case rescue
  /// Rebuild derived data from the items.
  case repair
  /// Choose another file, since this one is not a store.
  case otherFile
  /// Choose another file, or recover the readable data if it was a store.
  case otherFileOrRescue
  /// Make the file and its folder writable, or choose another location.
  case makeWritable
  /// Change the existing item, or choose a conflict policy.
  case resolveConflict
  /// Choose another location for the store.
  case otherPlace
}
