import CSQLite

extension Connection {
  /// The name in SQL of `WordSeparation.separated`, which the views of text indexes call.
  static let separationFunction = "errand_words"

  /// Makes the separation of words known to SQL.
  func registerWords() throws(StoreError) {
    let status = sqlite3_create_function_v2(
      handle, Self.separationFunction, 1,
      SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, nil,
      { context, _, arguments in
        guard let argument = arguments?[0] else { return }
        guard let bytes = sqlite3_value_text(argument) else {
          return sqlite3_result_value(context, argument)
        }
        let count = Int(sqlite3_value_bytes(argument))
        let text = String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
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
