import CEL
import Glibc
import Links
import Phrases
import Program
import Source

/// The phrases of a language and a layer, ready for matching.
final class SpokenBook {
  let table: PhraseTable
  let isForeign: Bool
  private let book: PhraseBook?
  let times: SpokenTimes
  private(set) lazy var vocabulary = SpokenVocabulary(table)
  /// The positions of the phrases that have each word.
  private(set) lazy var literals = table.literals.phrases
  /// The shortest word of phrases for each stem.
  private(set) lazy var stems: [String: String] = {
    var stems: [String: String] = [:]
    for word in literals.keys {
      let stem = vocabulary.stem(word)
      if let known = stems[stem], (known.count, known) < (word.count, word) { continue }
      stems[stem] = word
    }
    return stems
  }()
  /// The words of phrases by their stems.
  private(set) lazy var wordsOfStems = Dictionary(grouping: literals.keys) { vocabulary.stem($0) }
  /// The spelled numbers below a hundred and others of one word.
  private(set) lazy var numbers = PhraseNumbers.words(of: table.language)
  /// The worth of each word of phrases, by how few actions have it.
  private lazy var worths: [String: Double] = {
    let actions = Set(table.rows.map(\.action)).count
    var worths: [String: Double] = [:]
    for (_, words) in wordsOfStems {
      var own: Set<String> = []
      for word in words { own.formUnion((literals[word] ?? []).map { table.rows[$0].action }) }
      let worth = min(3.5, log(Double(actions + 1) / (Double(own.count) + 0.5)))
      for word in words { worths[word] = vocabulary.small.contains(word) ? min(worth, 0.3) : worth }
    }
    return worths
  }()
  @exclusivity(unchecked) private var stemsOfActions: [String: Set<String>] = [:]

  /// The worth of a word of a phrase: high for one that few actions have.
  func worth(of word: String) -> Double { worths[word] ?? 0 }

  /// The stems of the words of all phrases of an action.
  func actionStems(_ action: String) -> Set<String> {
    if stemsOfActions.isEmpty {
      let actions = table.rows.map(\.action)
      for (word, rows) in literals {
        let stem = vocabulary.stem(word)
        for row in rows { stemsOfActions[actions[row], default: []].insert(stem) }
      }
    }
    return stemsOfActions[action] ?? []
  }

  /// The phrases of empty words, the longest first.
  private(set) lazy var emptyPhrases = table.skip.map {
    $0.lowercased().split(separator: " ").map(String.init)
  }.sorted { $0.count > $1.count }
  /// The parameters of each action.
  private(set) lazy var parametersOfActions = Dictionary(grouping: table.parameters, by: \.action)
  private(set) lazy var parameters = Dictionary(
    table.parameters.map { (PhraseTable.list($0.action, $0.name), $0) }
  ) { $1 }

  /// Prepares a table.
  init(_ table: PhraseTable, isForeign: Bool, dates: SpokenDate?, english: DateReader) {
    self.table = table
    self.isForeign = isForeign
    times = SpokenTimes(dates, english)
    let source = Self.source(table, times)
    book = table.index.map { PhraseBook(source, index: $0) } ?? (try? PhraseBook(source))
  }

  /// The templates and lists of a table.
  static func source(_ table: PhraseTable, _ times: SpokenTimes? = nil) -> PhraseBook.Source {
    var source = PhraseBook.Source()
    source.templates = PhraseBook.Templates(count: table.rows.count) {
      [rows = table.rows] in template(rows[$0])
    }
    source.rules = table.rules
    source.skipWords = table.skip
    source.joinsCJK = table.language == "ja" || table.language.hasPrefix("zh")
    source.decimalSign = ["de", "fr", "es"].contains(table.language) ? "," : "."
    source.makeNumberWords = { [language = table.language] in PhraseNumbers.words(of: language) }
    source.particles = SpokenWords.of(table.language)?.particles ?? []
    let own = Dictionary(grouping: table.parameters, by: \.action)
    let talkative = Set(table.parameters.lazy.filter { $0.kind == .words }.map(\.action))
    source.lists = table.parameters.map {
      PhraseList(
        PhraseTable.list($0.action, $0.name),
        content(
          of: $0, among: own[$0.action] ?? [], in: table.language, times: times,
          direction: SpokenTimes.Direction($0, besideText: talkative.contains($0.action)))
      )
    }
    return source
  }

  @exclusivity(unchecked) private var roleBooks: [String: PhraseBook] = [:]

