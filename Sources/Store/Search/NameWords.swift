/// The names of an item as special words of the text index: its whole title as one word, the site
/// of its URL, and the last component of its path.
///
/// Each starts with a private-use character for its kind, so that an item named exactly like the
/// search is found among any number of other matches.
enum NameWords {
  /// The source of a name.
  enum Kind: String, CaseIterable {
    case title = "\u{E000}"
    case site = "\u{E001}"
    case path = "\u{E002}"

    /// The score bonus of such a name, relative to the maximum score of the words.
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

  /// The maximum length in bytes; longer names are not typed in searches.
  static let maximumBytes = 120

  /// The words of an item's names, separated by spaces.
  ///
  /// - Complexity: O(length of the texts).
  static func text(of sources: [Source]) -> String {
    var names = NameWriter()
    for source in sources {
      switch source {
      case .title(var title): title.withUTF8 { names.add(title: $0) }
      case .address(var address): address.withUTF8 { names.add(AddressParts($0[...])) }
      }
    }
    return names.text
  }

  /// The letters and digits of a text as one word; nil when there are none or too many.
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

  /// The words joined by punctuation such as `.` and `-`, without it.
  static func compounds(in text: String) -> [String] {
    guard text.utf8.count <= 4 * maximumBytes else { return [] }
    return text.split(whereSeparator: \.isWhitespace).compactMap { compound(String($0)) }
  }

  /// A word of two or three parts without the punctuation between them; nil for any other.
  static func compound(_ word: String) -> String? {
    guard word.utf8.count <= 40 else { return nil }
    let scalars = word.unicodeScalars
    // A symbol is a word by itself.
    guard scalars.allSatisfy({ isPart($0) || $0.isASCII || $0 == "’" }) else { return nil }
    let parts = scalars.split { !isPart($0) }
    return (2...3).contains(parts.count) ? parts.map(String.init).joined() : nil
  }
}

/// Writes the words of an item's names, without duplicates.
struct NameWriter {
  private var bytes: [UInt8] = []
  /// The ranges of the words.
  private var words: [Range<Int>] = []

  /// The words, separated by spaces.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Adds a title, and its words that are joined by punctuation.
  mutating func add(title: UnsafeBufferPointer<UInt8>) {
    add(title[...], .title)
    guard title.count <= 4 * NameWords.maximumBytes else { return }
    // `Node.js` is also written `nodejs`.
    for word in title.split(whereSeparator: { $0 == 0x20 || (0x09...0x0D).contains($0) }) {
      if word.allSatisfy({ $0 < 0x80 }) {
        addCompound(word)
      } else {
        for compound in NameWords.compounds(in: String(decoding: word, as: UTF8.self)) {
          addWord { $0 += compound.utf8 }
        }
      }
    }
  }

  /// Adds the names in a URL.
  mutating func add(_ address: AddressParts) {
    for site in address.sites { add(site, .site) }
    if let last = address.lastComponent { add(last, .path) }
  }

  /// Adds the letters and digits of a name as a word of its kind.
  private mutating func add(_ name: AddressParts.Bytes, _ kind: NameWords.Kind) {
    if name.count > 4 * NameWords.maximumBytes { return }
    if name.allSatisfy({ $0 < 0x80 }) {
      let count = name.count(where: Self.isPart)
      if count == 0 || count > NameWords.maximumBytes { return }
      addWord { bytes in
        bytes += kind.rawValue.utf8
        for byte in name where Self.isPart(byte) { bytes.append(byte) }
      }
    } else if let key = NameWords.key(of: String(decoding: name, as: UTF8.self)) {
      addWord { bytes in
        bytes += kind.rawValue.utf8
        bytes += key.utf8
      }
    }
  }

  /// Adds a word of two or three parts without the punctuation between them.
  private mutating func addCompound(_ word: AddressParts.Bytes) {
    guard word.count <= 40 else { return }
    var parts = 0
    var isInPart = false
    for byte in word {
      let isPart = Self.isPart(byte)
      if isPart, !isInPart { parts += 1 }
      isInPart = isPart
    }
    guard (2...3).contains(parts) else { return }
    addWord { bytes in
      for byte in word where Self.isPart(byte) { bytes.append(byte) }
    }
  }

  private mutating func addWord(_ write: (inout [UInt8]) -> Void) {
    let before = bytes.count
    if before > 0 { bytes.append(0x20) }
    let start = bytes.count
    write(&bytes)
    if words.contains(where: { bytes[$0].elementsEqual(bytes[start...]) }) {
      bytes.removeSubrange(before...)
    } else {
      words.append(start..<bytes.count)
    }
  }

  private static func isPart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }
}

/// The parts of a URL that name its target.
struct AddressParts {
  typealias Bytes = Slice<UnsafeBufferPointer<UInt8>>

  /// The names of the site: `swift` and `swift.org` for `https://www.swift.org/`; empty for a page
  /// within a site.
  private(set) var sites: [Bytes] = []
  /// The last component of the path, without its extension.
  private(set) var lastComponent: Bytes?

  /// Parses a URL; valid as long as its bytes are.
  init(_ address: Bytes) {
    guard let start = Self.afterScheme(address) else { return }
    let end =
      address[start...].firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
      ?? address.endIndex
    let slash = UInt8(ascii: "/")
    var path = address[start..<end].drop { $0 == slash }
    let host = path.prefix { $0 != slash }
    path = path[host.endIndex...]
    while path.last == slash { path = path.dropLast() }
    if let begin = path.lastIndex(of: slash) {
      lastComponent = Self.withoutEnding(path[(begin + 1)...])
    } else {
      sites = Self.names(of: host.prefix { $0 != UInt8(ascii: ":") })
    }
  }

  private static func afterScheme(_ address: Bytes) -> Int? {
    var index = address.startIndex
    while let colon = address[index...].firstIndex(of: UInt8(ascii: ":")) {
      if address[colon...].starts(with: "://".utf8) { return colon + 3 }
      index = colon + 1
    }
    return nil
  }

  private static func names(of host: Bytes) -> [Bytes] {
    if host.isEmpty { return [] }
    var labels = host.split(separator: UInt8(ascii: "."))
    if let first = labels.first, first.elementsEqual("www".utf8) { labels.removeFirst() }
    guard labels.count > 1 else { return [host] }
    // `co.uk` and similar count as one top-level domain.
    let isDouble =
      labels.count > 2 && labels[labels.count - 1].count == 2
      && ["co", "com", "org", "net", "ac", "gov", "edu"].contains { (ending: StaticString) in
        labels[labels.count - 2].isText(ending)
      }
    let name = labels[labels.count - (isDouble ? 3 : 2)]
    let whole = host.starts(with: "www.".utf8) ? host.dropFirst(4) : host
    return [name, labels[0], whole]
  }

  private static func withoutEnding(_ component: Bytes) -> Bytes {
    for ending in [".git", ".html", ".htm", ".php", ".md"] as [StaticString]
    where component.suffix(ending.utf8CodeUnitCount).isText(ending) {
      return component.dropLast(ending.utf8CodeUnitCount)
    }
    return component
  }
}

extension Slice<UnsafeBufferPointer<UInt8>> {
  /// Whether the bytes equal a text.
  fileprivate func isText(_ text: StaticString) -> Bool {
    text.withUTF8Buffer { elementsEqual($0) }
  }
}
