import Glibc

/// Classifies addresses that belong to this computer or its local network rather than to the internet.
enum LocalAddress {
  /// Returns the text of a local address; nil for an internet address.
  static func name(of address: UnsafePointer<sockaddr>, length: Int) -> String? {
    switch Int32(address.pointee.sa_family) {
    case AF_INET:
      guard length >= MemoryLayout<sockaddr_in>.size else { return "a truncated address" }
      let bytes = address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { pointer in
        withUnsafeBytes(of: pointer.pointee.sin_addr) { Array($0) }
      }
      return isLocal(v4: bytes) ? bytes.map { String($0) }.joined(separator: ".") : nil
    case AF_INET6:
      guard length >= MemoryLayout<sockaddr_in6>.size else { return "a truncated address" }
      let bytes = address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { pointer in
        withUnsafeBytes(of: pointer.pointee.sin6_addr) { Array($0) }
      }
      return isLocal(v6: bytes) ? text(v6: bytes) : nil
    default: return "an address of an unknown family"
    }
  }

  /// Returns whether an IPv4 address is in a block that is not globally reachable (IANA's registry of RFC 6890).
  static func isLocal(v4 bytes: [UInt8]) -> Bool {
    switch (bytes[0], bytes[1]) {
    case (0, _), (10, _), (127, _), (224..., _), (169, 254), (192, 168), (100, 64...127),
      (172, 16...31), (198, 18...19):
      true
    case (192, 0): bytes[2] == 0 || bytes[2] == 2
    // The deprecated relays of 6to4 (RFC 7526).
    case (192, 88): bytes[2] == 99
    case (198, 51): bytes[2] == 100
    case (203, 0): bytes[2] == 113
    default: false
    }
  }

  /// Returns whether an IPv6 address is in a block that is not globally reachable (IANA's registry of RFC 6890); an
  /// embedded IPv4 address is classified itself.
  static func isLocal(v6 bytes: [UInt8]) -> Bool {
    let isMapped = bytes[..<10].allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
    if isMapped { return isLocal(v4: Array(bytes[12...])) }
    // NAT64 (RFC 6052) and 6to4 (RFC 3056); the block of local-use NAT64 (RFC 8215) is covered below.
    let isNAT64 =
      bytes.starts(with: [0, 0x64, 0xFF, 0x9B]) && bytes[4..<12].allSatisfy { $0 == 0 }
    if isNAT64 { return isLocal(v4: Array(bytes[12...])) }
    if bytes.starts(with: [0x20, 0x02]) { return isLocal(v4: Array(bytes[2..<6])) }
    // Of the rest only 2000::/3 is allocated.
    if bytes[0] & 0xE0 != 0x20 { return true }
    // Protocol assignments (2001::/23, including Teredo) and documentation (2001:db8::/32, 3fff::/20).
    return bytes.starts(with: [0x20, 0x01]) && bytes[2] <= 1
      || bytes.starts(with: [0x20, 0x01, 0x0D, 0xB8])
      || bytes.starts(with: [0x3F, 0xFF]) && bytes[2] & 0xF0 == 0
  }

  private static func text(v6 bytes: [UInt8]) -> String {
    var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    let length = socklen_t(buffer.count)
    guard inet_ntop(AF_INET6, bytes, &buffer, length) != nil else { return "an IPv6 address" }
    return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
