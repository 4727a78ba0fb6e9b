import Links

/// A topic of an ntfy server, as in `https://ntfy.sh/backups` (docs.ntfy.sh/publish).
package struct NtfyTopic {
  /// The address that takes messages as JSON.
  package let server: String
  package let name: String

  /// Takes the address of a topic apart; nil for one that names none.
  package init?(_ address: String) {
    guard let url = try? WebURL(address), url.query == nil, url.fragment == nil,
      let slash = address.lastIndex(of: "/"), url.path.count > 1
    else { return nil }
    name = String(address[address.index(after: slash)...])
    server = String(address[...slash])
    let isWord = name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
    guard isWord, !name.isEmpty else { return nil }
  }
}
