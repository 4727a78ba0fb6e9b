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
    /// The references to what must be done first; nil for items in no order.
    package let after: Int?

    package init(done: Int, rule: Int, day: Int, moves: [Int], parts: Int?, after: Int?) {
      (self.done, self.rule, self.day) = (done, rule, day)
      (self.moves, self.parts, self.after) = (moves, parts, after)
    }
  }

  /// The positions of the properties that say when an item takes place; nil for none.
  package let occurrence: Occurrence?

  /// The positions of the properties that say when an item takes place.
  package struct Occurrence: Sendable {
    /// A day or a moment.
    package let start: Int
    /// The last day, or the end.
    package let end: Int?
    /// Whether it takes whole days.
    package let allDay: Int?
    /// The name of the time zone of a series.
    package let zone: Int?
    package let rule: Int?
    /// The component of a calendar, with the days on which a series differs from its rule.
    package let source: Int?

    package init(
      start: Int, end: Int? = nil, allDay: Int? = nil, zone: Int? = nil, rule: Int? = nil,
      source: Int? = nil
    ) {
      (self.start, self.end, self.allDay) = (start, end, allDay)
      (self.zone, self.rule, self.source) = (zone, rule, source)
    }
  }

  /// The identity if it is a single property; nil otherwise.
  package var identity: String? { identities.count == 1 ? identities[0] : nil }

  package init(name: String, properties: [PropertySchema], identity: String? = nil) {
    self.init(name: name, properties: properties, identities: identity.map { [$0] } ?? [])
  }

  package init(
    name: String, properties: [PropertySchema], identities: [String],
    repetition: Repetition? = nil, occurrence: Occurrence? = nil
  ) {
    self.repetition = repetition
    self.occurrence = occurrence ?? Self.occurrence(of: properties, repetition)
    self.name = name
    self.properties = properties
    self.identities = identities
  }

  /// When items take place that do not say it otherwise: on the day of their repetition, or their first one.
  private static func occurrence(
    of properties: [PropertySchema], _ repetition: Repetition?
  ) -> Occurrence? {
    (repetition?.day ?? properties.firstIndex { $0.type.hasDays }).map { Occurrence(start: $0) }
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
