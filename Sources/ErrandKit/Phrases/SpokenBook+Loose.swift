import CEL
import Engine
import Phrases
import Program

/// Sentences that no phrase fits, in any form: the phrase that shares most with one whose words stand in
/// any order, if every word has its use.
extension SpokenBook {
  /// The use of a word in a loose reading.
  enum Use: Equatable, CustomStringConvertible {
    /// It names the intent, as do words of its phrases.
    case intent
    /// It is part of the value of a parameter.
    case value(String)
    /// It names the kind of an item, or says little.
    case kind, small
    /// It is part of a phrase that says nothing, such as `would you`.
    case empty
    case unknown

    var description: String {
      switch self {
      case .intent: "names the intent"
      case .value(let name): "value of \(name)"
      case .kind: "kind word"
      case .small: "says little"
      case .empty: "empty"
      case .unknown: "not understood"
      }
    }
  }

  /// A loose reading of a sentence.
  struct Loose {
    /// The action with the values that its phrase implies.
    let meaning: String
    let understanding: Understanding
    let score: Double
    /// Whether every word has its use.
    let isWhole: Bool
  }

  /// A word of a sentence, with what it may be.
  fileprivate struct Token {
    let word: SpokenForm.Word
    let bare: String
    let stem: String
    var isAddress = false
    var isNumber = false
    var isTime = false
  }

  /// The fewest and the most words of a sentence that is read loosely.
  private static let loosely = 2...24
  /// The most phrases that are compared.
  private static let mostCompared = 80
  /// The least worth of the words that a phrase shares with a sentence.
  private static let leastScore = 2.4
  /// The same beside an item, which has words that may be about anything.
  private static let leastBesideItem = 2.75

  /// The loose readings of a sentence, best first, one for each action.
  ///
  /// - Complexity: O(phrases that share a telling word × their size), and look-ups of items.
  func loose(_ sentence: String, items: SpokenItems?) -> [Loose] {
    guard table.language != "ja" else { return [] }
    let said = PhraseText.composed(sentence)
    let words = joiningAddresses(withoutEmptyWords(SpokenForm.words(of: said)))
    guard Self.loosely.contains(words.count) else { return [] }
    let tokens = words.map(token)
    // A sentence that is turned round is read by the order of its words only.
    guard !tokens.contains(where: { vocabulary.negations.contains($0.bare) }) else { return [] }
    let spoken = Set(tokens.map(\.stem))
    let empty = emptyPlaces(in: tokens.map(\.bare))
    let isQuestion = SpokenForm(words, of: said).isQuestion

    let scale = LooseFit.Scale(
      word: { [self] word in
        let worth = literals.worth(of: word)
        return spoken.contains(literals.stem(of: word) ?? word) ? worth : -worth
      },
      slot: { [self] action, slot in
        guard let parameter = parameters[PhraseTable.list(action, slot)] else { return -4 }
        return tokens.contains { may($0, be: parameter) } ? (parameter.isOpen ? 0.2 : 1.2) : -2
      },
      rule: { [table] in table.rules[$0] })
    var found = candidates(spoken).compactMap { position -> Loose? in
      let row = table.rows[position]
      guard let fit = LooseFit(row.text, of: row.action, scale), fit.score >= Self.leastScore,
        let reading = reading(row, fit, tokens, said, empty, items: items),
        !(isQuestion && setsState(reading.understanding))
      else { return nil }
      return reading
    }
    found.sort { ($0.score, $1.understanding.action) > ($1.score, $0.understanding.action) }
    var seen: Set<String> = []
    return found.filter { seen.insert($0.meaning).inserted }
  }

  /// The places of words of phrases that say nothing.
  private func emptyPlaces(in words: [String]) -> Set<Int> {
    var places: Set<Int> = []
    for start in words.indices {
      for phrase in emptyPhrases where phrase.count > 1 && words[start...].starts(with: phrase) {
        places.formUnion(start..<(start + phrase.count))
      }
    }
    return places
  }

