/// Sentence templates of many intents, compiled for matching.
///
/// The target owns the language of phrases: templates, lists, numbers in words, and the choice among
/// several matches. It knows nothing of definitions and of the library.
package final class PhraseBook {
  /// A template of an intent.
  package struct Template: Sendable {
    package let intent: String
    package let text: String

    package init(_ intent: String, _ text: String) { (self.intent, self.text) = (intent, text) }
  }

  /// The templates and what they refer to.
  package struct Source: Sendable {
    package var templates: [Template] = []
    package var rules: [String: String] = [:]
    package var lists: [PhraseList] = []
    /// Words that may be left out of a sentence, such as `please`.
    package var skipWords: [String] = []
    /// Spelled numbers, folded.
    package var numberWords: [String: Double] = [:]
    /// Whether spaces between CJK letters do not count.
    package var joinsCJK = false

    package init() {}
  }

  /// A sentence that was understood.
  package struct Match: Sendable {
    /// The position of the template.
    package let template: Int
    package let intent: String
    /// The values by slot.
    package let slots: [String: PhraseValue]
    /// The number of wildcards, of literal scalars, and of scalars within wildcards.
    package let wildcards: Int
    package let literal: Int
    package let open: Int
  }

  enum Content {
    case program(PhraseProgram)
    case range(PhraseList.Range)
    case read(@Sendable (String) -> Bool)
    case wildcard
  }

  private let templates: [Template]
  private var programs: [PhraseProgram] = []
  private var contents: [Content] = []
  private(set) var listNames: [String] = []
  private var slotNames: [String] = []
  private let skipWords: [[Unicode.Scalar]]
  let numberWords: NumberWords
  private let joinsCJK: Bool

  /// Compiles templates.
  ///
  /// - Throws: `PhraseError` for the first one that cannot be used.
  package init(_ source: Source) throws(PhraseError) {
    templates = source.templates
    numberWords = NumberWords(source.numberWords)
    joinsCJK = source.joinsCJK
    skipWords = source.skipWords.map { Array(PhraseSentence.scalars(of: $0)) }
      .filter { !$0.isEmpty }.sorted { ($1.count, 0) < ($0.count, 0) }
    var rules: [String: PhraseTemplate.Node] = [:]
    for (name, text) in source.rules { rules[name] = try PhraseTemplate(text).root }
    var numbers: [String: Int] = [:]
    var wildcards: Set<Int> = []
    for (number, list) in source.lists.enumerated() {
      numbers[list.name] = number
      if case .wildcard = list.content { wildcards.insert(number) }
    }
    listNames = source.lists.map(\.name)
    var scope = PhraseProgram.Scope(
      rules: rules, lists: numbers, wildcards: wildcards, firstRange: source.lists.count)
    for (number, list) in source.lists.enumerated() {
      switch list.content {
      case .wildcard: contents.append(.wildcard)
      case .range(let range): contents.append(.range(range))
      case .read(let accepts): contents.append(.read(accepts))
      case .values(let texts):
        var values: [PhraseTemplate] = []
        for text in texts { values.append(try PhraseTemplate(text)) }
        contents.append(.program(try PhraseProgram(values: values, in: &scope)))
        scope.needsOfLists[number] = PhraseProgram.oneOf(
          values.map { PhraseProgram.needs($0.root, scope) })
      }
    }
    for template in source.templates {
      programs.append(try PhraseProgram(try PhraseTemplate(template.text), in: &scope))
    }
    contents += scope.ranges.map { .range($0) }
    listNames += scope.ranges.map { _ in "" }
    slotNames = scope.slotNames
  }

  func isWildcard(_ list: Int) -> Bool {
    if case .wildcard = contents[list] { true } else { false }
  }

  func content(_ list: Int) -> Content { contents[list] }

  /// The best match of a sentence; nil if nothing matches.
  ///
  /// Of several, the one with the fewest wildcards is best, then with the most literal scalars, then
  /// with the shortest wildcards, then the one whose template comes first.
  package func match(_ text: String) -> Match? { matches(text, limit: 1).first }

  /// The matches of a sentence, best first, one for each template.
  package func matches(_ text: String, limit: Int) -> [Match] {
    let sentence = PhraseSentence(text, joinsCJK: joinsCJK)
    guard !sentence.folded.isEmpty else { return [] }
    var matchers: [PhraseSentence: PhraseMatcher] = [:]
    var forms: [PhraseSentence.Place: PhraseSentence] = [:]
    func matcher(_ place: PhraseSentence.Place) -> PhraseMatcher? {
      let form =
        forms[place]
        ?? sentence.removing(skipWords, from: place, insideWords: joinsCJK)
      forms[place] = form
      if place != .nowhere, form == sentence || form.folded.isEmpty { return nil }
      if let known = matchers[form] { return known }
      let made = PhraseMatcher(form, self)
      matchers[form] = made
      return made
    }
    var found: [(number: Int, score: PhraseMatcher.Score, slots: PhraseMatcher.Slots?)] = []
    for (number, program) in programs.enumerated() {
      let place: PhraseSentence.Place =
        switch (program.startsOpen, program.endsOpen) {
        case (true, true): .nowhere
        case (true, false): .end
        case (false, true): .start
        case (false, false): .everywhere
        }
      var best: (score: PhraseMatcher.Score, slots: PhraseMatcher.Slots?)?
      for place in place == .nowhere ? [.nowhere] : [.nowhere, place] {
        guard let match = matcher(place)?.match(program) else { continue }
        if best.map({ match.score < $0.score }) ?? true { best = match }
      }
      if let best { found.append((number, best.score, best.slots)) }
    }
    found.sort { ($0.score, $0.number) < ($1.score, $1.number) }
    return found.prefix(limit).map { number, score, slots in
      var values: [String: PhraseValue] = [:]
      var slot = slots
      while let current = slot {
        // Of one slot that stands twice, the last value counts.
        let name = slotNames[current.slot]
        if values[name] == nil { values[name] = current.value }
        slot = current.previous
      }
      return Match(
        template: number, intent: templates[number].intent, slots: values,
        wildcards: score.wildcards, literal: score.literal, open: score.open)
    }
  }
}
