import CSodium

/// The secret with which the links of one store are signed: 32 bytes that no text ever shows.
package struct LinkKey: Sendable {
  /// How many bytes a key has.
  package static let size = 32

  let bytes: [UInt8]

  /// A key from its bytes; nil when they are not 32.
  package init?(bytes: [UInt8]) {
    guard bytes.count == Self.size else { return nil }
    self.bytes = bytes
  }

  /// A new key from the system's random source.
  package static func random() -> LinkKey? {
    guard sodium_init() >= 0 else { return nil }
    var bytes = [UInt8](repeating: 0, count: size)
    randombytes_buf(&bytes, size)
    return LinkKey(bytes: bytes)
  }

  /// The key's name in links and in the store: the first 8 hexadecimal digits of its SHA-256.
  package var id: String { String(SHA256.hash(bytes).hexadecimal.prefix(8)) }
}

extension LinkKey: CustomStringConvertible, CustomReflectable {
  /// The key's name, never the key.
  package var description: String { "LinkKey \(id)" }

  /// Shows the key's name only, so that no dump of a value holds the key.
  package var customMirror: Mirror { Mirror(self, children: ["id": id]) }
}
