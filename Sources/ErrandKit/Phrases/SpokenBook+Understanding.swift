import CEL
import Phrases
import Program

/// The understandings of a sentence by phrases that fit it.
extension SpokenBook {
  /// The understandings of a sentence that are equally good, one for each action by its first
  /// phrase; empty if nothing fits.
  ///
  /// - Parameter items: The items that the sentence may name; nil to take any words for an item. A phrase
  ///   whose item there is not does not fit.
  func understand(_ form: SpokenForm, limit: Int, items: SpokenItems? = nil) -> [Understanding] {
    let matches = matches(of: form, limit: max(limit, Self.candidates))
    var made: [Int: Understanding] = [:]
    func understanding(of match: PhraseBook.Match) -> Understanding {
      if let known = made[match.template] { return known }
      let new = self.understanding(of: match, form)
      made[match.template] = new
      return new
    }
    let isQuestion = form.isQuestion
    /// The best ones that are meant and that `accept` takes.
    func best(_ accept: (PhraseBook.Match, Understanding) -> Understanding?) -> [Understanding] {
      func accepted(_ match: PhraseBook.Match) -> Understanding? {
        let understood = understanding(of: match)
        guard !turnsRound(understood), !(isQuestion && asksAbout(understood, form)) else {
          return nil
        }
        return accept(match, understood)
      }
      var rest = matches[...]
      while let first = rest.first {
        let group = rest.prefix {
          ($0.wildcards, $0.literal, $0.open) == (first.wildcards, first.literal, first.open)
        }
        rest = rest.dropFirst(group.count)
        var seen: Set<String> = []
        let found = group.prefix(limit).compactMap {
          accepted(moreSpecific(than: $0, among: matches)) ?? accepted($0)
        }.filter { seen.insert($0.action).inserted }
        // An item that there is is meant rather than any words.
        let named = found.filter { $0.arguments.contains(where: \.isItem) }
        if !found.isEmpty { return items == nil || named.isEmpty ? found : named }
      }
      return []
    }
    guard let items else {
      return best { match, understood in
        match.literal >= Self.steady || !understood.arguments.contains(where: \.isItem)
          ? understood : nil
      }
    }
    let found = best { items.naming($1, self, isTold: $0.literal >= Self.steady) }
    let address = found.first?.arguments.first { $0.kind == PhraseTable.Kind.url.rawValue }
    if let address {
      // One that is in the library is that item rather than a new one: `share https://…`.
      for match in matches where takesItem(match) {
        let understood = understanding(of: match)
        let isKept = understood.arguments.contains {
          $0.isItem && $0.text == address.words && items.has($0.text, of: $0.entity)
        }
        if isKept { return [understood] }
      }
    }
    if !found.isEmpty { return found }
    return best {
      $0.literal >= Self.steady ? items.naming($1, self, inTexts: true) : nil
    }
  }

  /// Whether a phrase has a parameter for an item.
  private func takesItem(_ match: PhraseBook.Match) -> Bool {
    let action = table.rows[match.template].action
    return match.slots.keys.contains {
      parameters[PhraseTable.list(action, $0)]?.kind == .item
    }
  }

  /// Whether a text turns the sentence round, as in `no, don't put that on my list` and `メモしないで`, or gives only
  /// the reason for what is asked.
  private func turnsRound(_ understood: Understanding) -> Bool {
    understood.arguments.contains { argument in
      guard argument.kind == PhraseTable.Kind.words.rawValue, !argument.range.isEmpty else {
        return false
      }
      let isFirst = argument.range.lowerBound == 0
      if vocabulary.isDense {
        return vocabulary.negations.contains { argument.words.hasPrefix("し" + $0) }
          || isFirst && Self.denseJoins.contains(where: argument.words.hasSuffix)
      }
      return isFirst
        && SpokenVocabulary.words(of: argument.words).prefix(Self.firstWords)
          .contains(where: vocabulary.negations.contains)
    }
  }

  /// Whether a question is about what the phrase would do: whether an item is in a state, or whether one has to do
  /// something.
  func asksAbout(_ understood: Understanding, _ form: SpokenForm) -> Bool {
    if setsState(understood) { return true }
    guard understood.arguments.contains(where: { $0.kind == PhraseTable.Kind.words.rawValue }),
      let duties = SpokenWords.of(table.language)?.duties
    else { return false }
    let said = form.text.lowercased()
    return vocabulary.isDense
      ? duties.contains { said.contains($0) }
      : duties.contains { PhraseText.bare(said).hasPrefix($0 + " ") }
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
      case .words, .item: return PhraseText.unquoted(impolite(PhraseText.trimmed(raw)))
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
}
