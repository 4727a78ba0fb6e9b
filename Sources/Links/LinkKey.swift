import CSodium

/// The secret key that signs a store's links: 32 bytes that are never printed.
package struct LinkKey: Sendable {
  /// The size of a key in bytes.
  package static let size = 32

  let bytes: [UInt8]

  /// Creates a key from 32 bytes; nil for any other number.
  package init?(bytes: [UInt8]) {
    guard bytes.count == Self.size else { return nil }
    self.bytes = bytes
  }

  /// Generates a key; nil if the system has no random source.
  package static func random() -> LinkKey? {
    guard sodium_init() >= 0 else { return nil }
    var bytes = [UInt8](repeating: 0, count: size)
    randombytes_buf(&bytes, size)
    return LinkKey(bytes: bytes)
  }

  /// The key's id in links and in the store: the first 8 hexadecimal digits of its SHA-256.
  package var id: String { String(SHA256.hash(bytes).hexadecimal.prefix(8)) }

  /// Returns the authentication code of a text (HMAC-SHA-256), as URL-safe base64.
  package func code(of text: some StringProtocol) -> String {
    SHA256.authenticate(text, key: bytes).base64URL
  }
}

extension LinkKey: CustomStringConvertible, CustomReflectable {
  /// The key's id, never the key.
  package var description: String { "LinkKey \(id)" }

  /// Contains the key's id only, so that dumps never contain the key.
  package var customMirror: Mirror { Mirror(self, children: ["id": id]) }
}
