/// A URL of a file (RFC 8089).
package struct FileURL: Hashable, Sendable {
  /// The host that has the file; empty for this machine.
  package let host: String
  /// The bytes of the path, which need not be UTF-8.
  package let path: [UInt8]

  /// Takes a URL apart; nil for one of another scheme, and for a relative path.
  ///
  /// A `?` or `#` that a program left unencoded is part of the path.
  package init?(_ text: String) {
    let scheme = "file:"
    guard text.prefix(scheme.count).lowercased() == scheme else { return nil }
    var rest = text.dropFirst(scheme.count)
    var authority: Substring = ""
    if rest.hasPrefix("//") {
      rest = rest.dropFirst(2)
      authority = rest.prefix { $0 != "/" }
      rest = rest[authority.endIndex...]
    }
    guard rest.hasPrefix("/") else { return nil }
    host = authority.lowercased() == "localhost" ? "" : authority.lowercased()
    path = PercentEncoding.decodedBytes(rest)
  }
}
