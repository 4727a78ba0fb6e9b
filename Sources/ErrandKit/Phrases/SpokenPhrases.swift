package import CEL
package import Catalog
import Glibc
import Items
import Links
import POSIX
import Phrases
package import Program
import Source

/// The phrases of all intents and shortcuts in reach, in the languages a person may speak.
///
/// Not thread-safe.
package final class SpokenPhrases {
  /// A phrase of an intent or a shortcut.
  package struct Phrase {
    package let action: String
    package let text: String
    package let language: String
  }

  /// A group of definitions whose phrases are matched together: a person's own, those of a file that is
  /// checked or tested as if it were one of them, and the built-in ones, or those of another layer.
  struct Group {
    let layers: [DefinitionCatalog.Layer]
    var isForeign: Bool { layers != Self.own.layers }

    static let own = Group(layers: [.builtIn, .user, .file])
  }

  let catalog: DefinitionCatalog
  let now: Timestamp
  let clock: LocalClock
  /// Languages that sentences may be in, the most likely first.
  package let languages: [String]
  /// A folder that keeps compiled phrases from call to call; nil for none.
  private let cache: String?
  private var books: [String: SpokenBook] = [:]

  /// Prepares the phrases of a catalog; they are read when a sentence is to be understood.
  ///
  /// - Parameters:
  ///   - languages: The person's languages, best first.
  ///   - cache: A folder that keeps compiled phrases from call to call; nil for none.
  package init(
    _ catalog: DefinitionCatalog, languages: [String], now: Timestamp, clock: LocalClock,
    cache: String? = nil
  ) {
    self.catalog = catalog
    self.now = now
    self.clock = clock
    self.cache = cache
    var all: [String] = []
    let own = catalog.addedActionNames.compactMap { name -> String? in
      guard case .action(let action)? = try? catalog.untranslated(name) else { return nil }
      return action.language
    }
    for language in languages + ["en"] + own where !all.contains(language) {
      all.append(language)
    }
    self.languages = all
  }

  /// The groups that have definitions.
  private var groups: [Group] {
    var layers: Set<DefinitionCatalog.Layer> = []
    for name in catalog.addedActionNames {
      if let layer = catalog.place(ofAction: name)?.layer, !Group.own.layers.contains(layer) {
        layers.insert(layer)
      }
    }
    return [.own] + layers.sorted().map { Group(layers: [$0]) }
  }

  /// The books, in the order in which they are asked: own phrases beat those from elsewhere.
  var orderedBooks: some Sequence<SpokenBook> {
    let order = groups.flatMap { group in languages.map { (group, $0) } }
    return order.lazy.map { self.book($0, $1) }
  }

  private func book(_ group: Group, _ language: String) -> SpokenBook {
    let key = "\(group.layers.map(\.rawValue)) \(language)"
    if let known = books[key] { return known }
    let book = SpokenBook(
      table(group, language), isForeign: group.isForeign,
      dates: SpokenDate(language, now: now, clock: clock),
      english: DateReader(now: now, clock: clock))
    books[key] = book
    return book
  }

  /// The rows of a language, from the cache if the definitions are the same.
  private func table(_ group: Group, _ language: String) -> PhraseTable {
    let name = "\(language)-\(group.layers.map { "\($0.rawValue)" }.joined())"
    guard let cache, let key = cacheKey else { return make(group, language) }
    let path = "\(cache)/phrases-\(name)"
    if let bytes = try? FileReader.bytes(of: path), let table = PhraseTable(bytes, key: key) {
      return table
    }
    let table = make(group, language)
    // Without a cache, the next call takes longer.
    _ = PrivateFile(path: path).replace(table.bytes(key: key), isDurable: false)
    return table
  }

  private func make(_ group: Group, _ language: String) -> PhraseTable {
    var table = PhraseTable(catalog, layers: group.layers, language: language)
    // An invalid phrase is left out; `check` reports it.
    let problems = SpokenBook.Problems(table)
    table.rows = PhraseRows(table.rows.filter { problems.problem(with: $0) == nil })
    table.index = (try? PhraseBook(SpokenBook.source(table)))?.index
    table.literals = PhraseWords(of: table)
    let small = SpokenVocabulary(table).small
    let words = table.commands.map { command in
      PhraseTemplate.words(in: command.template) { table.rules[$0] }
    }
    table.commandWords = Set(words.joined()).subtracting(small).sorted()
    return table
  }

  /// A text that differs when the program or a file differs; nil if that is not known.
  private lazy var cacheKey: String? = {
    guard let program = stat.at("/proc/self/exe") else { return nil }
    // FNV-1a, which only needs to distinguish versions of the same files.
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    func add(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    for file in catalog.files {
      for byte in file.bytes { add(byte) }
      add(0)
    }
    return
      "\(program.st_size) \(program.st_mtim.tv_sec).\(program.st_mtim.tv_nsec) \(program.st_ino) \(hash)"
  }()

  /// The phrases that cannot be used, with the reasons.
  package func problems() -> [(phrase: Phrase, reason: String)] {
    groups.flatMap { group in
      languages.flatMap { language in
        let table = PhraseTable(catalog, layers: group.layers, language: language)
        let problems = SpokenBook.Problems(table)
        return table.rows.compactMap { row in
          problems.problem(with: row).map {
            (Phrase(action: row.action, text: row.text, language: language), $0)
          }
        }
      }
    }
  }

  /// All phrases, by intent.
  package var phrases: [Phrase] {
    orderedBooks.flatMap { book in
      book.table.rows.map {
        Phrase(action: $0.action, text: $0.text, language: book.table.language)
      }
    }
  }

  // MARK: Sentences

  /// The maximum number of understandings that are compared.
  private static let limit = 20

  /// The understandings of a sentence that are equally good; empty if nothing fits.
  ///
  /// A phrase that fits the sentence as it was said comes before one that fits it with empty words left
  /// out or words respelled, and that before a loose reading.
  ///
  /// - Parameter items: The items that it may name; nil to take any words for an item.
  func understand(_ sentence: String, items: SpokenItems?) -> [Understanding] {
    read(sentence, items: items).calls
  }

  /// The reading of a sentence: calls that are equally good, or a command of the program.
  ///
  /// A command comes before a phrase that takes more of its words for any words, and before other forms of
  /// the sentence.
  func read(_ sentence: String, items: SpokenItems?) -> SpokenReading {
    let books = Array(orderedBooks)
    let whole = SpokenForm(sentence)
    // Other languages than the first are only understood as their phrases are written; `de-AT` is German.
    let first = languages.first.map(LanguageCode.chain) ?? []
    let own = books.filter { first.contains($0.table.language) }
    var command: SpokenCommand??
    func spokenCommand() -> SpokenCommand? {
      if let known = command { return known }
      let found = items.flatMap { items in
        own.lazy.compactMap { $0.command(sentence, items: items) }.first
      }
      command = .some(found)
      return found
    }
    // A phrase that begins with any words may have taken those of another one that are misspelt.
    var unsure: [Understanding] = []
    for book in books {
      let found = book.understand(whole, limit: Self.limit, items: items)
      if let best = found.first(where: { !$0.beginsWithGuess }) {
        if best.hasGuess, let command = spokenCommand(), command.open < best.open {
          return .command(command)
        }
        if best.hasGuess, let items, let shorter = book.withoutRequest(sentence, best, items) {
          return .calls([shorter])
        }
        return .calls(found)
      }
      if unsure.isEmpty { unsure = found }
    }
    if let command = spokenCommand() { return .command(command) }
    if let items, let guess = unsure.first,
      let shorter = own.lazy.compactMap({ $0.withoutRequest(sentence, guess, items) }).first
    {
      return .calls([shorter])
    }
    let found = otherwise(sentence, own, unsure, items)
    if found.allSatisfy(\.isUnsure), let items {
      if let steps = steps(of: sentence, own, items) { return .steps(steps) }
      if found.isEmpty {
        return .calls(own.lazy.map { $0.inParts(sentence, items) }.first { !$0.isEmpty } ?? [])
      }
    }
    return .calls(found)
  }

  /// Two sentences that a sentence joins, of which the second is about the result of the first; nil for none.
  private func steps(
    of sentence: String, _ own: [SpokenBook], _ items: SpokenItems
  ) -> [String]? {
    let words = sentence.split(separator: " ")
    guard let spoken = own.first.flatMap({ SpokenWords.of($0.table.language) }),
      (4...40).contains(words.count)
    else { return nil }
    func bare(_ word: Substring) -> String { PhraseText.bare(word.lowercased()) }
    for index in words.indices.dropFirst().dropLast() {
      let joins = spoken.and.contains(bare(words[index]))
      guard joins || words[index - 1].hasSuffix(",") else { continue }
      let rest = words[(joins ? index + 1 : index)...].drop { spoken.thenWords.contains(bare($0)) }
      guard rest.count >= 2, rest.contains(where: { spoken.it.contains(bare($0)) }) else {
        continue
      }
      let parts = [words[..<index], rest].map { $0.joined(separator: " ") }
      let memory = items.memory
      defer { items.memory = memory }
      let first = otherwise(parts[0], own, understandWhole(parts[0], own, items), items)
      items.memory.expectResult()
      let second = otherwise(parts[1], own, understandWhole(parts[1], own, items), items)
      let isAboutResult =
        second.count == 1
        && second[0].arguments.contains {
          $0.isItem && items.memory.means($0.words, second[0].language)
        }
      if first.count == 1, isAboutResult {
        return parts
      }
    }
    return nil
  }

  /// The understandings of a sentence as it was said, in the languages of some books.
  private func understandWhole(
    _ sentence: String, _ books: [SpokenBook], _ items: SpokenItems
  ) -> [Understanding] {
    books.lazy.map { $0.understand(SpokenForm(sentence), limit: Self.limit, items: items) }
      .first { !$0.isEmpty } ?? []
  }

  /// The understandings of a sentence that no phrase fits as it was said.
  private func otherwise(
    _ sentence: String, _ own: [SpokenBook], _ unsure: [Understanding], _ items: SpokenItems?
  ) -> [Understanding] {
    for book in own {
      for form in book.forms(of: sentence) {
        let found = book.understand(form, limit: Self.limit, items: items)
        if found.contains(where: { unsure.isEmpty || !$0.beginsWithGuess }) { return found }
      }
    }
    if !unsure.isEmpty { return unsure }
    for book in own {
      let found = clauses(of: sentence, book, items: items)
      if !found.isEmpty { return found }
    }
    return loose(sentence, own, items: items)
  }

  /// The understandings of a sentence whose first or last words say a parameter beside those of a phrase, as in
  /// `with the tag recipes, make a note: …`.
  private func clauses(
    of sentence: String, _ book: SpokenBook, items: SpokenItems?
  ) -> [Understanding] {
    for (clause, rest) in book.clauses(of: sentence) {
      for form in [SpokenForm(rest)] + book.forms(of: rest) {
        let found = book.understand(form, limit: Self.limit, items: items).compactMap {
          book.adding(clause, to: $0)
        }
        if !found.isEmpty { return found }
      }
    }
    return []
  }

  /// The understandings of a sentence by phrases and loose readings, without looking for items.
  package func understand(_ sentence: String) -> [Understanding] {
    understand(sentence, items: nil)
  }

  /// The difference of scores from which the better of two loose readings is sure.
  private static let sureness = 0.8

  /// The loose readings that are as good as the best one, if every word has its use.
  private func loose(
    _ sentence: String, _ books: [SpokenBook], items: SpokenItems?
  ) -> [Understanding] {
    let found = books.flatMap { $0.loose(sentence, items: items) }.sorted { $0.score > $1.score }
    guard let best = found.first else { return [] }
    let near = found.prefix { $0.score > best.score - Self.sureness }
    var seen: Set<String> = []
    if best.isWhole {
      return near.filter(\.isWhole).map(\.understanding).filter { seen.insert($0.action).inserted }
    }
    // Words that were not understood may be what the sentence is about.
    guard best.score >= Self.leastUnsure, near.count == 1, !SpokenForm(sentence).isQuestion,
      best.understanding.arguments.contains(where: {
        $0.isItem || $0.kind == PhraseTable.Kind.url.rawValue
      })
    else { return [] }
    return [best.understanding]
  }

  /// The least score of a reading with words that were not understood.
  private static let leastUnsure = 1.6

  /// A whole sentence for an understanding, with its values.
  package func sentence(for understood: Understanding) -> String {
    let values = understood.arguments.filter { !$0.words.isEmpty }
    for book in orderedBooks where book.table.language == understood.language {
      let names = book.names(for: understood.action) { parameter in
        values.first { $0.name == parameter.name }.map { [$0.text] } ?? []
      }
      let forms = PhraseTemplate.sentences(of: understood.phrase, names, limit: 200)
      func count(_ form: String) -> Int { values.count { form.contains($0.text) } }
      if let best = forms.max(by: { count($0) < count($1) }), count(best) == values.count {
        return best
      }
    }
    return ([understood.action] + values.map(\.text)).joined(separator: " ")
  }

  /// The intents whose phrases are nearest to a sentence, each with a sentence that could be said instead.
  ///
  /// - Parameter title: The title of an item of an entity, for examples.
  package func nearest(
    to sentence: String, limit: Int, title: @escaping (_ entity: String) -> String? = { _ in nil }
  ) -> [(action: String, sentence: String)] {
    var ranked: [(order: Int, row: PhraseTable.Row, fit: LooseFit, book: SpokenBook)] = []
    for book in orderedBooks {
      for (row, fit) in book.near(sentence) {
        ranked.append((ranked.count, row, fit, book))
      }
    }
    ranked.sort {
      (-$0.fit.score, $0.row.text.count, $0.order) < (-$1.fit.score, $1.row.text.count, $1.order)
    }
    var seen: Set<String> = []
    return ranked.filter { seen.insert($0.row.action).inserted }.prefix(limit)
      .map {
        (action: $0.row.action, sentence: $0.book.form(of: $0.row, $0.fit, title: title))
      }
  }
}
