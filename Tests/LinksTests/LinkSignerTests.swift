import Testing

@testable import Links

@Suite struct LinkSignerTests {
  private func key(_ byte: UInt8 = 7) throws -> LinkKey {
    try #require(LinkKey(bytes: [UInt8](repeating: byte, count: 32)))
  }

  @Test func knownHashes() throws {
    #expect(
      SHA256.hex(of: "abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(
      SHA256.hex(of: "") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    // RFC 4231 has no 32-byte key; its first case has a 20-byte key, padded here with zeros, as
    // HMAC itself does.
    let key = [UInt8](repeating: 0x0B, count: 20) + [UInt8](repeating: 0, count: 12)
    #expect(
      SHA256.authenticate("Hi There", key: key).hexadecimal
        == "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7")
  }

  @Test(arguments: [
    ([UInt8](), ""), ([0xFB], "-w"), ([0xFB, 0xFF], "-_8"), (Array("foob".utf8), "Zm9vYg"),
  ])
  func base64URL(bytes: [UInt8], text: String) {
    #expect(bytes.base64URL == text)
    #expect([UInt8](base64URL: text) == bytes)
  }

  @Test(arguments: ["=", "-w==", "a", "-x", "Zm 9", "+w", "é"])
  func otherFormsOfBase64AreRejected(text: String) {
    #expect([UInt8](base64URL: text) == nil)
  }

  @Test(arguments: [
    ("https://swift.org", "Swift"), ("https://swift.org/é?a=1&b=%20#x", nil),
    ("https://a.org/?v=1&k=2&p=3&sig=4", "“é”\n\0"),
  ])
  func unwrapReturnsTheOriginalLink(url: String, title: String?) throws {
    let signer = try LinkSigner(key: key())
    let url = try WebURL(url)
    let link = try signer.wrap(url, title: title)
    #expect(try WebURL(link).host == "errand.localhost")
    #expect(LinkSigner.isWrapped(link))
    let found = try signer.unwrap(link)
    #expect(found.url == url.text)
    #expect(found.title == title)
    #expect(found.id == WrappedLink.id(of: url))
  }

  @Test func linkFormatMatchesTheContract() throws {
    let signer = try LinkSigner(key: key(), base: "https://x.org/team//")
    let link = try signer.wrap(WebURL("https://swift.org"), title: "Swift")
    let id = SHA256.hex(of: "https://swift.org/").prefix(24)
    let payload = Array(#"{"u":"https://swift.org","t":"Swift"}"#.utf8).base64URL
    let signed = "https://x.org/team/w/\(id)?v=1&k=\(try key().id)&p=\(payload)"
    let code = SHA256.authenticate(signed, key: [UInt8](repeating: 7, count: 32)).base64URL
    #expect(link == "\(signed)&sig=\(code)")
    #expect(try key().id.count == 8)
  }

  @Test func linksToTheSamePageHaveTheSameID() throws {
    let first = try WebURL("https://swift.org")
    let second = try WebURL("HTTPS://swift.org/?utm_source=x")
    #expect(WrappedLink.id(of: first) == WrappedLink.id(of: second))
  }

  @Test func changedLinkIsDenied() throws {
    let signer = try LinkSigner(key: key())
    let link = Array(try signer.wrap(WebURL("https://swift.org/é"), title: "Swift").utf8)
    for index in link.indices {
      var changed = link
      changed[index] = changed[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
      let text = String(decoding: changed, as: UTF8.self)
      #expect(throws: LinkError.denied, "\(text)") { try signer.unwrap(text) }
      let cut = String(decoding: link[..<index], as: UTF8.self)
      #expect(throws: LinkError.denied, "\(cut)") { try signer.unwrap(cut) }
    }
    let whole = String(decoding: link, as: UTF8.self)
    for text in [whole + "A", whole + "&x=1", whole + "#x", " " + whole, whole + "="] {
      #expect(throws: LinkError.denied, "\(text)") { try signer.unwrap(text) }
    }
  }

  @Test func unknownKeyGetsTheSameError() throws {
    let link = try LinkSigner(key: key(1)).wrap(WebURL("https://swift.org"), title: nil)
    #expect(throws: LinkError.denied) { try LinkSigner(key: key(2)).unwrap(link) }
  }

  @Test(arguments: ["", "ftp://a", "https://a/?q", "https://a/#f", "not a url"])
  func invalidBasesAreRejected(base: String) throws {
    let key = try key()
    let error = try #require(throws: LinkError.self) { try LinkSigner(key: key, base: base) }
    #expect(error.code == .invalidValue)
  }

  @Test func longestURLCanBeWrapped() throws {
    let signer = try LinkSigner(key: key())
    let start = "https://a.org/"
    let url = try WebURL(start + String(repeating: "é", count: (65_536 - start.utf8.count) / 2))
    let title = String(repeating: "t", count: 100_000)
    let found = try signer.unwrap(signer.wrap(url, title: title))
    #expect(found.url == url.text)
    #expect(found.title?.unicodeScalars.count == LinkSigner.maxTitleLength)
  }

  @Test(arguments: [
    ("https://errand.localhost/w/", true), ("https://errand.localhost/w/zz?x", true),
    ("https://other.org/b/w/0123456789abcdef01234567?v=1&k=x", true),
    ("https://en.wikipedia.org/w/index.php?v=1", false), ("https://errand.localhost/x", false),
    ("https://other.org/w/0123456789abcdef01234567", false), ("swift", false),
  ])
  func isWrappedDetectsTheForm(text: String, expected: Bool) {
    #expect(LinkSigner.isWrapped(text) == expected)
  }

  @Test func dumpDoesNotShowTheKey() throws {
    let key = try key(0xAB)
    var dumped = ""
    dump(key, to: &dumped)
    for text in [dumped, "\(key)", String(reflecting: key)] {
      #expect(!text.contains("171"))
      #expect(text.contains(key.id))
    }
  }
}
