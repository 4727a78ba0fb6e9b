import Glibc

/// The part of a URL that names a server: user information, host and port (RFC 3986 §3.2).
struct URLAuthority {
  /// What stands before the last `@`; nil without one.
  let userinfo: String?
  /// The host in lower case.
  let host: String
  /// The port; nil when none was given.
  let port: Int?

  init(_ text: Substring) throws(WebURLError) {
    // Browsers take a backslash for a slash, other programs do not: nobody could tell the host.
    guard !text.utf8.contains(UInt8(ascii: "\\")) else { throw WebURLError(.backslashInHost) }
    var rest = text
    if let mark = rest.utf8.lastIndex(of: UInt8(ascii: "@")) {
      userinfo = String(rest[..<mark])
      rest = rest[rest.utf8.index(after: mark)...]
    } else {
      userinfo = nil
    }

    let end = try Self.endOfHost(in: rest)
    let name = rest[..<end]
    guard name.utf8.contains(where: { $0 != UInt8(ascii: ".") }) else {
      throw WebURLError(.noHost)
    }
    host = name.lowercased()
    port = try Self.port(rest[end...])
  }

  private static func endOfHost(in text: Substring) throws(WebURLError) -> Substring.Index {
    if text.utf8.first == UInt8(ascii: "[") {
      guard let close = text.utf8.firstIndex(of: UInt8(ascii: "]")),
        isIPv6(text[text.utf8.index(after: text.startIndex)..<close])
      else { throw WebURLError(.malformedHost) }
      return text.utf8.index(after: close)
    }
    let end = text.utf8.firstIndex(of: UInt8(ascii: ":")) ?? text.endIndex
    guard text[..<end].utf8.allSatisfy(mayStandInHost),
      PercentEncoding.isWellFormed(text[..<end].utf8)
    else { throw WebURLError(.malformedHost) }
    return end
  }

  private static func isIPv6(_ text: Substring) -> Bool {
    var address = in6_addr()
    return inet_pton(AF_INET6, String(text), &address) == 1
  }

  /// Whether a byte may stand in a name: unreserved, percent, sub-delimiters and beyond ASCII.
  private static func mayStandInHost(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "!"), UInt8(ascii: "$")...UInt8(ascii: "."), UInt8(ascii: ";"),
      UInt8(ascii: "="):
      true
    default: byte >= 0x80 || PercentEncoding.isUnreserved(byte)
    }
  }

  private static func port(_ text: Substring) throws(WebURLError) -> Int? {
    guard !text.isEmpty else { return nil }
    let digits = text.utf8.dropFirst()
    guard text.utf8.first == UInt8(ascii: ":"), digits.allSatisfy({ (0x30...0x39).contains($0) })
    else { throw WebURLError(.malformedPort) }
    // RFC 3986 §3.2.3 lets the digits be left out.
    guard !digits.isEmpty else { return nil }
    guard let number = Int(Substring(digits)), number <= 65_535 else {
      throw WebURLError(.malformedPort)
    }
    return number
  }
}