  /// The templates for parameters of an action beside a text; nil if there are none.
  func roleBook(of action: String) -> PhraseBook? {
    if let known = roleBooks[action] { return known }
    let names = Set((parametersOfActions[action] ?? []).map(\.name))
    let templates = table.roles.filter { names.contains($0.name) }
      .map { Self.template(PhraseTable.Row(action: action, text: $0.template)) }
    guard !templates.isEmpty else { return nil }
    var source = Self.source(table, times)
    source.templates = PhraseBook.Templates(templates)
    let prefix = PhraseTable.list(action, "")
    source.lists = source.lists.filter { $0.name.hasPrefix(prefix) }
    let book = try? PhraseBook(source)
    roleBooks[action] = book
    return book
  }

  /// Finds the phrases of a table that cannot be used.
  struct Problems {
    private let book: PhraseBook
    private let names: Set<String>

    init(_ table: PhraseTable) {
      book = PhraseBook(SpokenBook.source(table), index: PhraseIndex())
      names = Set(table.parameters.map { PhraseTable.list($0.action, $0.name) })
    }

    /// The reason why a phrase cannot be used; nil if it can.
    func problem(with row: PhraseTable.Row) -> String? {
      for (name, _) in row.values where !names.contains(PhraseTable.list(row.action, name)) {
        return "there is no parameter `\(name)`"
      }
      return book.problem(with: SpokenBook.template(row))?.description
    }
  }

  private static func template(_ row: PhraseTable.Row) -> PhraseBook.Template {
    var template = PhraseBook.Template(row.action, row.text)
    template.listPrefix = row.action + " "
    return template
  }

  private static func content(
    of parameter: PhraseTable.Parameter, among own: [PhraseTable.Parameter],
    in language: String, times: SpokenTimes?,
    direction: SpokenTimes.Direction
  ) -> PhraseList.Content {
    switch parameter.kind {
    case .choice:
      let templates = parameter.choices.map { choice in
        choice.templates.isEmpty ? "\u{1}" : "(" + choice.templates.joined(separator: "|") + ")"
      }
      return .values(templates)
    case .number:
      return .range(
        parameter.type == "double"
          ? PhraseList.Range(from: -1_000_000, to: 1_000_000, fractions: .any)
          : PhraseList.Range(from: 0, to: 1_000_000))
    case .date, .when:
      let takesSpans = parameter.takesSpans(among: own)
      return .read {
        times?.accepts($0, direction) { $0.day != nil || takesSpans && $0.isOfDays }
      }
    case .timestamp:
      return .read { times?.english.timestamp($0) != nil || times?.dates?.date($0) != nil }
    case .duration: return .read { times?.dates?.duration($0) != nil }
    case .period: return .read { times?.dates?.period($0) != nil }
    case .recurrence: return .read { times?.accepts($0, direction) { $0.recurrence != nil } }
    case .range: return .read { times?.accepts($0, direction) { $0.range != nil } }
    case .url: return .read { $0.contains(" ") ? nil : Self.address($0) != nil }
    case .list: return .read { elements($0, language) != nil }
    case .words, .item, .file: return .wildcard
    }
  }

  /// The address in a word, with or without `https://`; nil for any other word.
  static func address(_ text: String) -> String? {
    guard text.utf8.count <= 4_096, text.contains("."), !text.contains(where: \.isWhitespace) else {
      return nil
    }
    if text.contains("://") { return (try? WebURL(pasted: text))?.text }
    // A bare name must look like one: letters after the last dot, and no other signs before.
    let host = text.prefix { $0 != "/" && $0 != ":" && $0 != "?" }
    guard host.utf8.allSatisfy({ $0.isASCIIAlphanumeric || $0 == 0x2E || $0 == 0x2D }),
      let end = host.split(separator: ".", omittingEmptySubsequences: false).last,
      end.count >= 2, end.allSatisfy(\.isLetter),
      host.first?.isLetter == true || host.first?.isNumber == true
    else { return nil }
    return (try? WebURL("https://" + text))?.text
  }

  /// The maximum number of elements of a list.
  private static let mostElements = 12

