package import Store

/// Why an import or an export ended, as a fact that each front words with what to do about it.
package enum ExchangeError: Error, Sendable {
  /// The file is compressed, so that none of its lines can be read.
  case compressed
  /// The file is an archive of several files.
  case archive
  /// The file is too large to be held as a whole, which its format needs.
  case tooLarge(bytes: Int)
  /// The file has no bytes but white space.
  case empty
  /// The file is not text, which its format is.
  case notText
  /// The file looks like YAML, which is not a format of an import.
  case yaml
  /// The file holds nothing in the format that was named, and looks like one of another.
  case nothing(format: String, likely: String)
  /// There is no format of a name.
  case unknownFormat(String)
  /// The format is that of a database, and the file is none.
  case noDatabase
  /// The database of another program can't be read, in SQLite's words.
  case database(String)
  /// A format can't hold the items of an entity, which have no address.
  case noAddress(entity: String)
  /// No temporary file can be made in a folder; the code of the system.
  case noTemporaryFile(folder: String, code: Int32)
  /// The temporary file can't be written or read; the code of the system.
  case temporaryFile(code: Int32)
  /// The store failed while a batch was written.
  case store(StoreError)
}
