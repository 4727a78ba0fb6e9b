import CEL
package import Items

/// Finds items like another one, and the tags that these suggest.
///
/// Items are alike if they share rare words, or a site. All is read from the text index, so nothing
/// is trained or kept, and each answer is about the library as it is.
package struct LikenessSearch {
  /// The number of words of a subject that are looked up; a long text says early what it is about.
  private static let mostWords = 40
  /// The number of like items that vote for tags.
  private static let voters = 100
  /// The exponent by which the votes of less similar items count less.
  private static let sharpness = 4

  let database: Database
  private var connection: Connection { database.connection }

  /// The texts to which items are compared.
  package struct Subject: Sendable {
    /// The words, most telling first, such as a title and a summary.
    package var texts: [String]
    /// The address; nil for none.
    package var address: String?
    /// The entity and the id of the item that is left out; nil for none.
    private var entity: String?
    private var itself: Int64?

    package init(texts: [String], address: String? = nil) {
      self.texts = texts
      self.address = address
    }

    fileprivate func isItself(_ id: Int64, of entity: String) -> Bool {
      id == itself && entity == self.entity
    }

    /// The subject that an item is: its texts that are searched, except lists, in the order of
    /// their weights, and its address.
    package init(_ item: Item) {
      let schema = item.schema.properties
      let searched = schema.indices.filter { schema[$0].searchWeight ?? 0 > 0 }
        .sorted { (schema[$0].searchWeight ?? 0) > (schema[$1].searchWeight ?? 0) }
      func text(_ index: Int) -> String? {
        if case .string(let text) = item.value(at: index) { text } else { nil }
      }
      texts = searched.filter { schema[$0].type.base == .string }.compactMap(text)
      address = searched.first { schema[$0].type.base == .url }.flatMap(text)
      itself = item.isSaved ? item.id : nil
      entity = item.entity
    }
  }

  /// An item that is like a subject.
  package struct Match: Sendable {
    /// The id of the item.
    package let id: Int64
    /// The similarity, relative to the most similar item, above 0 to 1.
    package let score: Double
  }

  /// A tag that may suit a subject.
  package struct TagSuggestion: Hashable, Sendable {
    package let tag: String
    /// The share of the votes for all tags, above 0 to 1.
    package let share: Double
  }

  /// The items of an entity that are most like a subject, best first.
  ///
  /// - Throws: `notFound` for an unknown entity.
  /// - Complexity: Bounded at any number of items, as for a search.
  package func nearest(
    to subject: Subject, of entity: String, limit: Int
  ) throws -> [Match] {
    let table = try database.table(entity)
    guard !table.isAbsent, limit > 0 else { return [] }
    try connection.registerSearch()
    let reader = SearchReader(table, connection, database.context)
    return try connection.reading {
      guard let plan = try reader.plan(any: terms(of: subject, in: table)), let match = plan.match
      else { return [] }
      let search = try RankedSearch(
        plan, match: match, in: table, connection, now: database.context.world.now())
      let hits = try search.chunk(of: search.chunkSize, before: nil).best
        .filter { !subject.isItself($0.id, of: entity) }
        .sorted { ($0.relevance, $0.id) > ($1.relevance, $1.id) }
      guard let most = hits.first?.relevance, most > 0 else { return [] }
      return hits.prefix(limit).map { Match(id: $0.id, score: $0.relevance / most) }
    }
  }

  /// The tags of the items most like a subject, most votes first.
  ///
  /// Each of the nearest items votes for its tags with the fourth power of its similarity. The
  /// exponent and the number of voters were chosen on 5,127 links held out of 125,722, where 20
  /// equal voters suggest fewer right tags.
  /// - Throws: `notFound` for an unknown entity.
  package func tags(
    for subject: Subject, of entity: String, limit: Int
  ) throws -> [TagSuggestion] {
    let table = try database.table(entity)
    guard let tags = table.schema.properties.first(where: \.areTags)?.name else { return [] }
    let nearest = try nearest(to: subject, of: entity, limit: Self.voters)
    let weights = Dictionary(uniqueKeysWithValues: nearest.map { ($0.id, $0.score) })
    let ids = "[\(nearest.map { String($0.id) }.joined(separator: ","))]"
    var votes: [String: Double] = [:]
    try connection.rows(
      """
      SELECT t.id, e.value FROM \(name: table.name) AS t, json_each(t.\(name: tags)) AS e \
      WHERE t.id IN (SELECT value FROM json_each(\(.text(ids))))
      """
    ) { row in
      let weight = weights[row.int(0)] ?? 0
      var vote = 1.0
      for _ in 0..<Self.sharpness { vote *= weight }
      votes[row.text(1), default: 0] += vote
      return true
    }
    let all = votes.values.reduce(0, +)
    return votes.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(limit)
      .map { TagSuggestion(tag: $0.key, share: $0.value / all) }
  }

  // MARK: Terms

  /// The words of a subject, and its site by two phrases: the host, and the host with the first
  /// part of the path, which is an account on sites that have accounts.
  private func terms(of subject: Subject, in table: EntityTable) -> [SearchTerm] {
    var words: [String] = []
    var seen: Set<String> = []
    for text in subject.texts + [subject.address.map(Self.path) ?? ""] {
      for word in Self.words(of: text) where words.count < Self.mostWords {
        if seen.insert(word).inserted { words.append(word) }
      }
    }
    var terms = words.map { SearchTerm.phrase($0, isPrefix: false, property: nil) }
    let url = table.searched.map { table.schema.properties[$0] }.first { $0.type == .url }
    if let url, let address = subject.address {
      let place = Self.place(address)
      for count in [1, 2] where place.count >= count {
        let phrase = place.prefix(count).joined(separator: " ")
        terms.append(.phrase(phrase, isPrefix: false, property: url.name))
      }
    }
    return terms
  }

  /// The words of a text; where words are not separated by spaces, pairs of characters.
  private static func words(of text: String) -> [String] {
    var words: [String] = []
    var word = String.UnicodeScalarView()
    var last: Unicode.Scalar?
    func end() {
      if word.count > 1 { words.append(String(word)) }
      word.removeAll()
    }
    for scalar in text.lowercased().unicodeScalars {
      if scalar.standsWithoutSpaces {
        end()
        if let last { words.append("\(last)\(scalar)") }
        last = scalar
        continue
      }
      last = nil
      if scalar.isTokenCharacter { word.append(scalar) } else { end() }
    }
    end()
    return words
  }

  /// Host and parts of the path of an address.
  private static func place(_ address: String) -> [Substring] {
    var parts = address.prefix { $0 != "?" && $0 != "#" }.split(separator: "/")
    if let scheme = parts.first, scheme.hasSuffix(":") { parts.removeFirst() }
    if let host = parts.first, host.hasPrefix("www.") { parts[0] = host.dropFirst(4) }
    return parts
  }

  private static func path(_ address: String) -> String {
    place(address).dropFirst().joined(separator: " ")
  }
}
