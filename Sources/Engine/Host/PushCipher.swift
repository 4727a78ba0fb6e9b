/// The cryptography of Web Push; in `errand-net` only.
///
/// - Throws: each function throws `RunError` with the code `failed`.
package struct PushCipher: Sendable {
  /// A key pair on the curve P-256.
  package struct KeyPair: Sendable {
    /// The private key, 32 bytes.
    package let secret: [UInt8]
    /// The public key, an uncompressed point of 65 bytes.
    package let point: [UInt8]

    package init(secret: [UInt8], point: [UInt8]) {
      self.secret = secret
      self.point = point
    }
  }

  /// The keys of a subscription (W3C Push API, `PushEncryptionKeyName`).
  package struct Receiver: Sendable {
    /// The public key `p256dh`.
    package let point: [UInt8]
    /// The secret `auth`, 16 bytes.
    package let secret: [UInt8]

    package init(point: [UInt8], secret: [UInt8]) {
      self.point = point
      self.secret = secret
    }
  }

  /// Makes a key pair.
  package var makeKeys: @Sendable () throws -> KeyPair
  /// Encrypts a message (RFC 8291), with a key pair and a salt of 16 bytes that are used once.
  package var seal:
    @Sendable (_ message: [UInt8], Receiver, _ once: KeyPair, _ salt: [UInt8]) throws -> [UInt8]
  /// Signs a message (ES256).
  package var sign: @Sendable (_ message: [UInt8], KeyPair) throws -> [UInt8]

  package init(
    makeKeys: @escaping @Sendable () throws -> KeyPair,
    seal:
      @escaping @Sendable (_ message: [UInt8], Receiver, _ once: KeyPair, _ salt: [UInt8]) throws ->
      [UInt8],
    sign: @escaping @Sendable (_ message: [UInt8], KeyPair) throws -> [UInt8]
  ) {
    self.makeKeys = makeKeys
    self.seal = seal
    self.sign = sign
  }
}
