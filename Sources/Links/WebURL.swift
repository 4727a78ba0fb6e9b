/// A web URL (http or https), unchanged, with its components (RFC 3986 §3).
///
/// Unicode and unusual characters are accepted; only ambiguous URLs are rejected: with spaces,
/// control characters, or an authority that programs parse differently.
///
/// `Links` owns web URLs: parsing, resolution, the canonical form for finding duplicates, and
/// signed wrapped links.
package struct WebURL: Hashable, Sendable {
  /// The default maximum length of a URL in bytes.
  package static let maxBytes = 64 << 10

  /// The URL exactly as given.
  package let text: String
  /// `http` or `https`, in lower case.
  package let scheme: String
  /// The part before the `@`; nil if there is none.
  package let userinfo: String?
  /// The host in lower case; an IPv6 address with its brackets.
  package let host: String
  /// The port; nil if not given.
  package let port: Int?
  /// The path as given, empty or with a leading slash.
  package let path: String
  /// The query as given, without the `?`; nil if there is none.
  package let query: String?
  /// The fragment as given, without the `#`; nil if there is none.
  package let fragment: String?

  /// Parses a URL.
  ///
  /// - Throws: The reason the text is not a web URL.
  package init(_ text: String, maxBytes: Int = WebURL.maxBytes) throws(WebURLError) {
    try self.init(text, maxBytes: maxBytes, isStored: false)
  }

  /// Parses a URL from the store, where an earlier release may have accepted a host that is
  /// rejected now; otherwise the item could not be found.
  ///
  /// - Throws: The reason the text is not a web URL.
  package init(stored text: String) throws(WebURLError) {
    try self.init(text, maxBytes: Self.maxBytes, isStored: true)
  }

  private init(_ text: String, maxBytes: Int, isStored: Bool) throws(WebURLError) {
    let count = text.utf8.count
    guard count > 0 else { throw WebURLError(.empty) }
    guard count <= maxBytes else { throw WebURLError(.tooLong(maxBytes: maxBytes)) }
    try Self.checkCharacters(of: text)

    let reference = URLReference(text)
    guard let scheme = reference.scheme?.lowercased(), scheme == "http" || scheme == "https"
    else { throw WebURLError(.notWeb, suggestion: Self.suggestion(for: text)) }
    guard let authority = reference.authority else { throw WebURLError(.noHost) }
    let parts = try URLAuthority(authority, isStored: isStored)

    self.text = text
    self.scheme = scheme
    userinfo = parts.userinfo
    host = parts.host
    port = parts.port
    path = String(reference.path)
    query = reference.query.map { String($0) }
    fragment = reference.fragment.map { String($0) }
  }

  /// Parses a typed or pasted URL: whitespace after the host is encoded, as in browsers (URL
  /// Standard, "path percent-encode set").
  ///
  /// - Throws: The reason the text is not a web URL.
  package init(pasted text: String) throws(WebURLError) {
    try self.init(Self.encodingSpaces(in: text))
  }

  private static func encodingSpaces(in text: String) -> String {
    guard text.unicodeScalars.contains(where: isSpace),
      let authority = text.firstRange(of: "://")?.upperBound,
      let rest = text[authority...].firstIndex(where: { "/?#".contains($0) }),
      !text[..<rest].unicodeScalars.contains(where: isSpace)
    else { return text }
    let encoded = text[rest...].unicodeScalars.map { isSpace($0) ? encode(String($0)) : String($0) }
    return text[..<rest] + encoded.joined()
  }

  private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    scalar == " " || scalar.value >= 0xA0 && scalar.properties.isWhitespace
  }

  private static func checkCharacters(of text: String) throws(WebURLError) {
    for scalar in text.unicodeScalars {
      if scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value) {
        throw WebURLError(.controlCharacter)
      }
      if isSpace(scalar) { throw WebURLError(.space) }
    }
  }

  /// The probably intended URL for a text without a scheme: `http://` for this machine, where few
  /// servers have a certificate, else `https://`.
  private static func suggestion(for text: String) -> String? {
    if let sign = text.firstRange(of: "://") {
      // A mistyped scheme has letters of `https` only.
      let scheme = text[..<sign.lowerBound].lowercased()
      guard scheme.hasPrefix("h"), (3...6).contains(scheme.count), scheme != "http",
        scheme != "https", scheme.allSatisfy({ "https".contains($0) })
      else { return nil }
      let meant = scheme.hasSuffix("s") ? "https" : "http"
      return (try? WebURL(meant + text[sign.lowerBound...]))?.text
    }
    guard !text.contains("@"), let url = try? WebURL("https://" + text)
    else { return nil }
    let isLocal =
      url.host == "localhost" || url.host.hasSuffix(".localhost") || url.host.hasPrefix("127.")
      || url.host == "[::1]"
    // A single word is not a host.
    guard isLocal || url.host.contains(".") else { return nil }
    return isLocal ? "http://" + text : url.text
  }
}

extension WebURL {
  /// Returns the decoded value of the first query parameter with a name; nil if there is none.
  ///
  /// Uses form decoding: `+` is a space. A name without `=` has an empty value.
  package func queryValue(_ name: String) -> String? {
    guard let query else { return nil }
    for parameter in query.utf8.split(separator: UInt8(ascii: "&")) {
      let end = parameter.firstIndex(of: UInt8(ascii: "=")) ?? parameter.endIndex
      let found = PercentEncoding.decode(Substring(parameter[..<end]), plusIsSpace: true)
      guard found.utf8.elementsEqual(name.utf8) else { continue }
      return PercentEncoding.decode(Substring(parameter[end...].dropFirst()), plusIsSpace: true)
    }
    return nil
  }

  /// Encodes every byte that is not unreserved, for use in any component of a URL.
  package static func encode(_ text: String) -> String {
    var output: [UInt8] = []
    for byte in text.utf8 {
      if PercentEncoding.isUnreserved(byte) {
        output.append(byte)
      } else {
        PercentEncoding.appendEncoded(byte, to: &output)
      }
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// Decodes percent-encoding; invalid UTF-8 becomes U+FFFD.
  package static func decode(_ text: String) -> String { PercentEncoding.decode(text) }
}

extension WebURL: CustomStringConvertible {
  /// The URL exactly as given.
  package var description: String { text }
}
