import Engine
import Phrases

/// Finds the items that sentences name, by their title or by some of its words, and the last results.
final class SpokenItems {
  /// The items that words mean.
  private enum Finding {
    case none
    case one(SpokenItem)
    /// Several, and none of them more than the others.
    case several([SpokenItem])
  }

  /// The items of a library.
  struct Source {
    /// Items of an entity with a text as reference, identity or title.
    var named: (_ text: String, _ entity: String) -> [SpokenItem]
    /// Items of an entity that a search for words finds, and whether it finds only some of the words; then
    /// a number of the newest.
    var near: (_ words: [String], _ entity: String, _ newest: Int) -> ([SpokenItem], isNear: Bool)
    /// The item with a reference.
    var referenced: (_ reference: String) -> SpokenItem? = { _ in nil }
    /// Items of all entities that have a tag; those that are done for nil.
    var chosen: (_ tag: String?) -> [SpokenItem] = { _ in [] }
  }

  private let source: Source
  /// The last results, which words may mean instead.
  var memory = SpokenMemory()
  /// The words that no item of an entity has, of phrases that fitted otherwise.
  private(set) var missing: [(entity: String, words: String)] = []
  @exclusivity(unchecked) private var known: [String: Finding] = [:]
  @exclusivity(unchecked) private var mentions: [String: SpokenItem?] = [:]
  @exclusivity(unchecked) private var searches = 0

  /// The number of searches for a sentence, so that none takes long.
  private static let mostSearches = 24
  /// The number of newest items whose titles are compared besides those that a search finds.
  private static let newest = 200
  /// The most words of a name.
  private static let mostWords = 12

  init(_ source: Source) { self.source = source }

  /// Looks items up in the store of a run.
  convenience init(_ run: Run) {
    self.init(
      Source(
        named: { run.spokenItems(named: $0, of: $1) },
        near: { run.spokenItems(near: $0, of: $1, newest: $2) },
        referenced: { run.spokenItem($0) },
        chosen: { (try? run.spokenItems(tagged: $0)) ?? [] }))
  }

  /// Forgets what was found for the sentence before.
  func begin() {
    (known, mentions, searches, missing) = ([:], [:], 0, [])
  }

  /// An understanding with the titles of the items that its words mean; nil if there is no such item.
  ///
  /// - Parameters:
  ///   - inTexts: Whether the words may be those of texts of an item, too.
  ///   - isTold: Whether it is remembered as `missing` that there is none.
  func naming(
    _ understood: Understanding, _ book: SpokenBook, inTexts: Bool = false, isTold: Bool = false
  ) -> Understanding? {
    var named = understood
    for index in named.arguments.indices {
      let argument = named.arguments[index]
      guard argument.isItem, !argument.words.isEmpty, !memory.means(argument.text, named.language),
        SpokenBook.address(argument.text) == nil
      else { continue }
      switch find(argument.text, of: argument.entity, book.vocabulary, inTexts: inTexts) {
      case .none:
        if isTold { missing.append((argument.entity, argument.text)) }
        return nil
      case .one(let item):
        named.arguments[index].text = item.title
        if understood.isAlready(item.states) == true { named.unchanged = item.title }
      case .several(let items):
        // The one whose state the sentence changes is meant.
        let changing = items.filter { understood.isAlready($0.states) == false }
        if changing.count == 1 {
          named.arguments[index].text = changing[0].title
        } else if !items.contains(where: { $0.title == argument.text }) {
          named.arguments[index].text = book.vocabulary.telling(argument.text, of: argument.entity)
        }
      }
    }
    return named
  }

  /// The items of an entity that words mean: those with the title, else those in whose names all of the
  /// words are, but for small ones and those for the kind of item.
  ///
  /// - Parameter inTexts: Whether the words may also be in their texts.
  /// - Complexity: a search, and a comparison with the names of some hundred items.
  private func find(
    _ text: String, of entity: String, _ vocabulary: SpokenVocabulary, inTexts: Bool
  ) -> Finding {
    let key = "\(inTexts) \(entity) \(text)"
    if let found = known[key] { return found }
    let found = look(text, of: entity, vocabulary, inTexts: inTexts)
    known[key] = found
    return found
  }

  // MARK: Items of any entity