  /// The elements of a list such as `swift and server`, each a word; nil for another text.
  static func elements(_ text: String, _ language: String) -> [String]? {
    guard text.utf8.count <= 200 else { return nil }
    let and = SpokenWords.of(language)?.and ?? ["and"]
    var elements: [String] = []
    if language == "ja" {
      elements = text.split(whereSeparator: { "、,と ".contains($0) }).map(String.init)
      guard !text.contains(where: { "をがはにで".contains($0) }) else { return nil }
    } else {
      let words = text.split { $0.isWhitespace || $0 == "," }.map(String.init)
      guard let last = words.last, !and.contains(last.lowercased()),
        SpokenWords.of(language)?.polite.contains(last.lowercased()) != true,
        words.first.map({ !and.contains($0.lowercased()) }) == true
      else { return nil }
      elements = words.filter { !and.contains($0.lowercased()) }
      // Several words without anything between them are hardly several tags.
      if elements.count > 1, elements.count == words.count, !text.contains(","), words.count > 2 {
        return nil
      }
    }
    guard (1...mostElements).contains(elements.count) else { return nil }
    return elements.map { $0.hasPrefix("#") ? String($0.dropFirst()) : $0 }
  }

  // MARK: Understanding

  /// The understandings of a sentence that are equally good, one for each action by its first
  /// phrase; empty if nothing fits.
  ///
  /// - Parameter items: The items that the sentence may name; nil to take any words for an item. A phrase
  ///   whose item there is not does not fit.
  func understand(
    _ form: SpokenForm, limit: Int, items: SpokenItemNames? = nil
  ) -> [Understanding] {
    guard let book else { return [] }
    let matches = book.matches(form.text, limit: max(limit, Self.candidates))
    func understandings(_ accept: (PhraseBook.Match, Understanding) -> Understanding?)
      -> [Understanding]
    {
      var rest = matches[...]
      while let best = rest.first {
        let group = rest.prefix {
          ($0.wildcards, $0.literal, $0.open) == (best.wildcards, best.literal, best.open)
        }
        rest = rest.dropFirst(group.count)
        var seen: Set<String> = []
        let found = group.prefix(limit).compactMap { match -> Understanding? in
          let specific = moreSpecific(than: match, among: matches)
          if let found = accept(specific, understanding(of: specific, form)) { return found }
          return specific.template == match.template
            ? nil : accept(match, understanding(of: match, form))
        }.filter { seen.insert($0.action).inserted }
        // An item that there is is meant rather than any words.
        let named = found.filter { $0.arguments.contains(where: \.isItem) }
        if !found.isEmpty { return items == nil || named.isEmpty ? found : named }
      }
      return []
    }
    let isQuestion = form.isQuestion
    func isMeant(_ understood: Understanding) -> Bool {
      !turnsRound(understood) && !(isQuestion && setsState(understood))
    }
    guard let items else {
      return understandings { match, understood in
        let isSure =
          match.literal >= Self.steady || !understood.arguments.contains(where: \.isItem)
        return isSure && isMeant(understood) ? understood : nil
      }
    }
    let found = understandings { match, understood in
      isMeant(understood)
        ? items.naming(understood, self, isTold: match.literal >= Self.steady) : nil
    }
    // An address that is in the library is that item rather than a new one: `share https://…`.
    if let address = found.first?.arguments.first(where: {
      $0.kind == PhraseTable.Kind.url.rawValue
    }) {
      let kept = matches.lazy.map { self.understanding(of: $0, form) }.first { other in
        other.arguments.contains { argument in
          argument.isItem && argument.text == address.words
            && items.has(argument.text, of: argument.entity)
        }
      }
      if let kept { return [kept] }
    }
    if !found.isEmpty { return found }
    return understandings { match, understood in
      guard match.literal >= Self.steady, isMeant(understood) else { return nil }
      return items.naming(understood, self, inTexts: true)
    }
  }

  /// Whether a text before the words of the phrase turns the sentence round, as in `no, don't put that on my
  /// list`.
  private func turnsRound(_ understood: Understanding) -> Bool {
    understood.arguments.contains { argument in
      argument.kind == PhraseTable.Kind.words.rawValue && argument.range.lowerBound == 0
        && SpokenVocabulary.words(of: argument.words).prefix(Self.firstWords)
          .contains(where: vocabulary.negations.contains)
    }
  }

  /// Whether a phrase says that an item is in a state, so that a question whether it is changes nothing.
  func setsState(_ understood: Understanding) -> Bool {
    understood.arguments.contains(where: \.isItem)
      && understood.arguments.contains { $0.type == "bool" && $0.words.isEmpty }
  }

  /// The number of words at the beginning of a sentence that turn it round.
  private static let firstWords = 3

  /// The number of literal scalars from which a phrase also takes an item by words of its texts.
  private static let steady = 4

  /// Maximum number of matches among which a more specific one is looked for.
  private static let candidates = 40

