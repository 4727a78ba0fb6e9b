import CLinux
import CSodium
import Glibc
import POSIX

/// Sealed data: a mark, a key for it in a sealed box, and `crypto_secretstream` of libsodium in
/// pieces of 64 KiB. Data that is cut off, changed or reordered does not open.
package struct Sealer {
  /// The first bytes of sealed data.
  static let mark = Array("errand sealed 1\n".utf8)
  static let pieceSize = 64 << 10
  static let tagSize = 17
  static let boxSize = 32 + 48
  static let streamHeaderSize = 24

  private var state = crypto_secretstream_xchacha20poly1305_state()
  private var pending: [UInt8] = []
  private let write: ([UInt8]) throws -> Void

  /// Begins to seal for the holder of a key.
  ///
  /// - Parameter write: Receives the sealed bytes.
  package init(for publicKey: [UInt8], write: @escaping ([UInt8]) throws -> Void) throws {
    self.write = write
    // A core file of the sharing program must not reveal the share.
    _ = errand_hide_memory()
    var key = Vault.random(32)
    defer { sodium_memzero(&key, key.count) }
    var header = [UInt8](repeating: 0, count: Self.streamHeaderSize)
    crypto_secretstream_xchacha20poly1305_init_push(&state, &header, key)
    var box = [UInt8](repeating: 0, count: Self.boxSize)
    guard crypto_box_seal(&box, key, UInt64(key.count), publicKey) == 0 else {
      throw InboxError(.malformed, "the vault has no valid public key")
    }
    try write(Self.mark + box + header)
  }

  /// Seals further bytes.
  package mutating func add(_ bytes: [UInt8]) throws {
    pending += bytes
    var sealed = 0
    // The last piece is marked as final, so one piece is held back.
    while pending.count - sealed > Self.pieceSize {
      try push(Array(pending[sealed..<(sealed + Self.pieceSize)]), isLast: false)
      sealed += Self.pieceSize
    }
    pending.removeFirst(sealed)
  }

  /// Ends the data.
  package mutating func finish() throws {
    try push(pending, isLast: true)
    pending = []
    sodium_memzero(&state, MemoryLayout.size(ofValue: state))
  }

  private mutating func push(_ bytes: [UInt8], isLast: Bool) throws {
    var sealed = [UInt8](repeating: 0, count: bytes.count + Self.tagSize)
    let tag = isLast ? UInt8(crypto_secretstream_xchacha20poly1305_TAG_FINAL) : 0
    crypto_secretstream_xchacha20poly1305_push(
      &state, &sealed, nil, bytes, UInt64(bytes.count), nil, 0, tag)
    try write(sealed)
  }

  /// Whether bytes are the beginning of sealed data.
  package static func isSealed(_ head: [UInt8]) -> Bool { head.starts(with: mark) }
}

extension Vault {
  /// Opens sealed data piece by piece.
  ///
  /// - Parameters:
  ///   - read: Returns up to `count` bytes from a position.
  ///   - body: Receives the opened bytes. They are invalid if an error is thrown later.
  /// - Throws: `locked` while the vault is, `malformed` for data that is damaged or cut off or was
  ///   sealed for another vault.
  package func open(
    reading read: (_ position: Int, _ count: Int) throws -> [UInt8],
    into body: ([UInt8]) throws -> Void
  ) throws {
    let damaged = InboxError(.malformed, "it is sealed, but damaged or for another vault")
    let head = try read(0, Sealer.mark.count + Sealer.boxSize + Sealer.streamHeaderSize)
    guard Sealer.isSealed(head),
      head.count == Sealer.mark.count + Sealer.boxSize + Sealer.streamHeaderSize
    else { throw damaged }
    var position = head.count
    let box = Array(head[Sealer.mark.count..<(Sealer.mark.count + Sealer.boxSize)])
    var state = crypto_secretstream_xchacha20poly1305_state()
    defer { sodium_memzero(&state, MemoryLayout.size(ofValue: state)) }
    try withKeys { publicKey, secretKey in
      var key = [UInt8](repeating: 0, count: 32)
      defer { sodium_memzero(&key, key.count) }
      guard crypto_box_seal_open(&key, box, UInt64(box.count), publicKey, secretKey) == 0,
        crypto_secretstream_xchacha20poly1305_init_pull(
          &state, Array(head.suffix(Sealer.streamHeaderSize)), key) == 0
      else { throw damaged }
    }
    while true {
      let piece = try read(position, Sealer.pieceSize + Sealer.tagSize)
      position += piece.count
      guard piece.count >= Sealer.tagSize else { throw damaged }
      var opened = [UInt8](repeating: 0, count: piece.count - Sealer.tagSize)
      var tag: UInt8 = 0
      guard
        crypto_secretstream_xchacha20poly1305_pull(
          &state, &opened, nil, &tag, piece, UInt64(piece.count), nil, 0) == 0
      else { throw damaged }
      try body(opened)
      if tag == UInt8(crypto_secretstream_xchacha20poly1305_TAG_FINAL) {
        guard try read(position, 1).isEmpty else { throw damaged }
        return
      }
    }
  }

  /// Seals bytes in memory; returns them unchanged if there is no vault.
  package func sealed(_ bytes: [UInt8]) throws -> [UInt8] {
    guard let publicKey = try publicKey() else { return bytes }
    let collected = Collector()
    var sealer = try Sealer(for: publicKey) { collected.bytes += $0 }
    try sealer.add(bytes)
    try sealer.finish()
    return collected.bytes
  }

  /// Opens bytes in memory; returns unsealed bytes unchanged.
  ///
  /// - Throws: `locked`, `malformed`.
  package func opened(_ bytes: [UInt8]) throws -> [UInt8] {
    guard Sealer.isSealed(bytes) else { return bytes }
    var opened: [UInt8] = []
    try open(reading: { Array(bytes.dropFirst($0).prefix($1)) }, into: { opened += $0 })
    return opened
  }
}

/// Bytes that a closure collects.
private final class Collector {
  var bytes: [UInt8] = []
}
