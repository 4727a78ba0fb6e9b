extension WebURL {
  /// The decoded value of the first query parameter of a name; nil without one.
  ///
  /// Decoded as forms are: `+` is a space. A name without `=` has the empty value.
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

  /// A text with every byte encoded that is not unreserved, fit for any part of a URL.
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

  /// A text with its percent-encoded bytes decoded; invalid UTF-8 becomes U+FFFD.
  package static func decode(_ text: String) -> String {
    PercentEncoding.decode(text)
  }
}
