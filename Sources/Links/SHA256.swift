import CSodium

/// SHA-256, and HMAC with it.
package enum SHA256 {
  /// Returns the hash of bytes: 32 bytes.
  package static func hash(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    var stream = Stream()
    stream.add(Array(bytes))
    return stream.finish()
  }

  /// Returns the hash of a text's UTF-8 as 64 hexadecimal digits.
  package static func hex(of text: String) -> String { hash(text.utf8).hexadecimal }

  /// Returns the HMAC-SHA-256 of a text's UTF-8 with a 32-byte key.
  package static func authenticate(_ text: some StringProtocol, key: [UInt8]) -> [UInt8] {
    precondition(key.count == Int(crypto_auth_hmacsha256_KEYBYTES))
    let input = Array(text.utf8)
    var output = [UInt8](repeating: 0, count: Int(crypto_auth_hmacsha256_BYTES))
    _ = crypto_auth_hmacsha256(&output, input, UInt64(input.count), key)
    return output
  }
}

extension SHA256 {
  /// An incremental hash, for data that is not in memory as a whole.
  package struct Stream {
    private var state = crypto_hash_sha256_state()

    /// Creates an empty hash.
    package init() { _ = crypto_hash_sha256_init(&state) }

    /// Adds bytes.
    package mutating func add(_ bytes: [UInt8]) {
      _ = crypto_hash_sha256_update(&state, bytes, UInt64(bytes.count))
    }

    /// Returns the hash, 32 bytes; `add` must not be called afterwards.
    package mutating func finish() -> [UInt8] {
      var output = [UInt8](repeating: 0, count: Int(crypto_hash_sha256_BYTES))
      _ = crypto_hash_sha256_final(&state, &output)
      return output
    }
  }
}
