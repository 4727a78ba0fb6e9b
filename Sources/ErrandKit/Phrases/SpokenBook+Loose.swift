import CEL
import Phrases
import Program

/// Sentences that no phrase fits, in any form: the phrase that shares most with one whose words stand in
/// any order, if every word has its use.
extension SpokenBook {
  /// The use of a word in a loose reading.
  enum Use: CustomStringConvertible {
    /// It names the intent, as do words of its phrases.
    case intent
    /// It is part of the value of a parameter.
    case value(String)
    /// It names the kind of an item, or says little.
    case kind, small
    case unknown

    var description: String {
      switch self {
      case .intent: "names the intent"
      case .value(let name): "value of \(name)"
      case .kind: "kind word"
      case .small: "says little"
      case .unknown: "not understood"
      }
    }
  }

  /// A loose reading of a sentence.
  struct Loose {
    let understanding: Understanding
    let score: Double
    /// Whether every word has its use.
    let isWhole: Bool
  }

  /// A word of a sentence, with what it may be.
  private struct Token {
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
  private static let mostCompared = 160
  /// The least worth of the words that a phrase shares with a sentence.
  private static let leastScore = 2.4

  /// The loose readings of a sentence, best first, one for each action.
  ///
  /// - Complexity: O(phrases that share a telling word × their size), and look-ups of items.
  func loose(_ sentence: String, items: SpokenItemNames?) -> [Loose] {
    guard table.language != "ja" else { return [] }
    let said = PhraseText.composed(sentence)
    let words = joinedWords(of: sentence)
    guard Self.loosely.contains(words.count) else { return [] }
    let tokens = words.map(token)
    // A sentence that is turned round is read by the order of its words only.
    guard !tokens.contains(where: { vocabulary.negations.contains($0.bare) }) else { return [] }
    let spoken = Set(tokens.map(\.stem))
    let isQuestion = SpokenForm(words, of: said).isQuestion

    var found: [Loose] = []
    for position in candidates(spoken) {
      let row = table.rows[position]
      let own = parametersOfActions[row.action] ?? []
      let scale = LooseFit.Scale(
        word: { [self] word in (worth(of: word), spoken.contains(vocabulary.stem(word))) },
        slot: { [self] slot in
          guard let parameter = own.first(where: { $0.name == slot }) else { return -4 }
          return tokens.contains { may($0, be: parameter) } ? (parameter.isOpen ? 0.2 : 1.2) : -2
        },
        rule: { [table] in table.rules[$0] })
      guard let fit = LooseFit(row.text, scale), fit.score >= Self.leastScore,
        let reading = reading(row, fit, tokens, form: said, items: items),
        !(isQuestion && setsState(reading.understanding))
      else { continue }
      found.append(reading)
    }
    found.sort { ($0.score, $1.understanding.action) > ($1.score, $0.understanding.action) }
    var seen: Set<String> = []
    return found.filter { seen.insert($0.understanding.action).inserted }
  }

  /// The words of a sentence without empty ones, with written addresses.
  private func joinedWords(of sentence: String) -> [SpokenForm.Word] {
    let said = PhraseText.composed(sentence)
    return joiningAddresses(withoutEmptyWords(SpokenForm.words(of: said)[...]))
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
      for word in wordsOfStems[stem] ?? [] {
        let worth = worth(of: word)
        guard worth > 1 else { continue }
        for position in literals[word] ?? [] { worths[position, default: 0] += worth }
      }
    }
    return worths.sorted { ($0.value, $1.key) > ($1.value, $0.key) }.prefix(Self.mostCompared)
      .map(\.key)
  }

