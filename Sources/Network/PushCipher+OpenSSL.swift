import CCrypto
package import Engine

extension PushCipher {
  /// Encryption and signatures by OpenSSL.
  package static let openSSL = PushCipher(
    makeKeys: {
      var secret = [UInt8](repeating: 0, count: 32)
      var point = [UInt8](repeating: 0, count: 65)
      try expect(errand_p256_make(&secret, &point))
      return KeyPair(secret: secret, point: point)
    },
    seal: seal,
    sign: { message, keys in
      var signature = [UInt8](repeating: 0, count: 64)
      try expect(errand_p256_sign(keys.secret, keys.point, message, message.count, &signature))
      return signature
    })

  /// The record size in the header: one record has the whole message (RFC 8291 §4).
  private static let recordSize: [UInt8] = [0, 0, 0x10, 0]

  /// Encrypts a message (RFC 8291 §3.4, RFC 8188 §2).
  @Sendable
  private static func seal(
    _ message: [UInt8], _ receiver: Receiver, _ once: KeyPair, _ salt: [UInt8]
  ) throws -> [UInt8] {
    guard receiver.point.count == 65, once.point.count == 65, once.secret.count == 32 else {
      throw RunError(.failed, "a key for Web Push has the wrong length")
    }
    var agreed = [UInt8](repeating: 0, count: 32)
    try expect(errand_p256_agree(once.secret, once.point, receiver.point, &agreed))
    let shared = try code(
      code(agreed, key: receiver.secret),
      [Array("WebPush: info\0".utf8), receiver.point, once.point, [1]])
    let pseudorandom = try code(shared, key: salt)
    let key = try code(pseudorandom, [Array("Content-Encoding: aes128gcm\0".utf8), [1]])
    let nonce = try code(pseudorandom, [Array("Content-Encoding: nonce\0".utf8), [1]])
    // The byte 2 ends the last record.
    let padded = message + [2]
    var sealed = [UInt8](repeating: 0, count: padded.count + 16)
    try expect(errand_aes128gcm_seal(key, nonce, padded, padded.count, &sealed))
    return salt + recordSize + [UInt8(once.point.count)] + once.point + sealed
  }

  /// The code of a message under a key: a step of HKDF (RFC 5869 §2).
  private static func code(_ message: [UInt8], key: [UInt8]) throws -> [UInt8] {
    var code = [UInt8](repeating: 0, count: 32)
    try expect(errand_hmac_sha256(key, key.count, message, message.count, &code))
    return code
  }

  private static func code(_ key: [UInt8], _ parts: [[UInt8]]) throws -> [UInt8] {
    try code(Array(parts.joined()), key: key)
  }

  private static func expect(_ status: Int32) throws {
    guard status == 1 else {
      throw RunError(
        .failed, "OpenSSL cannot encrypt for Web Push",
        help: "install libssl3; a browser with a damaged key must be set up again")
    }
  }
}
