/// The request line and headers of an HTTP request (RFC 9112).
package struct RequestHead: Sendable {
  /// The method, in upper case as sent.
  package let method: String
  /// The decoded segments of the path.
  package let path: [String]
  /// The decoded parameters of the query, in order.
  package let query: [(name: String, value: String)]
  private let headers: [(name: String, value: String)]

  /// The maximum length of a target in bytes.
  private static let targetLimit = 8 << 10

  /// Parses a target in origin form; nil for any other form, and for text that is not valid, such
  /// as a blank before the colon of a header (RFC 9112 §5.1).
  ///
  /// - Parameters:
  ///   - version: The protocol's name and version.
  ///   - headers: Names in any case, and values.
  package init?(
    method: String, target: String, version: String = "HTTP/1.1",
    headers: [(name: String, value: String)]
  ) {
    guard target.utf8.first == UInt8(ascii: "/"), target.utf8.count <= Self.targetLimit,
      target.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") })
    else { return nil }
    // HTTP/1.0 has no transfer codings: a proxy may see another end of the body (RFC 9112 §6.1).
    let hasCoding = headers.contains { $0.name.lowercased() == "transfer-encoding" }
    guard version == "HTTP/1.1" || !hasCoding else { return nil }
    for (name, value) in headers {
      guard !name.isEmpty, name.utf8.allSatisfy(Self.isTokenByte),
        value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 })
      else { return nil }
    }
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    var path: [String] = []
    for segment in parts[0].dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
      guard let text = Self.decoded(segment), !text.contains("/") else { return nil }
      path.append(text)
    }
    guard let query = Self.parameters(parts.count > 1 ? parts[1] : "") else { return nil }
    self.method = method
    self.path = path
    self.query = query
    self.headers = headers.map { ($0.name.lowercased(), $0.value) }
  }

  /// Whether a byte may be part of a token (RFC 9110 §5.6.2).
  private static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }

  /// Decodes the parameters of a query or a form, in order; nil if they are not valid.
  static func parameters(_ text: some StringProtocol) -> [(name: String, value: String)]? {
    var parameters: [(name: String, value: String)] = []
    for pair in Substring(text).split(separator: "&") {
      let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = decoded(sides[0], plusIsSpace: true),
        let value = decoded(sides.count > 1 ? sides[1] : "", plusIsSpace: true)
      else { return nil }
      parameters.append((name, value))
    }
    return parameters
  }

  /// The values of a header, in order.
  ///
  /// - Parameter name: The name in lower case.
  package func all(_ name: String) -> [String] {
    headers.filter { $0.name == name }.map(\.value)
  }

  /// The value of a header; nil if it is missing or was sent more than once.
  package func header(_ name: String) -> String? {
    let values = all(name)
    return values.count == 1 ? values[0] : nil
  }

  /// The media type of the body in lower case, without parameters.
  package var mediaType: String? {
    header("content-type").map { text in
      let type = text.prefix { $0 != ";" }
      return String(type.filter { !$0.isWhitespace }).lowercased()
    }
  }

  /// Decodes percent-encoding; nil for an invalid one, control characters and invalid UTF-8.
  private static func decoded(_ text: Substring, plusIsSpace: Bool = false) -> String? {
    var bytes: [UInt8] = []
    var rest = text.utf8
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "%"):
        let digits = rest.prefix(2)
        guard digits.count == 2, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
          let value = UInt8(String(Substring(digits)), radix: 16)
        else { return nil }
        bytes.append(value)
        rest = rest.dropFirst(2)
      case UInt8(ascii: "+") where plusIsSpace: bytes.append(0x20)
      default: bytes.append(byte)
      }
    }
    guard bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || plusIsSpace && (9...13).contains($0) })
    else { return nil }
    guard let text = String(validating: bytes, as: UTF8.self),
      !text.unicodeScalars.contains(where: { (0x80...0x9F).contains($0.value) })
    else { return nil }
    return text
  }
}
