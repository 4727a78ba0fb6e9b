import CRanking
import CSQLite
import Glibc

extension Connection {
  /// The name in SQL of `WordSeparation.separated`, which the views of text indexes call.
  static let separationFunction = "errand_words"

  /// The name in SQL of `NameWords.text`, whose first argument has a letter for each other one:
  /// `a` for an address, `t` for a title.
  static let namesFunction = "errand_names"

  /// The name in SQL of `PackedText.text`; what is not packed stays as it is.
  static let unpackingFunction = "errand_unpacked"

  /// The name in SQL of `CaseFolding.areSame`.
  static let samenessFunction = "errand_same"

  /// What SQLite calls for a function.
  private typealias Function =
    @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void

  /// Makes known to SQL what the views of text indexes and searches call.
  func registerWords() throws(StoreError) {
    try register(Self.samenessFunction, 2) { context, _, arguments in
      guard let left = Connection.text(arguments?[0]), let right = Connection.text(arguments?[1])
      else { return }
      sqlite3_result_int(context, CaseFolding.areSame(left, right) ? 1 : 0)
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
