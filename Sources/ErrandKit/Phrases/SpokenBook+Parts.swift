import CEL
import Engine
import Phrases
import Program

/// Sentences in parts, of which one says what to do and the others say with what, as in `the windows are clean,
/// so tick that off`.
extension SpokenBook {
  /// A command that is part of a sentence, and the rest.
  private struct Parts {
    let command: String
    let rest: String
    /// Whether the command stands behind the rest.
    let isLast: Bool
  }

  /// The most words, and scalars without spaces between words, of a command that is part of a sentence.
  private static let longestCommand = 9
  private static let longestDenseCommand = 24
  /// The most words of a sentence in parts.
  private static let longestInParts = 40
  /// The most places at which a sentence is divided.
  private static let mostDivisions = 6

  /// The understandings of a sentence in parts; empty if it has none, or they do not say one thing.
  func inParts(_ sentence: String, _ items: SpokenItems) -> [Understanding] {
    let divisions = parts(of: sentence).filter {
      !isNegated($0.command) && hasTellingWord($0.command)
    }
    for parts in divisions {
      let found = asked(parts.command, about: parts.rest, items)
      if !found.isEmpty { return found.map { loosened($0, sentence, parts) } }
    }
    for parts in divisions {
      let found = understandPart(parts.command, items).filter { understood in
        understood.missing.isEmpty && !understood.beginsWithGuess
          && understood.arguments.contains { !$0.words.isEmpty && ($0.isItem || parts.isLast) }
          && !understood.arguments.contains { items.memory.means($0.words, table.language) }
      }
      // The rest may ask for the same, as in `who was it again? search for the plumber`.
      let others = understandPart(parts.rest, items).filter { $0.action != found.first?.action }
      guard !found.isEmpty, others.isEmpty else { continue }
      return found.map { loosened($0, sentence, parts) }
    }
    return []
  }

  /// The understanding of what a sentence says before a request without values of its own that asks for the
  /// same, as in `I have to pay the rent, remind me`; nil if it does not end with one.
  ///
  /// - Parameter whole: An understanding that takes the request for part of a text.
  func withoutRequest(
    _ sentence: String, _ whole: Understanding, _ items: SpokenItems
  ) -> Understanding? {
    // A text at the end of the sentence may have taken the request.
    guard sentence.dropLast().contains(where: { ",;.!、。".contains($0) }),
      whole.arguments.contains(where: { $0.kind == PhraseTable.Kind.words.rawValue }),
      let parts = parts(of: sentence).first(where: \.isLast), !isNegated(parts.command)
    else { return nil }
    let said = SpokenForm.words(of: PhraseText.composed(parts.command))
    guard let first = understandPart(parts.rest, items).first, first.missing.isEmpty else {
      return nil
    }
    if withoutEmptyWords(said).isEmpty { return first }
    let isSame = requests(parts.command, items).contains { action in
      action == first.action || isTalkative(action) && isTalkative(first.action)
    }
    return isSame ? first : nil
  }

  /// Whether an action takes a text that it makes something of.
  private func isTalkative(_ action: String) -> Bool {
    (parametersOfActions[action] ?? []).contains { $0.kind == .words && $0.isRequired }
  }

  /// The actions that a request asks for without any value but what `it` means.
  private func requests(_ command: String, _ items: SpokenItems) -> [String] {
    commands(of: command).flatMap { understandPart($0, items) }.filter { understood in
      understood.arguments.allSatisfy {
        $0.words.isEmpty || items.memory.means($0.words, table.language)
          || isPronoun($0.words)
      }
    }.map(\.action)
  }

  /// The understandings of a part of a sentence, as it was said or in other forms.
  private func understandPart(_ text: String, _ items: SpokenItems) -> [Understanding] {
    for form in [SpokenForm(text)] + forms(of: text) {
      let found = understand(form, limit: Self.mostReadings, items: items)
      if !found.isEmpty { return found }
    }
    return []
  }

  private static let mostReadings = 8

  /// Whether a part has a word that turns it round.
  private func isNegated(_ text: String) -> Bool {
    vocabulary.isDense
      ? vocabulary.negations.contains { text.contains($0) }
      : SpokenVocabulary.words(of: text).contains(where: vocabulary.negations.contains)
  }