  private func token(_ word: SpokenForm.Word) -> Token {
    let bare = PhraseText.bare(word.text.lowercased())
    let spelled = spelling(of: word.text) ?? bare
    var token = Token(word: word, bare: spelled, stem: vocabulary.stem(spelled))
    token.isAddress = Self.address(PhraseText.trimmed(word.text)) != nil
    token.isNumber = Int(bare) != nil || numbers[bare] != nil
    token.isTime = times.dates?.isOfTime(bare) ?? false
    return token
  }

  /// Whether a word may be, or be part of, the value of a parameter.
  private func may(_ token: Token, be parameter: PhraseTable.Parameter) -> Bool {
    switch parameter.kind {
    case .url: token.isAddress
    case .number: token.isNumber
    case .date, .when, .timestamp, .duration, .period, .recurrence, .range: token.isTime
    case .choice: parameter.choices.contains { $0.templates.contains(token.bare) }
    case .file: token.word.text.contains("/") || token.word.text.hasPrefix("~")
    case .list: token.word.text.hasPrefix("#")
    case .words, .item: !token.isAddress || parameter.kind == .item
    }
  }

  /// The phrases that share a telling word with a sentence, those that share most first.
  private func candidates(_ spoken: Set<String>) -> [Int] {
    var worths: [Int: Double] = [:]
    for stem in spoken {
      for word in literals.words(ofStem: stem) {
        let worth = literals.worth(of: word)
        guard worth > 1 else { continue }
        for position in literals[word] ?? [] { worths[position, default: 0] += worth }
      }
    }
    return worths.sorted { ($0.value, $1.key) > ($1.value, $0.key) }.prefix(Self.mostCompared)
      .map(\.key)
  }

  /// A reading by a phrase; nil if a value that it needs is missing.
  private func reading(
    _ row: PhraseTable.Row, _ fit: LooseFit, _ tokens: [Token], _ said: [Unicode.Scalar],
    _ empty: Set<Int>, items: SpokenItems?
  ) -> Loose? {
    let own = parametersOfActions[row.action] ?? []
    let shared = Set(fit.words.map { literals.stem(of: $0) ?? $0 })
    var uses: [Use] = tokens.enumerated().map { index, token in
      if empty.contains(index) { return .empty }
      if shared.contains(token.stem) { return .intent }
      return vocabulary.small.contains(token.bare) ? .small : .unknown
    }
    var values: [Understanding.Argument] = []
    func take(_ parameter: PhraseTable.Parameter, _ range: Range<Int>, _ value: String) {
      let place = tokens[range].scalars
      values.append(
        Understanding.Argument(
          name: parameter.name, words: String(String.UnicodeScalarView(said[place])), text: value,
          kind: parameter.kind.rawValue, type: parameter.type, entity: parameter.entity,
          range: place))
    }
    // Values that are seen by themselves.
    for parameter in own where !parameter.isOpen {
      guard let (range, value) = value(of: parameter, in: tokens, uses) else { continue }
      for index in range { uses[index] = .value(parameter.name) }
      take(parameter, range, value)
    }
    // The rest is the item; where a text begins is known by phrases only.
    if let parameter = own.first(where: { fit.slots.contains($0.name) && $0.isOpen }) {
      let rest = uses.indices.filter { uses[$0] == .unknown }
      let kinds = vocabulary.kinds(of: parameter.entity)
      let names = rest.filter { !kinds.contains(tokens[$0].bare) }
      guard parameter.kind == .item, fit.score >= Self.leastBesideItem, !names.isEmpty,
        let first = rest.first, let last = rest.last
      else { return nil }
      for index in rest {
        uses[index] = kinds.contains(tokens[index].bare) ? .kind : .value(parameter.name)
      }
      let name = names.map { PhraseText.bare(tokens[$0].word.text) }.joined(separator: " ")
      if !names.contains(where: { tokens[$0].isAddress }),
        let item = items?.mentioned(in: name, of: parameter.entity, self)
      {
        for index in names where !item.has(tokens[index].bare, vocabulary) {
          uses[index] = .unknown
        }
        take(parameter, first..<(last + 1), item.title)
      } else {
        take(parameter, first..<(last + 1), name)
      }
    }
    settleRoles(in: &values, &uses, tokens, said, of: row.action)
    // Words of other phrases of the action say nothing else.
    for index in uses.indices
    where uses[index] == .unknown && literals.hasStem(tokens[index].stem, row.action) {
      uses[index] = .intent
    }
    var understood = understanding(of: row, values, hasGuess: true)
    guard understood.missing.allSatisfy({ !fit.slots.contains($0) }) else { return nil }
    if let items {
      guard let named = items.naming(understood, self) else { return nil }
      understood = named
    } else if understood.arguments.contains(where: \.isItem) {
      return nil
    }
    understood.isLoose = true
    understood.uses = zip(tokens, uses).map { ($0.word.text, "\($1)") }
    let unknown = uses.count { $0 == .unknown }
    understood.score = fit.score - 2 * Double(unknown)
    let implied = row.values.map { "\($0.name)=\($0.text)" }
    return Loose(
      meaning: ([row.action] + implied).joined(separator: " "),
      understanding: understood, score: understood.score, isWhole: unknown == 0)
  }

