import Glibc

/// The authority of a URL: user information, host and port (RFC 3986 §3.2).
struct URLAuthority {
  /// The part before the last `@`; nil if there is none.
  let userinfo: String?
  /// The host in lower case.
  let host: String
  /// The port; nil if not given.
  let port: Int?

  /// Parses an authority.
  ///
  /// - Parameter isStored: Whether it comes from the store, where an earlier release may have
  ///   accepted more in a host.
  init(_ text: Substring, isStored: Bool = false) throws(WebURLError) {
    // Browsers treat a backslash as a slash, other programs do not: the host would be ambiguous.
    guard !text.utf8.contains(UInt8(ascii: "\\")) else { throw WebURLError(.backslashInHost) }
    var rest = text
    if let mark = rest.utf8.lastIndex(of: UInt8(ascii: "@")) {
      // Programs disagree about which of several `@` precedes the host.
      guard isStored || !rest[..<mark].utf8.contains(UInt8(ascii: "@")) else {
        throw WebURLError(.malformedHost)
      }
      userinfo = String(rest[..<mark])
      rest = rest[rest.utf8.index(after: mark)...]
    } else {
      userinfo = nil
    }

    let end = try Self.endOfHost(in: rest, isStored)
    let name = rest[..<end]
    guard name.utf8.contains(where: { $0 != UInt8(ascii: ".") }) else { throw WebURLError(.noHost) }
    host = name.lowercased()
    port = try Self.port(rest[end...])
  }

  private static func endOfHost(
    in text: Substring, _ isStored: Bool
  ) throws(WebURLError) -> Substring.Index {
    if text.utf8.first == UInt8(ascii: "[") {
      guard let close = text.utf8.firstIndex(of: UInt8(ascii: "]")),
        isIPv6(text[text.utf8.index(after: text.startIndex)..<close])
      else { throw WebURLError(.malformedHost) }
      return text.utf8.index(after: close)
    }
    let end = text.utf8.firstIndex(of: UInt8(ascii: ":")) ?? text.endIndex
    let name = text[..<end]
    guard PercentEncoding.isWellFormed(name.utf8) else { throw WebURLError(.malformedHost) }
    let isFit =
      isStored
      ? name.utf8.allSatisfy(mayStandInStoredHost)
      : PercentEncoding.decode(name).utf8.allSatisfy(mayStandInHost)
    guard isFit else { throw WebURLError(.malformedHost) }
    return end
  }

  private static func isIPv6(_ text: Substring) -> Bool {
    var address = in6_addr()
    return inet_pton(AF_INET6, String(text), &address) == 1
  }

  /// Whether a decoded byte is allowed in a host name: unreserved, or beyond ASCII.
  ///
  /// RFC 3986 also allows sub-delimiters, which no host name contains; libcurl rejects them, and at
  /// the end of a URL they mostly belong to the sentence around it.
  private static func mayStandInHost(_ byte: UInt8) -> Bool {
    byte >= 0x80 || PercentEncoding.isUnreserved(byte)
  }

  /// Whether a byte is allowed in a stored host name: also sub-delimiters and percent signs.
  private static func mayStandInStoredHost(_ byte: UInt8) -> Bool {
    mayStandInHost(byte) || "!$%&'()*+,-.;=".utf8.contains(byte)
  }

  private static func port(_ text: Substring) throws(WebURLError) -> Int? {
    guard !text.isEmpty else { return nil }
    let digits = text.utf8.dropFirst()
    guard text.utf8.first == UInt8(ascii: ":"), digits.allSatisfy({ (0x30...0x39).contains($0) })
    else { throw WebURLError(.malformedPort) }
    // RFC 3986 §3.2.3 allows a port without digits.
    guard !digits.isEmpty else { return nil }
    guard let number = Int(Substring(digits)), number <= 65_535 else {
      throw WebURLError(.malformedPort)
    }
    return number
  }
}