  /// Whether a part has a word of phrases that is worth something, so that it may be a command.
  private func hasTellingWord(_ text: String) -> Bool {
    vocabulary.isDense
      || SpokenForm.words(of: PhraseText.composed(text)).contains { said in
        let word = PhraseText.bare(said.text.lowercased())
        return clitic(word) != nil
          || literals.worth(of: literals.has(word) ? word : spelling(of: word) ?? word) > 1
      }
  }

  // MARK: Division

  /// The divisions of a sentence at its marks and its words between sentences, the last ones first.
  private func parts(of sentence: String) -> [Parts] {
    vocabulary.isDense ? denseParts(of: sentence) : spacedParts(of: sentence)
  }

  private func spacedParts(of sentence: String) -> [Parts] {
    let words = sentence.split(whereSeparator: \.isWhitespace)
    guard (3...Self.longestInParts).contains(words.count),
      let spoken = SpokenWords.of(table.language)
    else { return [] }
    func bare(_ word: Substring) -> String { PhraseText.bare(word.lowercased()) }
    func joins(_ word: Substring) -> Bool {
      spoken.and.contains(bare(word)) || spoken.thenWords.contains(bare(word))
    }
    func text(_ words: some Sequence<Substring>) -> String {
      PhraseText.trimmed(words.joined(separator: " "))
    }
    var parts: [Parts] = []
    for index in words.indices.dropFirst().reversed() where parts.count < Self.mostDivisions * 2 {
      let hasMark = words[index - 1].last.map { ",;.!?:–—".contains($0) } ?? false
      guard hasMark || joins(words[index]) else { continue }
      let (before, after) = (words[..<index], words[index...].drop(while: joins))
      guard !after.isEmpty else { continue }
      if after.count <= Self.longestCommand {
        parts.append(Parts(command: text(after), rest: text(before), isLast: true))
      }
      if before.count <= Self.longestCommand, hasMark {
        parts.append(Parts(command: text(before), rest: text(after), isLast: false))
      }
    }
    guard parts.isEmpty else { return parts }
    // Without marks, a command ends a sentence and has a word for what was said before.
    for index in words.indices.dropFirst(2).reversed()
    where parts.count < Self.mostDivisions && words.count - index <= Self.longestCommand {
      guard words[index...].contains(where: { isPronoun(String($0)) || clitic(bare($0)) != nil }),
        hasTellingWord(String(words[index]))
      else { continue }
      parts.append(Parts(command: text(words[index...]), rest: text(words[..<index]), isLast: true))
    }
    return parts
  }

  private func denseParts(of sentence: String) -> [Parts] {
    guard sentence.count <= Self.longestInParts * 3 else { return [] }
    var parts: [Parts] = []
    for index in sentence.indices.dropFirst(2).reversed() {
      let before = sentence[..<index]
      let hasMark = before.last.map { "、。！？ ".contains($0) } ?? false
      guard hasMark || Self.denseJoins.contains(where: before.hasSuffix) else { continue }
      let (rest, after) = (String(before), PhraseText.trimmed(String(sentence[index...])))
      if !after.isEmpty, after.count <= Self.longestDenseCommand {
        parts.append(Parts(command: after, rest: rest, isLast: true))
      }
      if hasMark, before.count <= Self.longestDenseCommand {
        parts.append(Parts(command: PhraseText.trimmed(rest), rest: after, isLast: false))
      }
      if parts.count >= Self.mostDivisions { break }
    }
    return parts
  }

  /// Words without spaces around them after which another sentence begins.
  static let denseJoins = ["から", "ので", "けど", "たし", "のに"]

  // MARK: What is meant

  /// The understandings of a command with what the rest of the sentence names.
  private func asked(
    _ command: String, about rest: String, _ items: SpokenItems
  ) -> [Understanding] {
    let commands = commands(of: command)
    let words = joiningAddresses(SpokenForm.words(of: PhraseText.composed(rest)))
    let addresses = words.map { PhraseText.trimmed($0.text) }
      .filter { Self.address($0) != nil }
    if addresses.count == 1 {
      for sentence in commands.flatMap({ filled($0, with: addresses[0]) }) {
        let found = understandPart(sentence, items).filter { understood in
          understood.arguments.allSatisfy { $0.words.isEmpty || $0.words == addresses[0] }
            && understood.arguments.contains { $0.words == addresses[0] }
        }
        if !found.isEmpty { return found }
      }
      return []
    }
    for entity in vocabulary.entities {
      guard let item = items.mentioned(in: rest, of: entity, self) else { continue }
      for sentence in commands.flatMap({ filled($0, with: item.title) }) {
        let found = understandPart(sentence, items).filter { understood in
          understood.arguments.contains { $0.isItem && $0.text == item.title }
            && understood.arguments.allSatisfy {
              $0.isItem || $0.kind != PhraseTable.Kind.words.rawValue
            }
        }
        if !found.isEmpty { return found }
      }
    }
    return []
  }

