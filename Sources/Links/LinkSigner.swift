import CEL
import JSON

/// Wraps URLs in signed links, and verifies such links.
package struct LinkSigner: Sendable {
  /// The default base URL of wrapped links.
  package static let defaultBase = "https://errand.localhost"

  private let key: LinkKey
  private let base: String

  /// The maximum length of a wrapped link in bytes: the longest URL and title, encoded.
  package static let maxBytes = 4 * WebURL.maxBytes

  /// The maximum length of a title in a link; longer ones are truncated.
  static let maxTitleLength = 1_000

  /// Creates a signer for a base URL, such as `https://links.example.org/team`.
  ///
  /// - Throws: `invalid-value` if the base is not a URL, or has a query or a fragment.
  package init(key: LinkKey, base: String = LinkSigner.defaultBase) throws(LinkError) {
    self.key = key
    self.base = try Self.checked(base: base)
  }

  /// Validates a base URL and removes trailing slashes.
  private static func checked(base: String) throws(LinkError) -> String {
    func invalid(_ reason: String) -> LinkError {
      LinkError(.invalidValue, "the base of wrapped links, “\(base)”, cannot be used: \(reason)")
    }
    let url: WebURL
    do { url = try WebURL(base) } catch { throw invalid(error.description) }
    if url.query != nil { throw invalid("it has a query") }
    if url.fragment != nil { throw invalid("it has a fragment") }
    let slashes = base.utf8.reversed().prefix { $0 == UInt8(ascii: "/") }.count
    return String(Substring(base.utf8.dropLast(slashes)))
  }

  /// Returns a signed link to a URL.
  package func wrap(_ url: WebURL, title: String?) throws(LinkError) -> String {
    let payload = try Self.payload(url, title)
    let id = WrappedLink.id(of: url)
    let signed = "\(base)/w/\(id)?v=1&k=\(key.id)&p=\(payload.base64URL)"
    return signed + "&sig=" + SHA256.authenticate(signed, key: key.bytes).base64URL
  }

  /// Returns a link to a URL that only one receiver can open, and which says who sent it.
  package func seal(
    _ url: WebURL, title: String?, for receiver: LinkAddress
  ) throws(LinkError) -> String {
    guard let identity = LinkIdentity(key) else {
      throw LinkError(.io, "cannot seal a link: the system has no random numbers")
    }
    let sealed = receiver.seal(try Self.payload(url, title, from: identity.address))
    // The id of the URL would reveal it to third parties.
    let id = String(SHA256.hash(sealed).hexadecimal.prefix(24))
    let signed = "\(base)/w/\(id)?v=2&k=\(receiver.id)&p=\(sealed.base64URL)"
    return signed + "&sig=" + identity.sign(signed).base64URL
  }

  private static func payload(
    _ url: WebURL, _ title: String?, from sender: LinkAddress? = nil
  ) throws(LinkError) -> [UInt8] {
    let title = title.map { Value.string(shortened($0)) } ?? .null
    var fields: [(String, Value)] = [("u", .string(url.text)), ("t", title)]
    if let sender { fields.append(("s", .string(sender.bareText))) }
    do {
      return Array(try JSONWriter().text(of: .map(MapValue(fields))).utf8)
    } catch {
      throw LinkError(.invalidValue, "this link cannot be wrapped: \(error.message)")
    }
  }

  private static func shortened(_ title: String) -> String {
    title.unicodeScalars.count <= maxTitleLength
      ? title : String(title.unicodeScalars.prefix(maxTitleLength - 1)) + "…"
  }

  /// Verifies a wrapped link and returns its contents.
  ///
  /// - Throws: `denied` if this exact text was not signed with this key, or by the sender of a link
  ///   that is sealed for it.
  package func unwrap(_ text: String) throws(LinkError) -> WrappedLink {
    guard text.utf8.count <= Self.maxBytes, let parts = WrappedLink.Parts(text) else {
      throw .denied
    }
    if parts.isSealed { return try open(parts) }
    // Also compute the code for an unknown key, so that timing does not reveal which it is.
    let expected = SHA256.authenticate(parts.signed, key: key.bytes).base64URL
    let isGenuine = Array(expected.utf8).isSameInConstantTime(as: Array(parts.signature.utf8))
    guard isGenuine, parts.keyID.utf8.elementsEqual(key.id.utf8),
      let payload = [UInt8](base64URL: parts.payload),
      case .map(let fields)? = try? JSONParser().parse(payload),
      case .string(let address)? = fields["u"],
      let url = try? WebURL(address), WrappedLink.id(of: url).utf8.elementsEqual(parts.id.utf8)
    else { throw .denied }
    var title: String?
    if case .string(let text)? = fields["t"] { title = text }
    return WrappedLink(url: address, title: title, id: String(parts.id))
  }

  /// Opens a link that was sealed for this library.
  private func open(_ parts: WrappedLink.Parts) throws(LinkError) -> WrappedLink {
    guard let identity = LinkIdentity(key), parts.keyID == identity.address.id,
      let sealed = [UInt8](base64URL: parts.payload),
      let signature = [UInt8](base64URL: parts.signature),
      let payload = identity.open(sealed),
      case .map(let fields)? = try? JSONParser().parse(payload),
      case .string(let address)? = fields["u"], let url = try? WebURL(address),
      case .string(let sender)? = fields["s"], let from = try? LinkAddress(sender),
      from.hasSigned(parts.signed, signature)
    else { throw .sealed }
    var title: String?
    if case .string(let text)? = fields["t"] { title = text }
    return WrappedLink(
      url: address, title: title, id: WrappedLink.id(of: url), sender: from.text)
  }

  /// Whether a text has the form of a wrapped link, and must be rejected unless genuine.
  ///
  /// True for every URL under this base's `/w/`, and for the form of a wrapped link on other hosts.
  package static func isWrapped(_ text: String, base: String = defaultBase) -> Bool {
    let base = base.utf8.last == UInt8(ascii: "/") ? base : base + "/"
    if text.utf8.starts(with: (base + "w/").utf8) { return true }
    guard let url = try? WebURL(text, maxBytes: maxBytes), let query = url.query,
      query.utf8.starts(with: "v=".utf8)
    else { return false }
    let segments = url.path.utf8.split(separator: UInt8(ascii: "/"))
    guard segments.count >= 2, segments[segments.count - 2].elementsEqual("w".utf8) else {
      return false
    }
    let id = segments[segments.count - 1]
    return id.count == 24 && id.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
  }
}
