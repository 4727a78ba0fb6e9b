/// A URL or relative reference, split into components without validation (RFC 3986 appendix B).
struct URLReference {
  /// The part before the first colon, if it has the form of a scheme.
  var scheme: Substring?
  /// The part between `//` and the path; nil without `//`.
  var authority: Substring?
  /// The path; may be empty.
  var path: Substring
  /// The part after the `?`; nil if there is none.
  var query: Substring?
  /// The part after the `#`; nil if there is none.
  var fragment: Substring?

  init(_ text: String) {
    var rest = text[...]
    if let colon = rest.utf8.firstIndex(of: UInt8(ascii: ":")), Self.isScheme(rest[..<colon]) {
      scheme = rest[..<colon]
      rest = rest[rest.utf8.index(after: colon)...]
    }
    if let mark = rest.utf8.firstIndex(of: UInt8(ascii: "#")) {
      fragment = rest[rest.utf8.index(after: mark)...]
      rest = rest[..<mark]
    }
    if let mark = rest.utf8.firstIndex(of: UInt8(ascii: "?")) {
      query = rest[rest.utf8.index(after: mark)...]
      rest = rest[..<mark]
    }
    if rest.utf8.starts(with: "//".utf8) {
      rest = rest[rest.utf8.index(rest.startIndex, offsetBy: 2)...]
      let end = rest.utf8.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
      authority = rest[..<end]
      rest = rest[end...]
    }
    path = rest
  }

  private static func isScheme(_ text: Substring) -> Bool {
    guard let first = text.utf8.first, Character(Unicode.Scalar(first)).isLetter else {
      return false
    }
    return text.utf8.allSatisfy { PercentEncoding.isAlphanumeric($0) || "+-.".utf8.contains($0) }
  }
}
