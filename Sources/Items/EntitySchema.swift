/// The store's view of an entity definition.
package struct EntitySchema: Sendable {
  /// The name, such as `ReadingList`; the table has the same name.
  package let name: String
  /// The properties in declaration order.
  package let properties: [PropertySchema]
  /// The properties that together identify an item.
  package let identities: [String]
  /// The rule by which an item that is done gets a successor; nil for none.
  package let repetition: Repetition?

  /// The positions of the properties by which an item that is done gets a successor.
  package struct Repetition: Sendable {
    package let done: Int
    package let rule: Int
    package let day: Int
    /// Further days, which keep their distance to the first.
    package let moves: [Int]
    /// The reference of a part to its whole; nil for items without parts.
    package let parts: Int?

    package init(done: Int, rule: Int, day: Int, moves: [Int], parts: Int?) {
      (self.done, self.rule, self.day) = (done, rule, day)
      (self.moves, self.parts) = (moves, parts)
    }
  }

  /// The identity if it is a single property; nil otherwise.
  package var identity: String? { identities.count == 1 ? identities[0] : nil }

  package init(name: String, properties: [PropertySchema], identity: String? = nil) {
    self.init(name: name, properties: properties, identities: identity.map { [$0] } ?? [])
  }

  package init(
    name: String, properties: [PropertySchema], identities: [String],
    repetition: Repetition? = nil
  ) {
    self.repetition = repetition
    self.name = name
    self.properties = properties
    self.identities = identities
  }

  /// The prefix of its references, such as `reading-list` for `ReadingList`.
  package var kind: String { Self.kind(of: name) }

  /// The prefix of references to an entity: its name in kebab case.
  ///
  /// Consecutive capitals form one word: `RSSFeed` becomes `rss-feed`.
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