  /// Takes parameters that are said by their roles, as in `with the tags blog and design`.
  private func settleRoles(
    in values: inout [Understanding.Argument], _ uses: inout [Use], _ tokens: [Token],
    _ said: [Unicode.Scalar], of action: String
  ) {
    let free = (parametersOfActions[action] ?? []).filter { parameter in
      !values.contains { $0.name == parameter.name }
        && table.roles.contains { $0.name == parameter.name }
    }
    guard !free.isEmpty else { return }
    for range in Self.stretches(of: 2...8, in: uses, with: [.unknown, .small, .intent]) {
      let words = String(String.UnicodeScalarView(said[tokens[range].scalars]))
      guard let taken = parameters(in: PhraseText.trimmed(words), of: action, free) else {
        continue
      }
      for index in range { uses[index] = .value(taken.first?.name ?? "") }
      values += taken
      return
    }
  }

  /// The stretches of words with some uses, the longest first.
  private static func stretches(
    of lengths: ClosedRange<Int>, in uses: [Use], with allowed: [Use]
  ) -> [Range<Int>] {
    lengths.reversed().filter { $0 <= uses.count }.flatMap { length in
      (0...(uses.count - length)).map { $0..<($0 + length) }
        .filter { uses[$0].allSatisfy(allowed.contains) }
    }
  }

  /// The value of a parameter that is seen by its form; nil if there is none.
  private func value(
    of parameter: PhraseTable.Parameter, in tokens: [Token], _ uses: [Use]
  ) -> (Range<Int>, String)? {
    /// The first free word that may be one.
    func first(_ text: (Token) -> String?) -> (Range<Int>, String)? {
      for range in Self.stretches(of: 1...1, in: uses, with: [.unknown, .small]) {
        let token = tokens[range.lowerBound]
        if may(token, be: parameter), let text = text(token) { return (range, text) }
      }
      return nil
    }
    switch parameter.kind {
    case .url: return first { Self.address(PhraseText.trimmed($0.word.text)) }
    case .number:
      return first { token in
        Int(token.bare).map(String.init) ?? numbers[token.bare].map { "\(Int($0))" }
      }
    case .file: return first { PhraseText.bare($0.word.text) }
    case .date, .when, .duration, .period, .recurrence:
      for range in Self.stretches(of: 1...6, in: uses, with: [.unknown, .small]) {
        let words = tokens[range].map(\.bare).joined(separator: " ")
        if let value = value(words, of: parameter) { return (range, value) }
      }
      return nil
    default: return nil
    }
  }

  private func value(_ words: String, of parameter: PhraseTable.Parameter) -> String? {
    switch parameter.kind {
    case .date: times.reading(words, .either)?.day?.iso8601
    case .when: times.reading(words, .either)?.when
    case .duration: times.dates?.duration(words)
    case .period: times.dates?.period(words)
    case .recurrence: times.reading(words, .either)?.recurrence
    default: nil
    }
  }
}

extension ArraySlice<SpokenBook.Token> {
  /// The scalars of the sentence from the first word to the last.
  fileprivate var scalars: Range<Int> {
    guard let first, let last else { return 0..<0 }
    return first.word.range.lowerBound..<last.word.range.upperBound
  }
}

extension PhraseTable.Parameter {
  /// Whether any words may be its value.
  var isOpen: Bool { kind == .words || kind == .item }
}
