package import Store

/// The reason why an import or export failed; each front adds the wording.
package enum ExchangeError: Error, Sendable {
  /// The file is compressed.
  case compressed
  /// The file is an archive.
  case archive
  /// The file is too large for a format that must be held in memory.
  case tooLarge(bytes: Int)
  /// The file is empty or blank.
  case empty
  /// The file is not text, but its format is.
  case notText
  /// The file looks like YAML, which is not an import format.
  case yaml
  /// The file is of a kind that another command takes.
  case other(ForeignKind)
  /// The file is text in no known format.
  case unknown
  /// The file contains nothing in the named format and looks like another.
  case nothing(format: String, likely: String)
  /// The name of a format is unknown.
  case unknownFormat(String)
  /// The format is a database, but the file is not one.
  case noDatabase
  /// The database of another program cannot be read; SQLite's message.
  case database(String)
  /// The format cannot hold items of an entity without an address or, for a calendar, a day.
  case unfit(entity: String, need: String)
  /// A temporary file cannot be created in a folder; `errno`.
  case noTemporaryFile(folder: String, code: Int32)
  /// The temporary file cannot be written or read; `errno`.
  case temporaryFile(code: Int32)
  /// The store failed while writing a batch.
  case store(StoreError)
}
