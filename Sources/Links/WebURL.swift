/// A URL of the web, http or https, kept as it was given and taken apart (RFC 3986 §3).
///
/// Unicode and odd characters are kept; only what makes a URL ambiguous is refused: spaces,
/// control characters, and authorities that programs read differently.
package struct WebURL: Hashable, Sendable {
  /// How long a URL may be by default, in bytes.
  package static let maxBytes = 64 << 10

  /// The URL exactly as it was given.
  package let text: String
  /// `http` or `https`, in lower case.
  package let scheme: String
  /// What stands before the `@`; nil without one.
  package let userinfo: String?
  /// The host in lower case; an IPv6 address with its brackets.
  package let host: String
  /// The port; nil when none was given.
  package let port: Int?
  /// The path as given, empty or with a leading slash.
  package let path: String
  /// What follows the `?`, as given; nil without one.
  package let query: String?
  /// What follows the `#`, as given; nil without one.
  package let fragment: String?

  /// Takes a URL apart.
  ///
  /// - Throws: Why the text is not a URL of the web.
  package init(_ text: String, maxBytes: Int = WebURL.maxBytes) throws(WebURLError) {
    try self.init(text, maxBytes: maxBytes, isStored: false)
  }

  /// Takes a URL apart that lies in a store, where an earlier release may have taken a host that is
  /// refused now; so the item is found by it as before.
  ///
  /// - Throws: Why the text is not a URL of the web.
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

  /// Takes a URL apart that a person typed or pasted: white space after its host is encoded, as
  /// browsers do (URL Standard, "path percent-encode set").
  ///
  /// - Throws: Why the text is not a URL of the web.
  package init(pasted text: String) throws(WebURLError) {
    try self.init(Self.encodingSpaces(in: text))
  }

  private static func encodingSpaces(in text: String) -> String {
    func isSpace(_ scalar: Unicode.Scalar) -> Bool {
      scalar == " " || scalar.value >= 0xA0 && scalar.properties.isWhitespace
    }
    guard text.unicodeScalars.contains(where: isSpace),
      let authority = text.firstRange(of: "://")?.upperBound,
      let rest = text[authority...].firstIndex(where: { "/?#".contains($0) }),
      !text[..<rest].unicodeScalars.contains(where: isSpace)
    else { return text }
    var bytes = Array(text[..<rest].utf8)
    for scalar in text[rest...].unicodeScalars {
      if isSpace(scalar) {
        for byte in UTF8.encode(scalar) ?? .init() {
          PercentEncoding.appendEncoded(byte, to: &bytes)
        }
      } else {
        bytes += Array(String(scalar).utf8)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func checkCharacters(of text: String) throws(WebURLError) {
    for scalar in text.unicodeScalars {
      if scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value) {
        throw WebURLError(.controlCharacter)
      }
      if scalar == " " || (scalar.value >= 0xA0 && scalar.properties.isWhitespace) {
        throw WebURLError(.space)
      }
    }
  }

  /// The URL that a person meant who left out its scheme: `http://` for this machine, on which few
  /// servers have a certificate, else `https://`.
  private static func suggestion(for text: String) -> String? {
    guard !text.contains("://"), !text.contains("@"), let url = try? WebURL("https://" + text)
    else { return nil }
    let isLocal =
      url.host == "localhost" || url.host.hasSuffix(".localhost") || url.host.hasPrefix("127.")
      || url.host == "[::1]"
    return isLocal ? "http://" + text : url.text
  }
}

extension WebURL: CustomStringConvertible {
  /// The URL exactly as it was given.
  package var description: String { text }
}
