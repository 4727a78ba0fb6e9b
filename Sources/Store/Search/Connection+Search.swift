import CRanking
import CSQLite
import Glibc

extension Connection {
  /// The name in SQL of what tells whether a phrase whose last word may go on stands in a text.
  static let standsInFunction = "errand_stands_in"

  /// The name in SQL of what gives the forms in which such a phrase stands in a text.
  static let completionsFunction = "errand_completions"

  /// The name in SQL of what counts phrases in texts.
  static let countsFunction = "errand_counts"

  /// Makes known what searches call besides FTS5, once.
  func registerSearch() throws(StoreError) {
    guard !isSearchRegistered else { return }
    var options = EntityTable.tokenizerOptions.map { UnsafePointer(strdup($0)) }
    defer { for option in options { free(UnsafeMutableRawPointer(mutating: option)) } }
    let status = errand_register_search(handle, &options, Int32(options.count))
    guard status == SQLITE_OK else {
      throw failure(status, doing: "registering what searches need")
    }
    isSearchRegistered = true
  }
}
