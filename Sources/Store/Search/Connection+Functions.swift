import CEL
import CRanking
import CSQLite
import Glibc

extension Connection {
  /// The SQL name of `WordSeparation.separated`, used by the views of text indexes.
  static let separationFunction = "errand_words"

  /// The SQL name of `NameWords.text`; its first argument has a letter for each other one: `a` for
  /// an address, `t` for a title.
  static let namesFunction = "errand_names"

  /// The SQL name of `PackedText.text`; uncompressed text is returned unchanged.
  static let unpackingFunction = "errand_unpacked"

  /// The SQL name of `CaseFolding.isWithin`.
  static let tagFunction = "errand_tag"

  /// The SQL name of `CaseFolding.areSame`.
  static let samenessFunction = "errand_same"

  /// The type of an SQL function's callback.
  private typealias Function =
    @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void

  /// Registers the SQL functions used by the views of text indexes and by searches.
  func registerWords() throws(StoreError) {
    try register(Self.samenessFunction, 2) { context, _, arguments in
      guard let left = Connection.text(arguments?[0]), let right = Connection.text(arguments?[1])
      else { return }
      sqlite3_result_int(context, CaseFolding.areSame(left, right) ? 1 : 0)
    }
    try register(Self.tagFunction, 2) { context, _, arguments in
      guard let tag = Connection.text(arguments?[0]), let root = Connection.text(arguments?[1])
      else { return }
      sqlite3_result_int(context, CaseFolding.isWithin(tag, root) ? 1 : 0)
    }
    try register(Self.namesFunction, -1) { context, count, arguments in
      guard count > 0, let kinds = Connection.text(arguments?[0]) else { return }
      let sources = zip(kinds.utf8, 1..<Int(count)).compactMap { kind, index in
        Connection.text(arguments?[index]).map { text -> NameWords.Source in
          kind == UInt8(ascii: "a") ? .address(text) : .title(text)
        }
      }
      Connection.give(NameWords.text(of: sources), to: context)
    }
    try register(Self.unpackingFunction, 1) { context, _, arguments in
      guard let argument = arguments?[0] else { return }
      guard sqlite3_value_type(argument) == SQLITE_BLOB, let bytes = sqlite3_value_blob(argument)
      else { return sqlite3_result_value(context, argument) }
      let count = Int(sqlite3_value_bytes(argument))
      let packed = [UInt8](UnsafeRawBufferPointer(start: bytes, count: count))
      Connection.give(PackedText.text(packed), to: context)
    }
    try register(Self.separationFunction, 1) { context, _, arguments in
      guard let text = Connection.text(arguments?[0]) else { return }
      Connection.give(WordSeparation.separated(text), to: context)
    }
  }

  /// The SQL name of a function that returns the second of a day or a moment written as text.
  static let momentFunction = "errand_moment"

  /// Registers the function by which days and moments are sorted, in the time zone of `midnight`.
  func registerMoments() throws(StoreError) {
    let status = sqlite3_create_function_v2(
      handle, Self.momentFunction, 1, SQLITE_UTF8 | SQLITE_INNOCUOUS,
      Unmanaged.passUnretained(self).toOpaque(),
      { context, _, arguments in
        guard let owner = sqlite3_user_data(context),
          let text = Connection.text(arguments?[0])
        else { return }
        let connection = Unmanaged<Connection>.fromOpaque(owner).takeUnretainedValue()
        guard let midnight = connection.midnight,
          let moment = WhenText.timestamp(text, midnight: midnight)
        else { return }
        sqlite3_result_int64(context, moment.seconds)
      }, nil, nil, nil)
    guard status == SQLITE_OK else { throw failure(status, doing: "registering a function") }
  }

  private func register(
    _ name: String, _ count: Int32, _ function: Function
  ) throws(StoreError) {
    let status = sqlite3_create_function_v2(
      handle, name, count, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, nil, function,
      nil, nil, nil)
    guard status == SQLITE_OK else { throw failure(status, doing: "registering a function") }
  }

  /// The text of a function's argument; nil for NULL.
  private static func text(_ argument: OpaquePointer?) -> String? {
    guard let argument, let bytes = sqlite3_value_text(argument) else { return nil }
    let count = Int(sqlite3_value_bytes(argument))
    return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }

  private static func give(_ text: String, to context: OpaquePointer?) {
    var text = text
    text.withUTF8 { buffer in
      buffer.withMemoryRebound(to: CChar.self) { characters in
        errand_result_text(context, characters.baseAddress, Int32(clamping: characters.count))
      }
    }
  }

  /// The SQL name of a function that tests whether a text contains a phrase with a prefix.
  static let standsInFunction = "errand_stands_in"

  /// The SQL name of a function that returns the completions of such a phrase in a text.
  static let completionsFunction = "errand_completions"

  /// The SQL name of a function that counts phrases in texts.
  static let countsFunction = "errand_counts"

  /// Registers the functions that searches need besides FTS5, once.
  func registerSearch() throws(StoreError) {
    guard !isSearchRegistered else { return }
    var options = EntityTable.tokenizerOptions.map { UnsafePointer(strdup($0)) }
    defer { for option in options { free(UnsafeMutableRawPointer(mutating: option)) } }
    let status = errand_register_search(handle, &options, Int32(options.count))
    guard status == SQLITE_OK else {
      throw failure(status, doing: "registering the search functions")
    }
    isSearchRegistered = true
  }
}