  /// The items that words name: only those of an entity whose kind the words name, too.
  ///
  /// - Parameter entities: The entities they may be of; nil for all.
  func items(
    named text: String, _ vocabulary: SpokenVocabulary, of entities: [String]? = nil
  ) -> [SpokenItem] {
    var found: [SpokenItem] = []
    for entity in entities ?? vocabulary.entities(namedIn: text) {
      switch find(text, of: entity, vocabulary, inTexts: false) {
      case .none: missing.append((entity, text))
      case .one(let item): found.append(item)
      case .several(let items): found += items
      }
    }
    let titled = found.filter { $0.title.lowercased() == text.lowercased() }
    return titled.isEmpty ? found : titled
  }

  /// Remembers that no item is meant by words.
  func note(missing text: String) { missing.append(("item", text)) }

  /// The last results that words mean; nil for other words.
  func remembered(_ text: String, _ language: String) -> [SpokenItem]? {
    memory.meaning(text, language)?.compactMap(source.referenced)
  }

  /// The items of entities that have a tag; those that are done for nil.
  func chosen(_ tag: String?, of entities: [String]) -> [SpokenItem] {
    source.chosen(tag).filter { entities.contains($0.entity) }
  }

  /// Whether there is an item of an entity with a title or an address.
  func has(_ text: String, of entity: String) -> Bool {
    !source.named(text, entity).isEmpty
  }

  private func look(
    _ text: String, of entity: String, _ vocabulary: SpokenVocabulary, inTexts: Bool
  ) -> Finding {
    let titled = source.named(text, entity)
    if !titled.isEmpty { return Self.finding(titled) }
    let all = SpokenVocabulary.words(of: text)
    guard all.count <= Self.mostWords * 2 else { return .none }
    let kinds = vocabulary.kinds(of: entity)
    let words =
      vocabulary.isDense
      ? Self.dense(text, without: kinds.union(vocabulary.small))
      : all.filter { !vocabulary.small.contains($0) && !kinds.contains($0) }
    // `the page` names none.
    guard !words.isEmpty, words.count <= Self.mostWords else { return .none }
    if words.count < all.count {
      let rest = all.filter { !kinds.contains($0) }.drop { vocabulary.small.contains($0) }
      let titled = source.named(rest.joined(separator: " "), entity)
      if !titled.isEmpty { return Self.finding(titled) }
    }
    searches += 1
    guard searches <= Self.mostSearches else { return .none }
    if inTexts {
      let (items, isNear) = source.near(words, entity, 0)
      return isNear ? .none : Self.finding(items)
    }
    let (items, _) = source.near(words, entity, Self.newest)
    var best: [(item: SpokenItem, share: Double)] = []
    for item in items {
      if vocabulary.isDense {
        guard words.allSatisfy(item.names.contains) else { continue }
        best.append((item, Double(words.joined().count) / Double(max(item.title.count, 1))))
        continue
      }
      let names = SpokenVocabulary.words(of: item.names)
      guard
        words.allSatisfy({ word in names.contains { vocabulary.isSame(word, $0) } })
      else { continue }
      let title = SpokenVocabulary.words(of: item.title).filter { !vocabulary.small.contains($0) }
      let shared = title.count { name in words.contains { vocabulary.isSame($0, name) } }
      best.append((item, Double(shared) / Double(max(title.count, 1))))
    }
    // Those whose title has the words come before those with tags.
    let most = best.map(\.share).max() ?? 0
    return Self.finding(best.filter { $0.share >= most * Self.near }.map(\.item))
  }

  // MARK: Items that a text mentions

  /// The item of an entity that a text mentions among other words: by most of its title, or by a word that no other
  /// item has; nil for none and for several.
  func mentioned(in text: String, of entity: String, _ book: SpokenBook) -> SpokenItem? {
    let vocabulary = book.vocabulary
    let kinds = vocabulary.kinds(of: entity)
    let words = SpokenVocabulary.words(of: text)
      .filter { !vocabulary.small.contains($0) && !kinds.contains($0) }
    let key = "\(entity) \(text)"
    if let found = mentions[key] { return found }
    searches += 1
    guard !words.isEmpty, words.count <= Self.mostWords * 3, searches <= Self.mostSearches else {
      return nil
    }
    mentions[key] = .some(nil)
    let (items, _) = source.near(vocabulary.isDense ? [] : words, entity, Self.newest)
    let shared = items.compactMap { Mention($0, text, words, book) }
      .sorted { $0.score > $1.score }
    guard let best = shared.first else { return nil }
    if shared.count > 1 {
      let isAlone = shared[1].score * Self.clearly <= best.score
      guard isAlone || best.item.title == shared[1].item.title else { return nil }
    }
    guard best.share >= 0.5 || best.isTelling else { return nil }
    mentions[key] = best.item
    return best.item
  }

