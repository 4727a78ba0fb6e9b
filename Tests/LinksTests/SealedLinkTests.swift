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

  /// A signature by a key other than that of the sender named inside.
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

  @Test func oneWrongLetterIsRefused() throws {
    let text = Array(try address(1).text)
    for index in text.indices {
      for letter in "AQgw_-z9" where letter != text[index] {
        var changed = text
        changed[index] = letter
        #expect(throws: LinkError.self) { try LinkAddress(String(changed)) }
      }
    }
  }

  @Test func keysOfEarlierReleasesAreReadIfTheyCanBeKeys() throws {
    let address = try address(1)
    #expect(try LinkAddress(address.bareText) == address)
    let sign = try #require([UInt8](base64URL: address.bareText.dropFirst(7))).suffix(32)
    let order8: [UInt8] = [
      0xE0, 0xEB, 0x7A, 0x7C, 0x3B, 0x41, 0xB8, 0xAE, 0x16, 0x56, 0xE3, 0xFA, 0xF1, 0x9F, 0xC4,
      0x6A,
      0xDA, 0x09, 0x8D, 0xEB, 0x9C, 0x32, 0xB1, 0xFD, 0x86, 0x62, 0x05, 0x16, 0x5F, 0x49, 0xB8,
      0x00,
    ]
    let one = [1] + [UInt8](repeating: 0, count: 31)
    for box in [[UInt8](repeating: 0, count: 32), one, order8] {
      #expect(throws: LinkError.self) { try LinkAddress("errand-" + (box + sign).base64URL) }
    }
    let zeros = "errand-" + String(repeating: "A", count: 86)
    #expect(throws: LinkError.self) { try LinkAddress(zeros) }
  }
}
