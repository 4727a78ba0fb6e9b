import CEL
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
  /// The words of phrases.
  var literals: PhraseWords { table.literals }
  /// The spelled numbers below a hundred and others of one word.
  private(set) lazy var numbers = PhraseNumbers.words(of: table.language)

  /// The phrases of empty words, the longest first.
  private(set) lazy var emptyPhrases = table.skip.map {
    $0.lowercased().split(separator: " ").map(String.init)
  }.sorted { $0.count > $1.count }
  /// The telling words of commands.
  private(set) lazy var commandWords = Set(table.commandWords)
  private(set) lazy var commandBooks = makeCommandBooks()
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

  /// The matches of a sentence, best first; empty if the phrases cannot be used.
  func matches(of form: SpokenForm, limit: Int) -> [PhraseBook.Match] {
    book?.matches(form.text, limit: limit) ?? []
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
}

extension UInt8 {
  fileprivate var isASCIIAlphanumeric: Bool {
    (0x30...0x39).contains(self) || (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self)
  }
}
