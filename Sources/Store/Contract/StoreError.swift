/// What went wrong in the store, in words for a person.
///
/// A bound value never appears in a message unless the caller gave it as a name or a reference.
package struct StoreError: Error, Sendable, CustomStringConvertible {
  /// The kinds of failure that callers tell apart.
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
    /// The file is something else than a store of ours.
    case notAStore = "not-a-store"
    /// The store was written by a newer release.
    case newerFormat = "newer-format"
    /// The system could not open, read or write the file.
    case io
    /// Another process has taken over the run that writes, or ended it.
    case superseded
    /// Whoever asked for the work ended it.
    case cancelled
    /// A statement of ours failed; that is a mistake in Errand.
    case bug = "internal"
  }

  /// The kind of failure.
  package let code: Code
  /// What failed, with which name, and what to do.
  package let message: String
  /// The extended result code of SQLite, or 0.
  package let sqliteCode: Int32
  /// What can be done about it; nil when the message says all.
  package let remedy: StoreRemedy?
  /// Whether what the run had written before is lost with it, since SQLite ended the transaction.
  package internal(set) var lostEarlierWrites = false

  package init(
    _ code: Code, _ message: String, remedy: StoreRemedy? = nil, sqliteCode: Int32 = 0
  ) {
    self.code = code
    self.remedy = remedy
    self.message = message
    self.sqliteCode = sqliteCode
  }

  /// The message.
  package var description: String { message }

  /// Whether the store failed, rather than what was asked of it.
  var isFault: Bool {
    switch code {
    case .busy, .full, .corrupt, .notAStore, .io, .bug: true
    case .conflict, .notFound, .invalidValue, .incompatible, .readOnly, .newerFormat,
      .superseded, .cancelled:
      false
    }
  }

  /// The code of the language (language.md §8) for this failure.
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

/// What can be done about a failure of the store; each front words it in its own way.
package enum StoreRemedy: Hashable, Sendable {
  /// Save what can be read to a new file.
  case rescue
  /// Make anew what can be made from the items.
  case repair
  /// Name another file, since this one is no store.
  case otherFile
  /// Name another file, or save what can be read if it was a store.
  case otherFileOrRescue
  /// Make the file and its folder writable, or choose another place.
  case makeWritable
  /// Change the item that is there, or choose what becomes of it.
  case resolveConflict
  /// Choose another place for the store.
  case otherPlace
}
