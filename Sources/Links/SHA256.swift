import CSodium

/// The hash function SHA-256 and the message authentication code built on it.
package enum SHA256 {
  /// The hash of bytes: 32 bytes.
  package static func hash(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    let input = Array(bytes)
    var output = [UInt8](repeating: 0, count: Int(crypto_hash_sha256_BYTES))
    // It always returns 0: the state is on its stack and the input is in memory.
    _ = crypto_hash_sha256(&output, input, UInt64(input.count))
    return output
  }

  /// The hash of a text's UTF-8 as 64 hexadecimal digits.
  package static func hex(of text: String) -> String {
    hash(text.utf8).hexadecimal
  }

  /// HMAC-SHA-256 of a text's UTF-8 with a key of 32 bytes.
  static func authenticate(_ text: some StringProtocol, key: [UInt8]) -> [UInt8] {
    precondition(key.count == Int(crypto_auth_hmacsha256_KEYBYTES))
    let input = Array(text.utf8)
    var output = [UInt8](repeating: 0, count: Int(crypto_auth_hmacsha256_BYTES))
    _ = crypto_auth_hmacsha256(&output, input, UInt64(input.count), key)
    return output
  }
}

extension SHA256 {
  /// A hash that is made piece by piece, of data that is not held in memory.
  package struct Stream {
    private var state = crypto_hash_sha256_state()

    /// A hash of nothing so far.
    package init() { _ = crypto_hash_sha256_init(&state) }

    /// Takes in the next bytes.
    package mutating func add(_ bytes: [UInt8]) {
      _ = crypto_hash_sha256_update(&state, bytes, UInt64(bytes.count))
    }

    /// The hash of all that was taken in: 32 bytes; nothing may be added after it.
    package mutating func finish() -> [UInt8] {
      var output = [UInt8](repeating: 0, count: Int(crypto_hash_sha256_BYTES))
      _ = crypto_hash_sha256_final(&state, &output)
      return output
    }
  }
}
