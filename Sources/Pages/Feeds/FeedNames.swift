import ForeignText

/// The names of a feed's elements with canonical namespace prefixes.
struct FeedNames {
  /// The canonical prefixes by those of this feed.
  private var prefixes: [Substring: String] = [:]

  /// The canonical prefixes by the beginning of the namespace URI; empty for RSS and Atom.
  private static let defaults: KeyValuePairs<String, String> = [
    "http://purl.org/dc/elements/": "dc", "http://purl.org/dc/terms/": "dcterms",
    "http://purl.org/rss/1.0/modules/content": "content",
    "http://search.yahoo.com/mrss": "media", "http://video.search.yahoo.com/mrss": "media",
    "http://www.itunes.com/dtds/podcast": "itunes", "http://example.com/dtds/podcast": "itunes",
    "http://www.w3.org/1999/xhtml": "xhtml", "http://www.w3.org/2005/atom": "",
    "http://purl.org/atom/": "", "http://my.netscape.com/rdf/simple/0.9/": "",
    "http://channel.netscape.com/rdf/simple/0.9/": "", "http://purl.org/rss/1.0/": "",
    "http://purl.org/net/rss1.1": "", "http://backend.userland.com/rss": "",
    "http://blogs.law.harvard.edu/tech/rss": "",
    "http://www.w3.org/1999/02/22-rdf-syntax-ns": "rdf",
  ]

  /// Reads the namespace declarations of a tag.
  mutating func take(_ tag: MarkupScanner.Tag) {
    for (name, value) in tag.attributes where name.hasPrefix("xmlns:") && prefixes.count < 100 {
      let address = value.lowercased()
      let known = Self.defaults.first { address.hasPrefix($0.key) }
      if let known { prefixes[name.lowercased().dropFirst(6)] = known.value }
    }
  }

  /// The name of an element in lower case, with the canonical prefix.
  func name(_ name: String) -> String {
    let name = name.lowercased()
    guard let colon = name.firstIndex(of: ":") else { return name }
    let prefix = name[..<colon]
    let local = name[name.index(after: colon)...]
    let mapped = prefixes[prefix] ?? (prefix == "atom" || prefix == "a10" ? "" : String(prefix))
    return mapped.isEmpty ? String(local) : mapped + ":" + local
  }
}
