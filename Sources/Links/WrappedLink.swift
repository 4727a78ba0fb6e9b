/// What a wrapped link says once its signature was found good.
package struct WrappedLink: Hashable, Sendable {
  /// The URL as it was saved.
  package let url: String
  package let title: String?
  /// The id of the canonical URL, by which the store finds the item.
  package let id: String

  /// The id of a URL: the first 24 hexadecimal digits of the SHA-256 of its canonical form.
  package static func id(of url: WebURL) -> String {
    String(SHA256.hex(of: url.canonical).prefix(24))
  }

  /// The parts of a wrapped link, taken from its text before anything is known to be true.
  struct Parts {
    /// Everything before `&sig=`, which the signature covers.
    let signed: Substring
    let id: Substring
    let keyID: Substring
    let payload: Substring
    let signature: Substring

    /// Takes `<base>/w/<id>?v=1&k=<key id>&p=<payload>&sig=<signature>` apart; nil when the text
    /// has another form.
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
      guard parameters.count == 4, parameters[0].elementsEqual("v=1".utf8),
        let keyID = Self.value("k=", parameters[1]), let payload = Self.value("p=", parameters[2]),
        let signature = Self.value("sig=", parameters[3])
      else { return nil }
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
