/// The contents of a wrapped link with a valid signature.
package struct WrappedLink: Hashable, Sendable {
  /// The URL as it was saved.
  package let url: String
  package let title: String?
  /// The id of the canonical URL, for finding the item in the store.
  package let id: String
  /// The key of the person who sealed it for this library; nil for a link of this library.
  package var sender: String?

  /// Returns the id of a URL: the first 24 hexadecimal digits of the SHA-256 of its canonical form.
  package static func id(of url: WebURL) -> String {
    String(SHA256.hex(of: url.canonical).prefix(24))
  }

  /// The components of a wrapped link that is not verified yet.
  struct Parts {
    /// Whether the payload is sealed for one receiver: `v=2`.
    let isSealed: Bool
    /// Everything before `&sig=`, which the signature covers.
    let signed: Substring
    let id: Substring
    let keyID: Substring
    let payload: Substring
    let signature: Substring

    /// Parses `<base>/w/<id>?v=<1 or 2>&k=<key id>&p=<payload>&sig=<signature>`; nil if the text has
    /// another form.
    init?(_ text: String) {
      guard let mark = text.utf8.lastIndex(of: UInt8(ascii: "?")) else { return nil }
      let segments = text[..<mark].utf8.split(
        separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      guard segments.count >= 2, segments[segments.count - 2].elementsEqual("w".utf8) else {
        return nil
      }
      id = Substring(segments[segments.count - 1])
      let query = text[text.utf8.index(after: mark)...]
      let parameters = query.utf8.split(
        separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
      guard parameters.count == 4, let version = Self.value("v=", parameters[0]),
        version == "1" || version == "2",
        let keyID = Self.value("k=", parameters[1]), let payload = Self.value("p=", parameters[2]),
        let signature = Self.value("sig=", parameters[3])
      else { return nil }
      isSealed = version == "2"
      signed = text[..<parameters[2].endIndex]
      self.keyID = keyID
      self.payload = payload
      self.signature = signature
    }

    private static func value(_ name: String, _ parameter: Substring.UTF8View) -> Substring? {
      guard parameter.starts(with: name.utf8) else { return nil }
      return Substring(parameter.dropFirst(name.utf8.count))
    }
  }
}
