import CSQLite

extension Connection {
  /// The name in SQL of `WordSeparation.separated`, which the views of text indexes call.
  static let separationFunction = "errand_words"

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

  /// Makes the separation of words known to SQL, and what searches compare by.
  func registerWords() throws(StoreError) {
    try registerSameness()
    let status = sqlite3_create_function_v2(
      handle, Self.separationFunction, 1,
      SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, nil,
      { context, _, arguments in
        guard let text = Connection.text(arguments?[0]) else { return }
        var separated = WordSeparation.separated(text)
        separated.withUTF8 { buffer in
          buffer.withMemoryRebound(to: CChar.self) { characters in
            errand_result_text(context, characters.baseAddress, Int32(clamping: characters.count))
          }
        }
      }, nil, nil, nil)
    guard status == SQLITE_OK else { throw failure(status, doing: "registering a function") }
  }
}
