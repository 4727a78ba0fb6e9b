internal import Glibc

/// An IPv4 or IPv6 address.
struct IPAddress: Hashable, Sendable {
  /// Four or sixteen bytes.
  let bytes: [UInt8]

  private init(bytes: [UInt8]) { self.bytes = bytes }

  /// Parses an address; nil if it is invalid or has a zone.
  ///
  /// An IPv4-mapped IPv6 address (RFC 4291 §2.5.5.2) is the IPv4 address, as in CEL's conformance suite, which rejects
  /// the dotted form (`::ffff:1.2.3.4`).
  init?(_ text: String) {
    let isVersion6 = text.utf8.contains(UInt8(ascii: ":"))
    var bytes = [UInt8](repeating: 0, count: isVersion6 ? 16 : 4)
    guard !text.utf8.contains(0), inet_pton(isVersion6 ? AF_INET6 : AF_INET, text, &bytes) == 1
    else { return nil }
    if isVersion6, bytes[..<10].allSatisfy({ $0 == 0 }), bytes[10] == 0xFF, bytes[11] == 0xFF {
      if text.utf8.contains(UInt8(ascii: ".")) { return nil }
      bytes.removeFirst(12)
    }
    self.bytes = bytes
  }

  /// Whether it is an IPv4 address.
  var isVersion4: Bool { bytes.count == 4 }

  // MARK: - Kinds (RFC 4291, RFC 1122, RFC 3927)

  /// Whether it is the unspecified address.
  var isUnspecified: Bool { bytes.allSatisfy { $0 == 0 } }

  /// Whether it is a loopback address.
  var isLoopback: Bool {
    isVersion4 ? bytes[0] == 127 : bytes.dropLast().allSatisfy { $0 == 0 } && bytes[15] == 1
  }

  /// Whether it is a link-local unicast address.
  var isLinkLocalUnicast: Bool {
    isVersion4
      ? bytes[0] == 169 && bytes[1] == 254 : bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80
  }

  /// Whether it is a link-local multicast address.
  var isLinkLocalMulticast: Bool {
    isVersion4
      ? bytes[0] == 224 && bytes[1] == 0 && bytes[2] == 0
      : bytes[0] == 0xFF && bytes[1] & 0x0F == 2
  }

  private var isMulticast: Bool { isVersion4 ? bytes[0] & 0xF0 == 0xE0 : bytes[0] == 0xFF }

  /// Whether it is a unicast address that is not link-local or loopback.
  var isGlobalUnicast: Bool {
    let isBroadcast = isVersion4 && bytes.allSatisfy { $0 == 255 }
    return !isBroadcast && !isUnspecified && !isLoopback && !isMulticast && !isLinkLocalUnicast
  }

  // MARK: - Networks

  /// Returns the address with all bits after the first `length` cleared.
  func masked(to length: Int) -> IPAddress {
    var masked = bytes
    for index in masked.indices {
      let kept = min(max(length - index * 8, 0), 8)
      masked[index] &= UInt8(truncatingIfNeeded: 0xFF00 >> kept)
    }
    return IPAddress(bytes: masked)
  }

  // MARK: - Text

  /// The canonical text; RFC 5952 for IPv6.
  var text: String {
    var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    inet_ntop(isVersion4 ? AF_INET : AF_INET6, bytes, &buffer, socklen_t(buffer.count))
    let text = String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
    if isVersion4 || !text.contains(".") { return text }
    // `inet_ntop` prints the last bytes of such an address as IPv4.
    let groups = [12, 14].map { String(Int(bytes[$0]) << 8 | Int(bytes[$0 + 1]), radix: 16) }
    return "::" + groups.joined(separator: ":")
  }
}
