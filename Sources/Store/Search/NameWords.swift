/// What an item is called, as words of the text index that no text has: its whole title in one
/// word, the site of its address, and the last part of its path.
///
/// The first letter of each is one for private use, which tells what it is. So an item that is
/// called just as a search says is found among however many that only have the words.
enum NameWords {
  /// What a name comes from.
  enum Kind: String, CaseIterable {
    case title = "\u{E000}"
    case site = "\u{E001}"
    case path = "\u{E002}"

    /// What such a name adds to the score, in shares of the most that words can give.
    var bonus: Double {
      switch self {
      case .title: 1.5
      case .site: 1.0
      case .path: 0.35
      }
    }
  }

  /// A text that names an item.
  enum Source {
    case title(String)
    case address(String)
  }

  /// Longer names are nothing that anybody types.
  private static let maximumBytes = 120

  /// The words of an item's names, with spaces between them.
  ///
  /// - Complexity: O(length of the texts).
  static func text(of sources: [Source]) -> String {
    var words: [String] = []
    func add(_ text: some StringProtocol, _ kind: Kind) {
      guard let key = key(of: text) else { return }
      let word = kind.rawValue + key
      if !words.contains(word) { words.append(word) }
    }
    for source in sources {
      switch source {
      case .title(let title):
        add(title, .title)
        // `Node.js` is also written `nodejs`.
        for word in compounds(in: title) where !words.contains(word) { words.append(word) }
      case .address(let address):
        let parts = AddressParts(address)
        for site in parts.sites { add(site, .site) }
        if let last = parts.lastComponent { add(last, .path) }
      }
    }
    return words.joined(separator: " ")
  }

  /// The letters and digits of a text in one word; nil without any, or for too many.
  static func key(of text: some StringProtocol) -> String? {
    if text.utf8.count > 4 * maximumBytes { return nil }
    var key = String.UnicodeScalarView()
    for scalar in text.unicodeScalars where isPart(scalar) { key.append(scalar) }
    let result = String(key)
    return result.isEmpty || result.utf8.count > maximumBytes ? nil : result
  }

  private static func isPart(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9": true
    default:
      scalar.value >= 0x80
        && (scalar.isTokenCharacter || scalar.properties.generalCategory == .nonspacingMark)
    }
  }

  /// The words that marks such as `.` and `-` hold together, without the marks.
  private static func compounds(in text: String) -> [String] {
    guard text.utf8.count <= 4 * maximumBytes else { return [] }
    return text.split(whereSeparator: \.isWhitespace).compactMap { compound(String($0)) }
  }

  /// A word of two or three parts without the marks that hold them together; nil for any other.
  static func compound(_ word: String) -> String? {
    guard word.utf8.count <= 40 else { return nil }
    let scalars = word.unicodeScalars
    // A symbol is a word by itself.
    guard scalars.allSatisfy({ isPart($0) || $0.isASCII || $0 == "’" }) else { return nil }
    let parts = scalars.split { !isPart($0) }
    return (2...3).contains(parts.count) ? parts.map(String.init).joined() : nil
  }
}

/// The parts of an address that name what it leads to.
private struct AddressParts {
  /// What the site is called: `swift` and `swift.org` for `https://www.swift.org/`; nothing for an
  /// address within a site.
  private(set) var sites: [Substring] = []
  /// The last part of the path without its ending.
  private(set) var lastComponent: Substring?

  init(_ address: String) {
    guard let scheme = address.firstRange(of: "://") else { return }
    var rest = address[scheme.upperBound...]
    if let end = rest.firstIndex(where: { $0 == "?" || $0 == "#" }) { rest = rest[..<end] }
    var components = rest.split(separator: "/")
    guard !components.isEmpty else { return }
    let host = components.removeFirst().prefix { $0 != ":" }
    if let last = components.last {
      lastComponent = Self.withoutEnding(last)
    } else {
      sites = Self.names(of: host)
    }
  }

  private static func names(of host: Substring) -> [Substring] {
    var labels = host.split(separator: ".")
    if labels.first == "www" { labels.removeFirst() }
    guard labels.count > 1 else { return [host] }
    // `co.uk` and the like are one ending.
    let isDouble =
      labels.count > 2 && labels[labels.count - 1].count == 2
      && ["co", "com", "org", "net", "ac", "gov", "edu"].contains(labels[labels.count - 2])
    let name = labels[labels.count - (isDouble ? 3 : 2)]
    let whole = host.hasPrefix("www.") ? host.dropFirst(4) : host
    return [name, labels[0], whole]
  }

  private static func withoutEnding(_ component: Substring) -> Substring {
    for ending in [".git", ".html", ".htm", ".php", ".md"] where component.hasSuffix(ending) {
      return component.dropLast(ending.count)
    }
    return component
  }
}