  /// A reading by a phrase; nil if a value that it needs is missing.
  private func reading(
    _ row: PhraseTable.Row, _ fit: LooseFit, _ tokens: [Token], form said: [Unicode.Scalar],
    items: SpokenItemNames?
  ) -> Loose? {
    let own = parametersOfActions[row.action] ?? []
    let shared = Set(fit.words.map(vocabulary.stem))
    var uses: [Use] = tokens.map { token in
      if shared.contains(token.stem) { return .intent }
      if vocabulary.small.contains(token.bare) { return .small }
      return .unknown
    }
    var values: [Understanding.Argument] = []
    func text(_ range: Range<Int>) -> String {
      let scalars =
        tokens[range.lowerBound].word.range
        .lowerBound..<tokens[range.upperBound - 1].word.range
        .upperBound
      return String(String.UnicodeScalarView(said[scalars]))
    }
    func take(_ parameter: PhraseTable.Parameter, _ range: Range<Int>, _ value: String) {
      for index in range { uses[index] = .value(parameter.name) }
      values.append(
        Understanding.Argument(
          name: parameter.name, words: text(range), text: value, kind: parameter.kind.rawValue,
          type: parameter.type, entity: parameter.entity,
          range: tokens[range.lowerBound].word.range
            .lowerBound..<tokens[range.upperBound - 1].word
            .range.upperBound))
    }
    // Values that are seen by themselves.
    for parameter in own where fit.slots.contains(parameter.name) || !parameter.isOpen {
      guard let (range, value) = value(of: parameter, in: tokens, uses) else { continue }
      take(parameter, range, value)
    }
    // The rest is the item or the text.
    if let parameter = own.first(where: { fit.slots.contains($0.name) && $0.isOpen }) {
      let rest = uses.indices.filter { if case .unknown = uses[$0] { true } else { false } }
      guard let first = rest.first, let last = rest.last else { return nil }
      if parameter.kind == .item {
        let kinds = vocabulary.kinds(of: parameter.entity)
        let names = rest.filter { !kinds.contains(tokens[$0].bare) }
        guard !names.isEmpty else { return nil }
        for index in rest {
          uses[index] = kinds.contains(tokens[index].bare) ? .kind : .value(parameter.name)
        }
        values.append(
          Understanding.Argument(
            name: parameter.name, words: text(first..<(last + 1)),
            text: names.map { PhraseText.bare(tokens[$0].word.text) }.joined(separator: " "),
            kind: parameter.kind.rawValue, type: parameter.type, entity: parameter.entity,
            range: tokens[first].word.range.lowerBound..<tokens[last].word.range.upperBound))
      } else {
        // Where a text begins is known by phrases only.
        return nil
      }
    }
    settleRoles(in: &values, &uses, tokens, said, of: row.action)
    // Words of other phrases of the action say nothing else.
    for index in uses.indices {
      if case .unknown = uses[index], actionStems(row.action).contains(tokens[index].stem) {
        uses[index] = .intent
      }
    }
    var understood = understanding(of: row, values, hasGuess: true)
    understood.isLoose = true
    guard understood.missing.allSatisfy({ name in !fit.slots.contains(name) }) else { return nil }
    if let items {
      guard let named = items.naming(understood, self) else { return nil }
      understood = named
    } else if understood.arguments.contains(where: \.isItem) {
      return nil
    }
    understood.uses = zip(tokens, uses).map { ($0.word.text, "\($1)") }
    let unknown = uses.count { if case .unknown = $0 { true } else { false } }
    return Loose(
      understanding: understood, score: fit.score - 2 * Double(unknown), isWhole: unknown == 0)
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
    func isFree(_ index: Int) -> Bool {
      switch uses[index] {
      case .unknown, .small, .intent: true
      default: false
      }
    }
    for length in (2...max(2, min(8, tokens.count))).reversed() where length <= tokens.count {
      for start in 0...(tokens.count - length) where (start..<(start + length)).allSatisfy(isFree) {
        let range =
          tokens[start].word.range.lowerBound..<tokens[start + length - 1].word.range.upperBound
        let text = PhraseText.trimmed(String(String.UnicodeScalarView(said[range])))
        guard let taken = parameters(in: text, of: action, free) else { continue }
        for index in start..<(start + length) { uses[index] = .value(taken.first?.name ?? "") }
        values += taken
        return
      }
    }
  }

  /// The value of a parameter that is seen by its form; nil if there is none.
  private func value(
    of parameter: PhraseTable.Parameter, in tokens: [Token], _ uses: [Use]
  ) -> (Range<Int>, String)? {
    func isFree(_ index: Int) -> Bool {
      switch uses[index] {
      case .unknown, .small: true
      default: false
      }
    }
    switch parameter.kind {
    case .url:
      guard let index = tokens.firstIndex(where: \.isAddress), isFree(index) else { return nil }
      let text = PhraseText.trimmed(tokens[index].word.text)
      return (index..<(index + 1), Self.address(text) ?? text)
    case .number:
      guard let index = tokens.indices.first(where: { tokens[$0].isNumber && isFree($0) }) else {
        return nil
      }
      let bare = tokens[index].bare
      return (index..<(index + 1), Int(bare).map(String.init) ?? "\(Int(numbers[bare] ?? 0))")
    case .date, .when, .duration, .period, .recurrence:
      for length in (1...min(6, tokens.count)).reversed() {
        for start in 0...(tokens.count - length) where (start..<(start + length)).allSatisfy(isFree)
        {
          let words = tokens[start..<(start + length)].map(\.bare).joined(separator: " ")
          if let value = self.value(words, of: parameter) {
            return (start..<(start + length), value)
          }
        }
      }
      return nil
    case .file:
      guard
        let index = tokens.indices.first(where: {
          isFree($0) && (tokens[$0].word.text.contains("/") || tokens[$0].word.text.hasPrefix("~"))
        })
      else { return nil }
      return (index..<(index + 1), PhraseText.bare(tokens[index].word.text))
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

extension PhraseTable.Parameter {
  /// Whether any words may be its value.
  var isOpen: Bool { kind == .words || kind == .item }
}