  /// Returns the match of a phrase of the same intent that fills further parameters after further words
  /// of its own, as `water {plant} in {place}` does beside `water {plant}`; else the match itself.
  private func moreSpecific(
    than match: PhraseBook.Match, among matches: [PhraseBook.Match]
  ) -> PhraseBook.Match {
    let names = Set(match.slots.keys)
    let others = matches.filter { other in
      table.rows[other.template].action == table.rows[match.template].action
        && other.literal > match.literal && names.isStrictSubset(of: other.slots.keys)
    }
    return others.max { ($0.literal, -$0.wildcards) < ($1.literal, -$1.wildcards) } ?? match
  }

  /// The values that a line of words gives an action: the words for a parameter, and the times in
  /// them for those that take times.
  func values(
    of line: String, for parameter: String, of action: String
  ) -> [Understanding.Argument] {
    var values = [
      Understanding.Argument(
        name: parameter, words: line, text: line, kind: PhraseTable.Kind.words.rawValue, type: "",
        entity: "", range: 0..<line.unicodeScalars.count)
    ]
    settleRoles(in: &values, of: action)
    _ = settleTimes(in: &values, of: action)
    return values
  }

  private func understanding(of match: PhraseBook.Match, _ form: SpokenForm) -> Understanding {
    let row = table.rows[match.template]
    let values: [Understanding.Argument] = match.slots.map { name, value in
      let parameter = parameters[PhraseTable.list(row.action, name)]
      let range = form.origin(of: match.ranges[name] ?? 0..<0)
      let raw = form.said(range)
      return Understanding.Argument(
        name: name, words: raw, text: text(value, parameter, raw: raw),
        kind: parameter?.kind.rawValue ?? "",
        type: parameter?.type ?? "", entity: parameter?.entity ?? "", range: range)
    }
    return understanding(of: row, values, hasGuess: match.wildcards > 0)
  }

  /// Completes the values that a sentence gives to a phrase.
  func understanding(
    of row: PhraseTable.Row, _ values: [Understanding.Argument], hasGuess: Bool
  ) -> Understanding {
    var values = values
    for (name, text) in row.values where !values.contains(where: { $0.name == name }) {
      let parameter = parameters[PhraseTable.list(row.action, name)]
      values.append(
        Understanding.Argument(
          name: name, words: "",
          text: parameter?.kind.hasDays ?? false ? times.english.date(text)?.iso8601 ?? text : text,
          kind: parameter?.kind.rawValue ?? "",
          type: parameter?.type ?? "", entity: parameter?.entity ?? "", range: 0..<0))
    }
    settleRoles(in: &values, of: row.action)
    let leftOut = settleTimes(in: &values, of: row.action)
    values.sort { $0.name < $1.name }
    let missing = (parametersOfActions[row.action] ?? []).filter { parameter in
      parameter.isRequired && !values.contains { $0.name == parameter.name }
    }
    return Understanding(
      action: row.action, phrase: row.text, language: table.language, arguments: values,
      missing: missing.map(\.name), leftOut: leftOut, hasGuess: hasGuess, isForeign: isForeign)
  }

  /// A value in the notation of the command line.
  func text(
    _ value: PhraseValue, _ parameter: PhraseTable.Parameter?, raw: String
  ) -> String {
    switch value {
    case .listed(_, let position):
      guard let parameter, parameter.choices.indices.contains(position) else { return raw }
      return parameter.choices[position].value
    case .number(let number): return Int(exactly: number).map { "\($0)" } ?? "\(number)"
    case .words(let words):
      switch parameter?.kind {
      case .timestamp:
        return times.reading(words, .either)?.when ?? words
      case .duration: return times.dates?.duration(words) ?? words
      case .period: return times.dates?.period(words) ?? words
      case .url: return Self.address(words) ?? words
      case .list:
        let elements = Self.elements(raw, table.language) ?? Self.elements(words, table.language)
        return elements?.joined(separator: ",") ?? words
      case .words: return PhraseText.unquoted(impolite(PhraseText.trimmed(raw)))
      case .item: return PhraseText.unquoted(impolite(PhraseText.trimmed(raw)))
      default: return PhraseText.unquoted(impolite(words))
      }
    }
  }

  /// A text without polite words at its end.
  private func impolite(_ text: String) -> String {
    let lowered = text.lowercased()
    for word in SpokenWords.of(table.language)?.polite ?? []
    where lowered.hasSuffix(" " + word) && lowered.count == text.count {
      return PhraseText.trimmed(String(text.dropLast(word.count + 1)))
    }
    return text
  }

  // MARK: Nearness

