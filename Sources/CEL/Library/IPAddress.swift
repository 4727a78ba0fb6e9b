/// An address of IPv4 or IPv6.
struct IPAddress: Hashable, Sendable {
  /// Four bytes, or sixteen.
  let bytes: [UInt8]

  /// Takes the bytes of an address.
  init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Reads an address; nil for anything else and for one with a zone.
  ///
  /// An IPv4-mapped IPv6 address (RFC 4291 §2.5.5.2) is the IPv4 address, as in CEL's conformance
  /// suite; in its dotted form (`::ffff:1.2.3.4`) the suite refuses it.
  init?(_ text: String) {
    if text.utf8.contains(UInt8(ascii: ":")) {
      guard let bytes = Self.version6(text) else { return nil }
      self.bytes = Self.isMapped(bytes) ? Array(bytes[12...]) : bytes
    } else {
      guard let bytes = Self.version4(text[...]) else { return nil }
      self.bytes = bytes
    }
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

  private static func version4(_ text: Substring) -> [UInt8]? {
    let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 4 else { return nil }
    var bytes: [UInt8] = []
    for part in parts {
      // A leading zero would mean octal to some.
      guard (1...3).contains(part.count), part.count == 1 || part.first != UInt8(ascii: "0"),
        part.allSatisfy({ (0x30...0x39).contains($0) }), let byte = UInt8(Substring(part))
      else { return nil }
      bytes.append(byte)
    }
    return bytes
  }

  private static func version6(_ text: String) -> [UInt8]? {
    guard let (head, tail) = halves(of: text) else { return nil }
    guard let first = groups(head), let second = groups(tail ?? "") else { return nil }
    let count = first.bytes.count + second.bytes.count
    if tail == nil { return count == 16 && !first.isDotted ? first.bytes : dotted(first) }
    // Two colons stand for at least one group.
    guard count <= 14, !first.isDotted else { return nil }
    let bytes = first.bytes + Array(repeating: 0, count: 16 - count) + second.bytes
    return second.isDotted && isMapped(bytes) ? nil : bytes
  }

  private static func dotted(_ groups: (bytes: [UInt8], isDotted: Bool)) -> [UInt8]? {
    groups.bytes.count == 16 && groups.isDotted && !isMapped(groups.bytes) ? groups.bytes : nil
  }

  private static func isMapped(_ bytes: [UInt8]) -> Bool {
    bytes[..<10].allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
  }

  /// What stands before and after `::`; the second is nil when there is none.
  private static func halves(of text: String) -> (String, String?)? {
    let bytes = Array(text.utf8)
    guard let found = bytes.firstRange(of: [0x3A, 0x3A], from: 0) else { return (text, nil) }
    if bytes.firstRange(of: [0x3A, 0x3A], from: found.lowerBound + 1) != nil { return nil }
    return (
      String(decoding: bytes[..<found.lowerBound], as: UTF8.self),
      String(decoding: bytes[found.upperBound...], as: UTF8.self)
    )
  }

  /// The bytes of groups between colons, the last of which may be an IPv4 address.
  private static func groups(_ text: String) -> (bytes: [UInt8], isDotted: Bool)? {
    if text.isEmpty { return ([], false) }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count <= 8 else { return nil }
    var bytes: [UInt8] = []
    for (index, part) in parts.enumerated() {
      if index == parts.count - 1, part.contains(".") {
        guard let tail = version4(part) else { return nil }
        return (bytes + tail, true)
      }
      guard (1...4).contains(part.utf8.count),
        part.utf8.allSatisfy({ Lexer.isNamePart($0) }), let group = UInt16(part, radix: 16)
      else { return nil }
      bytes += [UInt8(group >> 8), UInt8(group & 0xFF)]
    }
    return (bytes, false)
  }

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
