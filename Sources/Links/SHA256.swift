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
