/// The definition of an entity, as the store needs to know it.
package struct EntitySchema: Sendable {
  /// The name, such as `ReadingList`, which is also the table's.
  package let name: String
  /// The properties in the order of their declaration.
  package let properties: [PropertySchema]
  /// The properties by which two items are known to be the same, all of them together.
  package let identities: [String]
  /// The property by which two items are known to be the same; nil where there is none, or several.
  package var identity: String? { identities.count == 1 ? identities[0] : nil }

  package init(name: String, properties: [PropertySchema], identity: String? = nil) {
    self.init(
      name: name, properties: properties, identities: identity.map { [$0] } ?? [])
  }

  package init(name: String, properties: [PropertySchema], identities: [String]) {
    self.name = name
    self.properties = properties
    self.identities = identities
  }

  /// The prefix of a reference: `reading-list` for `ReadingList`.
  package var kind: String { Self.kind(of: name) }

  /// The prefix of a reference to an entity: its name in kebab-case.
  ///
  /// A run of capitals is one word: `RSSFeed` is `rss-feed`.
  package static func kind(of entity: String) -> String {
    let letters = Array(entity.utf8)
    var result: [UInt8] = []
    for (index, letter) in letters.enumerated() {
      guard isUpper(letter) else {
        result.append(letter)
        continue
      }
      let followsLower = index > 0 && !isUpper(letters[index - 1])
      let endsRun =
        index > 0 && index + 1 < letters.count && !isUpper(letters[index + 1])
        && !isDigit(letters[index + 1])
      if followsLower || endsRun { result.append(UInt8(ascii: "-")) }
      result.append(letter | 0x20)
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func isUpper(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) }
  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
