/// The parts of an address that name what it leads to.
struct AddressParts {
  typealias Bytes = Slice<UnsafeBufferPointer<UInt8>>

  /// What the site is called: `swift` and `swift.org` for `https://www.swift.org/`; nothing for an
  /// address within a site.
  private(set) var sites: [Bytes] = []
  /// The last part of the path without its ending.
  private(set) var lastComponent: Bytes?

  /// The parts of an address, as long as its bytes live.
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
    // `co.uk` and the like are one ending.
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
  /// Whether the bytes are those of a text.
  fileprivate func isText(_ text: StaticString) -> Bool {
    text.withUTF8Buffer { elementsEqual($0) }
  }
}
