/// Sentence templates of many intents, compiled for matching.
///
/// The target owns the language of phrases: templates, lists, numbers in words, and the choice among
/// several matches. It does not depend on definitions or the library. Not thread-safe.
package final class PhraseBook {
  /// A template of an intent.
  package struct Template: Sendable {
    package let intent: String
    package let text: String
    /// The prefix of the lists and of the rules it names.
    package var listPrefix = ""
    package var rulePrefix = ""

    package init(_ intent: String, _ text: String) { (self.intent, self.text) = (intent, text) }
  }

  /// Templates, each made when it is used.
  package struct Templates: Sendable {
    let count: Int
    let make: @Sendable (Int) -> Template

    /// Templates by their positions.
    package init(count: Int, _ make: @escaping @Sendable (Int) -> Template) {
      (self.count, self.make) = (count, make)
    }

    /// Keeps templates.
    package init(_ templates: [Template]) { self.init(count: templates.count) { templates[$0] } }
  }

  /// The templates and the rules and lists they reference.
  package struct Source: Sendable {
    package var templates = Templates([])
    package var rules: [String: String] = [:]
    package var lists: [PhraseList] = []
    /// Words that may be omitted from a sentence, such as `please`.
    package var skipWords: [String] = []
    /// Spelled numbers, folded.
    package var numberWords: [String: Double] = [:]
    /// Makes the spelled numbers when they are first needed, instead.
    package var makeNumberWords: (@Sendable () -> [String: Double])?
    /// The sign before the fraction of a number; the other one of `.` and `,` groups its digits.
    package var decimalSign: Unicode.Scalar = "."
    /// Whether spaces between CJK letters do not count.
    package var joinsCJK = false
    /// Signs that cling to the word before them, and with which no free text begins.
    package var particles: Set<Unicode.Scalar> = []

    package init() {}
  }

  /// A sentence that was understood.
  package struct Match: Sendable {
    /// The position of the template.
    package let template: Int
    package let intent: String
    /// The values by slot.
    package let slots: [String: PhraseValue]
    /// The scalars of the composed sentence that each value was taken from.
    package let ranges: [String: Range<Int>]
    /// The number of wildcards, of literal scalars, and of scalars within wildcards.
    package let wildcards: Int
    package let literal: Int
    package let open: Int
  }

  enum Content {
    case program(PhraseProgram)
    case range(PhraseList.Range)
    case read(@Sendable (String) -> Bool?)
    case wildcard
  }

  /// A template or a list that may not be compiled yet.
  private enum Compiled<Result> {
    case waiting, invalid
    case ready(Result)
  }

  private let templates: Templates
  @exclusivity(unchecked) private var programs: [Compiled<PhraseProgram>]
  @exclusivity(unchecked) private var contents: [Compiled<Content>]
  private let lists: [PhraseList]
  private var scope: PhraseProgram.Scope
  /// The needs of each template.
  package private(set) var index: PhraseIndex
  private let skipWords: [[Unicode.Scalar]]
  private let skipStarts: Set<Unicode.Scalar>
  /// The spelled numbers, read when a sentence may have one.
  private(set) lazy var numberWords = NumberWords(givenNumbers())
  private let givenNumbers: () -> [String: Double]
  let joinsCJK: Bool
  let decimalSign: Unicode.Scalar
  let particles: Set<Unicode.Scalar>

  /// Compiles templates.
  ///
  /// - Throws: `PhraseError` for the first one that cannot be used.
  package convenience init(_ source: Source) throws(PhraseError) {
    self.init(source, lists: source.lists)
    for list in source.lists.indices { contents[list] = .ready(try compiled(list: list)) }
    for rule in source.rules.keys.sorted() { _ = try scope.rule(rule) }
    for position in 0..<templates.count {
      let program = try compiled(templates.make(position), withNeeds: true)
      programs[position] = .ready(program)
      index.add(program.needs)
    }
  }

  /// Keeps templates that were compiled before; each is compiled again when a sentence may match it.
  ///
  /// - Parameter index: Their index; an empty one to look for problems only.
  package convenience init(_ source: Source, index: PhraseIndex) {
    self.init(source, lists: source.lists)
    self.index = index
  }

  private init(_ source: Source, lists: [PhraseList]) {
    templates = source.templates
    self.lists = lists
    let words = source.numberWords
    let make = source.makeNumberWords
    givenNumbers = { make?() ?? words }
    decimalSign = source.decimalSign
    joinsCJK = source.joinsCJK
    particles = source.particles
    skipWords = source.skipWords.map { Array(PhraseSentence.scalars(of: $0)) }
      .filter { !$0.isEmpty }.sorted { ($1.count, 0) < ($0.count, 0) }
    skipStarts = Set(skipWords.compactMap(\.first))
    programs = Array(repeating: .waiting, count: templates.count)
    contents = Array(repeating: .waiting, count: lists.count)
    index = PhraseIndex()
    var numbers: [String: Int] = [:]
    var wildcards: Set<Int> = []
    for (number, list) in lists.enumerated() {
      numbers[list.name] = number
      if case .wildcard = list.content { wildcards.insert(number) }
    }
    scope = PhraseProgram.Scope(
      texts: source.rules, lists: numbers, wildcards: wildcards, firstRange: lists.count)
    scope.valuesOfLists = { number in
      guard lists.indices.contains(number), case .values(let texts) = lists[number].content else {
        return nil
      }
      return texts
    }
  }

  private func compiled(list: Int) throws(PhraseError) -> Content {
    switch lists[list].content {
    case .wildcard: return .wildcard
    case .range(let range): return .range(range)
    case .read(let accepts): return .read(accepts)
    case .values(let texts):
      var values: [PhraseTemplate] = []
      for text in texts { values.append(try PhraseTemplate(text)) }
      return .program(try PhraseProgram(values: values, in: &scope))
    }
  }

  private func compiled(
    _ template: Template, withNeeds: Bool = false
  ) throws(PhraseError) -> PhraseProgram {
    scope.listPrefix = template.listPrefix
    scope.rulePrefix = template.rulePrefix
    return try PhraseProgram(
      try PhraseTemplate(template.text), withNeeds: withNeeds, in: &scope)
  }

  private func program(_ template: Int) -> PhraseProgram? {
    switch programs[template] {
    case .ready(let program): return program
    case .invalid: return nil
    case .waiting:
      let program = try? compiled(templates.make(template))
      programs[template] = program.map(Compiled.ready) ?? .invalid
      return program
    }
  }

  /// The reason why a template cannot be used with the rules and lists; nil if it can.
  package func problem(with template: Template) -> PhraseError? {
    do throws(PhraseError) {
      for case .list(let list, _) in try compiled(template).code where content(list) == nil {
        _ = try compiled(list: list)
      }
      return nil
    } catch {
      return error
    }
  }

  func isWildcard(_ list: Int) -> Bool { scope.wildcards.contains(list) }

  /// The content of a list, or of a range written in a template; nil if it is invalid.
  func content(_ list: Int) -> Content? {
    guard list < lists.count else { return .range(scope.ranges[list - lists.count]) }
    switch contents[list] {
    case .ready(let content): return content
    case .invalid: return nil
    case .waiting:
      let content = try? compiled(list: list)
      contents[list] = content.map(Compiled.ready) ?? .invalid
      return content
    }
  }

  func listName(_ list: Int) -> String { list < lists.count ? lists[list].name : "" }

  /// The scalars of a sentence as `Match.ranges` counts them.
  package static func composed(_ text: String) -> [Unicode.Scalar] {
    PhraseSentence.composed(text)
  }

  /// The best match of a sentence; nil if nothing matches.
  ///
  /// Of several, the one with the fewest wildcards is best, then with the most literal scalars, then
  /// with the shortest wildcards, then the one whose template comes first.
  package func match(_ text: String) -> Match? { matches(text, limit: 1).first }

  /// The matches of a sentence, best first, one for each template.
  ///
  /// - Complexity: O(templates) to choose candidates, then O(length of a candidate × sentence).
  package func matches(_ text: String, limit: Int) -> [Match] {
    let sentence = PhraseSentence(text, joinsCJK: joinsCJK)
    guard !sentence.folded.isEmpty else { return [] }
    var forms = Forms(sentence, self)
    var pairs = sentence.pairs
    // Within words, removing skip words makes new neighbours.
    if joinsCJK, let form = forms.form(.everywhere) { pairs.formUnion(form.pairs) }
    var found: [(number: Int, match: PhraseMatcher.Find, PhraseSentence)] = []
    for number in index.candidates(for: pairs) {
      guard let program = program(number) else { continue }
      var best: (PhraseMatcher.Find, PhraseSentence)?
      for place in forms.places(for: program) {
        guard let matcher = forms.matcher(place), let match = matcher.match(program) else {
          continue
        }
        if best.map({ match.score < $0.0.score }) ?? true { best = (match, matcher.sentence) }
      }
      if let best { found.append((number, best.0, best.1)) }
    }
    found.sort { ($0.match.score, $0.number) < ($1.match.score, $1.number) }
    return found.prefix(limit).map { number, match, form in
      var values: [String: PhraseValue] = [:]
      var ranges: [String: Range<Int>] = [:]
      var slot = match.slots
      while let current = slot {
        // Of a slot that occurs twice, the last value counts.
        let name = scope.slotNames[current.slot]
        if values[name] == nil {
          values[name] = current.value ?? .words(form.words(current.range))
          ranges[name] = form.places(current.range)
        }
        slot = current.previous
      }
      return Match(
        template: number, intent: templates.make(number).intent, slots: values, ranges: ranges,
        wildcards: match.score.wildcards, literal: match.score.literal, open: match.score.open)
    }
  }

  /// A sentence with and without its skip words, each with its matcher.
  private struct Forms {
    private let sentence: PhraseSentence
    private let book: PhraseBook
    private let hasSkipWords: Bool
    private var forms: [PhraseSentence.Place: PhraseSentence] = [:]
    private var matchers: [PhraseSentence: PhraseMatcher] = [:]

    init(_ sentence: PhraseSentence, _ book: PhraseBook) {
      (self.sentence, self.book) = (sentence, book)
      hasSkipWords = sentence.folded.contains(where: book.skipStarts.contains)
    }

    /// The sentence without skip words at a place; nil if that changes nothing.
    mutating func form(_ place: PhraseSentence.Place) -> PhraseSentence? {
      if place == .nowhere { return sentence }
      guard hasSkipWords else { return nil }
      let form =
        forms[place]
        ?? sentence.removing(book.skipWords, from: place, insideWords: book.joinsCJK)
      forms[place] = form
      return form == sentence || form.folded.isEmpty ? nil : form
    }

    /// The places without whose skip words a template is tried.
    ///
    /// One that begins (else: ends) with a wildcard keeps those at its beginning (end).
    mutating func places(for program: PhraseProgram) -> [PhraseSentence.Place] {
      let place: PhraseSentence.Place =
        switch (program.startsOpen, program.endsOpen) {
        case (true, _): program.isLone ? .nowhere : .end
        case (false, true): .start
        case (false, false): .everywhere
        }
      guard place != .nowhere, form(place) != nil else { return [.nowhere] }
      if place == .everywhere || form(place) == form(.everywhere) { return [.nowhere, place] }
      return [place]
    }

    mutating func matcher(_ place: PhraseSentence.Place) -> PhraseMatcher? {
      guard let form = form(place) else { return nil }
      if let known = matchers[form] { return known }
      let made = PhraseMatcher(form, book)
      matchers[form] = made
      return made
    }
  }
}
