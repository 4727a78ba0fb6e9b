/// A URL or a relative reference, split into its parts without judging them (RFC 3986 appendix B).
struct URLReference {
  /// What stands before the first colon, when it has the form of a scheme.
  var scheme: Substring?
  /// What stands between `//` and the path; nil without `//`.
  var authority: Substring?
  /// The path, which may be empty.
  var path: Substring
  /// What follows the `?`; nil without one.
  var query: Substring?
  /// What follows the `#`; nil without one.
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
    return text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
        UInt8(ascii: "."):
        true
      default: false
      }
    }
  }
}