  /// A command as it was said, and without empty words and with pronouns apart, as `archive lo` for `archívalo`.
  private func commands(of command: String) -> [String] {
    let said = SpokenForm.words(of: PhraseText.composed(command))
    let apart = withoutEmptyWords(said).flatMap { word -> [String] in
      clitic(PhraseText.bare(word.text.lowercased())).map { [$0, Self.pronoun] } ?? [word.text]
    }.joined(separator: " ")
    return apart == command || apart.isEmpty ? [command] : [command, apart]
  }

  /// The sentences of a command about something, which stands in the place of a word such as `it`, or at an end.
  private func filled(_ command: String, with name: String) -> [String] {
    if vocabulary.isDense { return ["\(name)を\(command)", "\(name)\(command)"] }
    let words = command.split(separator: " ").map(String.init)
    var places = words.indices.filter { words[$0] == Self.pronoun }
    if places.isEmpty { places = words.indices.filter { isPronoun(words[$0]) } }
    guard !places.isEmpty else { return ["\(command) \(name)", "\(name) \(command)"] }
    return places.flatMap { place -> [String] in
      // `that one`, `diese Aufgabe`
      let next = place + 1
      let isNamed =
        next < words.count && vocabulary.isKind(PhraseText.bare(words[next].lowercased()))
      let (before, after) = (words[..<place], words[(isNamed ? next + 1 : next)...])
      return [before + [name] + after, before + after + [name]].map { $0.joined(separator: " ") }
    }
  }

  private func isPronoun(_ word: String) -> Bool {
    let bare = PhraseText.bare(word.lowercased())
    return bare == Self.pronoun || SpokenWords.of(table.language)?.it.contains(bare) ?? false
  }

  /// A word for what was said before, in any language.
  private static let pronoun = "it"

  /// The verb to which a pronoun clings, as in `archívalo` and `enregistre-le`; nil for another word.
  private func clitic(_ word: String) -> String? {
    for pronoun in SpokenWords.of(table.language)?.clitics ?? [] where word.hasSuffix(pronoun) {
      let verb = word.dropLast(pronoun.count)
      let plain = String(
        verb.map { ["á": "a", "é": "e", "í": "i", "ó": "o", "ú": "u"][$0] ?? $0 } as [Character])
      guard verb.count > 2 else { continue }
      // `rappelle-le-moi` is `rappelle-moi` with a word between.
      let forms = [String(verb), plain] + (pronoun.hasSuffix("-moi") ? [verb + "-moi"] : [])
      if let form = forms.last(where: { literals.has($0) }) { return form }
    }
    return nil
  }

  // MARK: Uses

  /// An understanding of a part, with the uses of all words of the sentence.
  private func loosened(
    _ understood: Understanding, _ sentence: String, _ parts: Parts
  ) -> Understanding {
    var understood = understood
    let named = understood.arguments.filter { !$0.words.isEmpty }
    understood.isLoose = true
    for index in understood.arguments.indices { understood.arguments[index].range = 0..<0 }
    let command = Set(SpokenVocabulary.words(of: parts.command))
    let words =
      vocabulary.isDense
      ? [parts.rest, parts.command] : sentence.split(separator: " ").map(String.init)
    understood.uses = words.map { word in
      let own = SpokenVocabulary.words(of: word)
      let value = named.first { argument in
        let names = SpokenVocabulary.words(of: argument.text + " " + argument.words)
        return own.contains { name in names.contains { vocabulary.isSame(name, $0) } }
      }
      if own.allSatisfy(vocabulary.small.contains) { return (word, "\(Use.small)") }
      if let value { return (word, "\(Use.value(value.name))") }
      if own.allSatisfy(vocabulary.isKind) { return (word, "\(Use.kind)") }
      return (word, "\(own.allSatisfy(command.contains) ? Use.intent : .unknown)")
    }
    return understood
  }
}
