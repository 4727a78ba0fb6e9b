import Links

/// A topic of an ntfy server, such as `https://ntfy.sh/backups` (docs.ntfy.sh/publish).
package struct NtfyTopic {
  /// The URL for publishing as JSON.
  package let server: String
  package let name: String

  /// Parses the URL of a topic; nil if it is invalid.
  package init?(_ address: String) {
    guard let url = try? WebURL(address), url.query == nil, url.fragment == nil,
      let slash = address.lastIndex(of: "/"), url.path.count > 1
    else { return nil }
    name = String(address[address.index(after: slash)...])
    server = String(address[...slash])
    guard name.isPlainWord(with: "-_"), !name.isEmpty else { return nil }
  }
}
