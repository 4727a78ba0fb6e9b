import CSQLite

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

  /// Makes known to SQL when texts are the same but for capitals.
  private func registerSameness() throws(StoreError) {
    let status = sqlite3_create_function_v2(
      handle, Self.samenessFunction, 2,
      SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, nil,
      { context, _, arguments in
        guard let left = Connection.text(arguments?[0]), let right = Connection.text(arguments?[1])
        else { return }
        sqlite3_result_int(context, CaseFolding.areSame(left, right) ? 1 : 0)
      }, nil, nil, nil)
    guard status == SQLITE_OK else { throw failure(status, doing: "registering a function") }
  }

  /// The text of a function's argument; nil for NULL.
  private static func text(_ argument: OpaquePointer?) -> String? {
    guard let argument, let bytes = sqlite3_value_text(argument) else { return nil }
    let count = Int(sqlite3_value_bytes(argument))
    return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }

  /// Makes known to SQL what items are called.
  private func registerNames() throws(StoreError) {
    let status = sqlite3_create_function_v2(
      handle, Self.namesFunction, -1,
      SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, nil,
      { context, count, arguments in
        guard count > 0, let kinds = Connection.text(arguments?[0]) else { return }
        let sources = zip(kinds.utf8, 1..<Int(count)).compactMap { kind, index in
          Connection.text(arguments?[index]).map { text -> NameWords.Source in
            kind == UInt8(ascii: "a") ? .address(text) : .title(text)
          }
        }
        Connection.give(NameWords.text(of: sources), to: context)
      }, nil, nil, nil)
    guard status == SQLITE_OK else { throw failure(status, doing: "registering a function") }
  }

  private static func give(_ text: String, to context: OpaquePointer?) {
    var text = text
    text.withUTF8 { buffer in
      buffer.withMemoryRebound(to: CChar.self) { characters in
        errand_result_text(context, characters.baseAddress, Int32(clamping: characters.count))
      }
    }
  }

  /// Makes known to SQL what packed texts say.
  private func registerUnpacking() throws(StoreError) {
    let status = sqlite3_create_function_v2(
      handle, Self.unpackingFunction, 1,
      SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, nil,
      { context, _, arguments in
        guard let argument = arguments?[0] else { return }
        guard sqlite3_value_type(argument) == SQLITE_BLOB,
          let bytes = sqlite3_value_blob(argument)
        else { return sqlite3_result_value(context, argument) }
        let count = Int(sqlite3_value_bytes(argument))
        let packed = [UInt8](UnsafeRawBufferPointer(start: bytes, count: count))
        Connection.give(PackedText.text(packed), to: context)
      }, nil, nil, nil)
    guard status == SQLITE_OK else { throw failure(status, doing: "registering a function") }
  }

  /// Makes the separation of words known to SQL, what items are called, and what searches compare
  /// by.
  func registerWords() throws(StoreError) {
    try registerSameness()
    try registerNames()
    try registerUnpacking()
    let status = sqlite3_create_function_v2(
      handle, Self.separationFunction, 1,
      SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, nil,
      { context, _, arguments in
        guard let text = Connection.text(arguments?[0]) else { return }
        Connection.give(WordSeparation.separated(text), to: context)
      }, nil, nil, nil)
    guard status == SQLITE_OK else { throw failure(status, doing: "registering a function") }
  }
}
