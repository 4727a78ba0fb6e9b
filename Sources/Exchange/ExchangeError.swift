package import Store

/// Why an import or an export ended, as a fact that each front words with what to do about it.
package enum ExchangeError: Error, Sendable {
  /// The file is compressed, so that none of its lines can be read.
  case compressed
  /// No temporary file can be made in a folder; the code of the system.
  case noTemporaryFile(folder: String, code: Int32)
  /// The temporary file can't be written or read; the code of the system.
  case temporaryFile(code: Int32)
  /// The store failed while a batch was written.
  case store(StoreError)
}
