internal import Glibc

/// An address of IPv4 or IPv6.
struct IPAddress: Hashable, Sendable {
  /// Four bytes, or sixteen.
  let bytes: [UInt8]

  private init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Reads an address; nil for anything else and for one with a zone.
  ///
  /// An IPv4-mapped IPv6 address (RFC 4291 §2.5.5.2) is the IPv4 address, as in CEL's conformance
  /// suite; in its dotted form (`::ffff:1.2.3.4`) the suite refuses it.
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

  /// Whether it is an address of IPv4.
  var isVersion4: Bool { bytes.count == 4 }

  // MARK: - Kinds (RFC 4291, RFC 1122, RFC 3927)

  /// Whether it is the address of no one.
  var isUnspecified: Bool { bytes.allSatisfy { $0 == 0 } }

  /// Whether it is the machine itself.
  var isLoopback: Bool {
    isVersion4 ? bytes[0] == 127 : bytes.dropLast().allSatisfy { $0 == 0 } && bytes[15] == 1
  }

  /// Whether it holds on one link only.
  var isLinkLocalUnicast: Bool {
    isVersion4
      ? bytes[0] == 169 && bytes[1] == 254 : bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80
  }

  /// Whether it is a group on one link.
  var isLinkLocalMulticast: Bool {
    isVersion4
      ? bytes[0] == 224 && bytes[1] == 0 && bytes[2] == 0
      : bytes[0] == 0xFF && bytes[1] & 0x0F == 2
  }

  private var isMulticast: Bool { isVersion4 ? bytes[0] & 0xF0 == 0xE0 : bytes[0] == 0xFF }

  /// Whether it is one machine's, and not only on its link.
  var isGlobalUnicast: Bool {
    let isBroadcast = isVersion4 && bytes.allSatisfy { $0 == 255 }
    return !isBroadcast && !isUnspecified && !isLoopback && !isMulticast && !isLinkLocalUnicast
  }

  // MARK: - Networks

  /// The address with all bits after the first `length` cleared.
  func masked(to length: Int) -> IPAddress {
    var masked = bytes
    for index in masked.indices {
      let kept = min(max(length - index * 8, 0), 8)
      masked[index] &= UInt8(truncatingIfNeeded: 0xFF00 >> kept)
    }
    return IPAddress(bytes: masked)
  }

  // MARK: - Text

  /// The canonical text: RFC 5952 for IPv6.
  var text: String {
    if isVersion4 { return bytes.map { String($0) }.joined(separator: ".") }
    let groups = stride(from: 0, to: 16, by: 2).map {
      UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
    }
    let zeros = longestZeros(groups)
    func text(_ part: ArraySlice<UInt16>) -> String {
      part.map { String($0, radix: 16) }.joined(separator: ":")
    }
    guard zeros.count >= 2 else { return text(groups[...]) }
    return text(groups[..<zeros.lowerBound]) + "::" + text(groups[zeros.upperBound...])
  }

  private func longestZeros(_ groups: [UInt16]) -> Range<Int> {
    var best = 0..<0
    var start = 0
    for index in 0...groups.count where index == groups.count || groups[index] != 0 {
      if index - start > best.count { best = start..<index }
      start = index + 1
    }
    return best
  }
}
