import Testing

@testable import Links

/// Links that are sealed for one receiver.
@Suite struct SealedLinkTests {
  private func key(_ byte: UInt8) throws -> LinkKey {
    try #require(LinkKey(bytes: [UInt8](repeating: byte, count: 32)))
  }

  private func address(_ byte: UInt8) throws -> LinkAddress {
    try #require(LinkIdentity(try key(byte))).address
  }

  private func sealed() throws -> String {
    try LinkSigner(key: key(1)).seal(
      WebURL("https://swift.org/secret"), title: "Swift", for: address(2))
  }

  @Test func onlyTheReceiverOpensIt() throws {
    let text = try sealed()
    let link = try LinkSigner(key: key(2)).unwrap(text)
    #expect(link.url == "https://swift.org/secret")
    #expect(link.title == "Swift")
    #expect(link.sender == (try address(1).text))
    #expect(LinkSigner.isWrapped(text))
    for other in [UInt8(1), 3] {
      #expect(throws: LinkError.self) { try LinkSigner(key: key(other)).unwrap(text) }
    }
  }

  @Test func itTellsNobodyWhatItIs() throws {
    let url = try WebURL("https://swift.org/secret")
    #expect(try !sealed().contains(WrappedLink.id(of: url)))
    // Two links to one page have nothing in common but the receiver.
    let (one, two) = (try sealed(), try sealed())
    #expect(one != two)
    #expect(one.split(separator: "?")[0] != two.split(separator: "?")[0])
  }

  @Test func anyChangeIsNoticed() throws {
    let signer = try LinkSigner(key: key(2))
    let text = Array(try sealed())
    for index in text.indices {
      var changed = text
      changed[index] = text[index] == "A" ? "B" : "A"
      #expect(throws: LinkError.self) { try signer.unwrap(String(changed)) }
    }
    for count in text.indices {
      #expect(throws: LinkError.self) { try signer.unwrap(String(text[..<count])) }
    }
  }

  /// A signature of somebody who is not the sender named inside.
  @Test func theSenderCannotBeFeigned() throws {
    let text = try sealed()
    let mark = try #require(text.firstRange(of: "&sig="))
    let signed = text[..<mark.lowerBound]
    let other = try #require(LinkIdentity(try key(3)))
    let forged = signed + "&sig=" + other.sign(signed).base64URL
    #expect(throws: LinkError.self) { try LinkSigner(key: key(2)).unwrap(String(forged)) }
  }

  @Test func keysAreReadBack() throws {
    let address = try address(1)
    #expect(try LinkAddress(address.text) == address)
    for text in [
      "", "errand-", "errand-AAAA", address.text + "A", String(address.text.dropFirst()),
    ] {
      #expect(throws: LinkError.self) { try LinkAddress(text) }
    }
  }
}
