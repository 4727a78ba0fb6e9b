/// A URL of a file (RFC 8089).
package struct FileURL: Hashable, Sendable {
  /// The host; empty for this machine.
  package let host: String
  /// The bytes of the path, which may not be valid UTF-8.
  package let path: [UInt8]

  /// Parses a URL; nil if the scheme is not `file` or the path is relative.
  ///
  /// An unencoded `?` or `#` is part of the path.
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