  /// The times the score of another mention that a clear one has.
  private static let clearly = 1.4

  /// The words that an item shares with a text.
  private struct Mention {
    let item: SpokenItem
    /// The letters of words that are shared; those of its title count twice.
    let score: Double
    /// The share of the letters of its title.
    let share: Double
    /// Whether a shared word is none of phrases.
    let isTelling: Bool

    init?(_ item: SpokenItem, _ text: String, _ words: [String], _ book: SpokenBook) {
      let vocabulary = book.vocabulary
      func shares(_ name: String) -> Bool {
        vocabulary.isDense
          ? text.lowercased().contains(name)
          : name.count > 2 && words.contains { vocabulary.isSame($0, name) }
      }
      let title =
        vocabulary.isDense
        ? Self.runs(of: item.title)
        : SpokenVocabulary.words(of: item.title).filter { !vocabulary.small.contains($0) }
      let shared = title.filter(shares)
      let others = SpokenVocabulary.words(of: item.names)
        .filter { !title.contains($0) && $0.count > 3 && shares($0) }
      func letters(_ names: [String]) -> Double { Double(names.joined().count) }
      guard !shared.isEmpty || !others.isEmpty else { return nil }
      self.item = item
      share = letters(shared) / max(1, letters(title))
      score = letters(shared) * (1 + share) + letters(others) / 2
      isTelling = (shared + others).contains {
        $0.count > 3 && !book.literals.has($0) || vocabulary.isDense
      }
    }

    /// The runs of signs of one script in a title, without those that only join others.
    private static func runs(of title: String) -> [String] {
      func script(_ sign: Character) -> Int {
        switch sign {
        case "ぁ"..."ゟ": 0
        case "ァ"..."ヿ": 1
        case _ where sign.isLetter || sign.isNumber: sign.isASCII ? 2 : 3
        default: 4
        }
      }
      var runs: [(script: Int, text: String)] = []
      for sign in title.lowercased() {
        if let last = runs.last, last.script == script(sign) {
          runs[runs.count - 1].text.append(sign)
        } else {
          runs.append((script(sign), String(sign)))
        }
      }
      return runs.filter { (1...3).contains($0.script) && ($0.text.count > 1 || $0.script == 3) }
        .map(\.text)
    }
  }

  /// The share of the best one's share with which an item may be meant as well.
  private static let near = 0.6

  /// One item, of those that are equal the one that is open.
  private static func finding(_ items: [SpokenItem]) -> Finding {
    switch items.count {
    case 0: .none
    case 1: .one(items[0])
    default:
      // Of an item that repeats, the one that is not done is meant.
      if Set(items.map(\.title)).count == 1,
        let open = items.first(where: { $0.states["done"] == false })
      {
        .one(open)
      } else {
        .several(items)
      }
    }
  }

  /// The parts of a text without spaces between those that say little.
  private static func dense(_ text: String, without words: Set<String>) -> [String] {
    var parts = SpokenVocabulary.words(of: text)
    for word in words.sorted(by: { ($1.count, $0) < ($0.count, $1) }) {
      parts = parts.flatMap { $0.components(around: word) }
    }
    return parts.filter { !$0.isEmpty }
  }
}

extension SpokenItem {
  /// Whether a word is one of those by which people name it.
  func has(_ word: String, _ vocabulary: SpokenVocabulary) -> Bool {
    SpokenVocabulary.words(of: names).contains { vocabulary.isSame(word, $0) }
  }
}

extension String {
  /// The parts before and after each occurrence of a text.
  fileprivate func components(around text: String) -> [String] {
    var parts: [String] = []
    var rest = self[...]
    while let range = rest.firstRange(of: text) {
      parts.append(String(rest[..<range.lowerBound]))
      rest = rest[range.upperBound...]
    }
    return parts + [String(rest)]
  }
}