  /// The names that the templates refer to, with samples of values.
  func names(
    for action: String, samples: @escaping (PhraseTable.Parameter) -> [String] = { _ in [] }
  ) -> PhraseTemplate.Names {
    PhraseTemplate.Names(
      rule: { [table] in table.rules[$0] },
      samples: { [parameters] name in
        parameters[PhraseTable.list(action, name)].map(samples) ?? []
      },
      isOpen: { [parameters] name in
        switch parameters[PhraseTable.list(action, name)]?.kind {
        case .words, .item, .file: true
        default: false
        }
      })
  }

  /// The longest word of a sentence that is compared with those of phrases, in bytes.
  private static let longestWord = 64

  /// The rows that share words with a sentence, with the missing parts of each.
  func nearnesses(
    to sentence: String
  ) -> [(PhraseTable.Row, PhraseTemplate.Nearness)] {
    let words = Self.words(of: sentence)
    guard !words.isEmpty else { return [] }
    let list = words.sorted()
    // A phrase that shares no more than words such as `the` and `off` is about something else.
    let first = sentence.lowercased().split { !$0.isLetter }.first.map(String.init)
    let telling = words.filter { $0.utf8.count > 3 || $0 == first }
    let tellingList = telling.sorted()
    let names = names(for: "")
    func nearness(_ row: PhraseTable.Row, _ words: Set<String>, _ list: [String])
      -> PhraseTemplate.Nearness
    {
      PhraseTemplate.nearness(of: row.text, names) { word in
        words.contains(word)
          || word.utf8.count > 3 && Suggestion.nearest(to: word, in: list) != nil
      }
    }
    return table.rows.compactMap { row in
      let found = nearness(row, words, list)
      let shared = nearness(row, telling, tellingList).shared
      guard found.shared > 0, shared * 2 > min(telling.count, 2) else { return nil }
      return (row, found)
    }
  }

  private static func words(of sentence: String) -> Set<String> {
    Set(
      sentence.lowercased().split { !$0.isLetter && !$0.isNumber && $0 != "'" && $0 != "-" }
        .lazy.filter { $0.utf8.count <= longestWord }.prefix(40).map(String.init))
  }

  /// The sentence of a phrase that shares most words with another one, with names of parameters in
  /// capitals.
  func form(of row: PhraseTable.Row, near sentence: String) -> String {
    let words = Self.words(of: sentence)
    let names = names(for: row.action) { [$0.name.uppercased()] }
    func distance(_ form: String) -> Int {
      let own = form.split(separator: " ")
      return own.count - own.count { words.contains($0.lowercased()) } * 3
    }
    return PhraseTemplate.sentences(of: row.text, names, limit: 200)
      .min { distance($0) < distance($1) } ?? row.text
  }
}

/// Texts of sentences.
enum PhraseText {
  /// The scalars of a sentence as they are counted by matches.
  static func composed(_ text: String) -> [Unicode.Scalar] { PhraseBook.composed(text) }

  /// A text without the quotation marks around the whole of it.
  static func unquoted(_ text: String) -> String {
    guard text.count > 2, let first = text.first, let last = text.last else { return text }
    let pairs: [(Character, String)] = [
      ("\"", "\""), ("'", "'"), ("“", "”"), ("„", "“”"), ("«", "»"), ("»", "«"), ("‘", "’"),
      ("‚", "‘’"),
      ("「", "」"), ("『", "』"),
    ]
    guard pairs.contains(where: { $0.0 == first && $0.1.contains(last) }) else { return text }
    let inner = text.dropFirst().dropLast()
    // Two quotations in a row are more than one.
    if inner.contains(where: { $0 == first || $0 == last }) { return text }
    return inner.split(separator: " ").joined(separator: " ")
  }

  /// A text without the leading particles of the preceding word.
  static func withoutParticle(_ text: String) -> String {
    var text = Substring(text)
    while let first = text.first, "、にのは".contains(first), let next = text.dropFirst().first,
      first == "、" || !("ぁ"..."ん").contains(next)
    {
      text.removeFirst()
    }
    return String(text)
  }

  /// A text without the marks that end a sentence.
  static func trimmed(_ text: String) -> String {
    var text = Substring(text)
    while let last = text.last, " .!?。！？,;:，、".contains(last) {
      // An abbreviation or an ellipsis keeps its dots.
      if last == ".", text.dropLast().last.map({ $0 == "." }) == true { break }
      text.removeLast()
    }
    return String(text)
  }
}

extension UInt8 {
  fileprivate var isASCIIAlphanumeric: Bool {
    (0x30...0x39).contains(self) || (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self)
  }
}
