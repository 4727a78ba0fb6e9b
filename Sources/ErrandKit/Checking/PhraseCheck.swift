import Catalog
import Engine
import Phrases
import Program
import Source
import YAML

/// Checks the phrases of definitions: those that cannot be used, that nothing matches, and that
/// another always beats.
final class PhraseCheck {
  private let workspace: Workspace
  private var books: [String: PhraseSet] = [:]

  /// The number of sentences of a phrase that are tried.
  private static let samples = 24

  init(_ workspace: Workspace) { self.workspace = workspace }

  /// The phrases that are matched together, with those among them that cannot be used.
  private struct PhraseSet {
    let book: SpokenBook
    let problems: SpokenBook.Problems
    let known: Set<String>

    /// A text that differs for each phrase.
    static func key(_ row: PhraseTable.Row) -> String {
      ([row.action, row.text] + row.values.flatMap { [$0.name, $0.text] })
        .joined(separator: "\u{1F}")
    }
  }

  private var catalog: DefinitionCatalog { workspace.catalog }

  /// The mistakes in the phrases of an intent or a shortcut.
  ///
  /// - Complexity: O(phrases of all definitions) once, for its language.
  func findings(inAction name: String) -> [Diagnostic] {
    guard case .action(let action)? = try? catalog.untranslated(name), !action.phrases.isEmpty,
      // The tests of a release check built-in ones.
      catalog.place(ofAction: name)?.layer != .builtIn
    else { return [] }
    return findings(inAction: name, language: action.language ?? "en", action.phrases)
  }

  /// The mistakes in phrases in a language.
  func findings(
    inAction name: String, language: String, _ phrases: [PhraseDefinition]
  ) -> [Diagnostic] {
    guard let layer = catalog.place(ofAction: name)?.layer else { return [] }
    let isOwn = SpokenPhrases.Group.own.layers.contains(layer)
    let group = isOwn ? SpokenPhrases.Group.own.layers : [layer]
    let rows = phrases.map { phrase in
      PhraseTable.Row(
        action: name, text: phrase.text,
        values: phrase.values.map { ($0.key.text, $0.value.scalar?.text ?? "") })
    }
    var all = phraseSet(group, language)
    // A file of another layer may translate the definition; its phrases are in no table of this one.
    let others = rows.filter { !all.known.contains(PhraseSet.key($0)) }
    if !others.isEmpty { all = make(group, language, and: others) }
    // Own and built-in phrases beat those of projects, except for a definition that replaces one.
    let isNew = !isOwn && DefinitionCatalog(.none).place(ofAction: name) == nil
    let own = isNew ? phraseSet(SpokenPhrases.Group.own.layers, language) : nil
    return zip(rows, phrases).compactMap { problem(with: $0, at: $1.scalar.span, all, own) }
  }

  /// The phrases of some layers in a language, made once.
  private func phraseSet(
    _ layers: [DefinitionCatalog.Layer], _ language: String
  ) -> PhraseSet {
    let key = "\(layers) \(language)"
    let set = books[key] ?? make(layers, language)
    books[key] = set
    return set
  }

  private func make(
    _ layers: [DefinitionCatalog.Layer], _ language: String, and rows: [PhraseTable.Row] = []
  ) -> PhraseSet {
    var table = PhraseTable(catalog, layers: layers, language: language)
    for row in rows {
      table.rows.append(row)
      if table.parameters.contains(where: { $0.action == row.action }) { continue }
      // Nothing else translates it into this language.
      table.parameters += PhraseTable(catalog, layers: layers, language: "en").parameters
        .filter { $0.action == row.action }
    }
    let problems = SpokenBook.Problems(table)
    let known = Set(table.rows.map(PhraseSet.key))
    table.rows = PhraseRows(table.rows.filter { problems.problem(with: $0) == nil })
    let now = workspace.world.now()
    let book = SpokenBook(
      table, isForeign: false, dates: SpokenDate(language, now: now, clock: workspace.world.clock),
      english: DateReader(now: now, clock: workspace.world.clock))
    return PhraseSet(book: book, problems: problems, known: known)
  }

  private func problem(
    with row: PhraseTable.Row, at span: Span, _ all: PhraseSet, _ own: PhraseSet?
  ) -> Diagnostic? {
    let book = all.book
    let parameters = book.table.parameters.filter { $0.action == row.action }.map(\.name)
    // `$name`, `${name}`, `:name` and `%name%` of other languages.
    for word in row.text.split(separator: " ") where "$%:@#".contains(word.first ?? " ") {
      let name = String(word.filter { $0.isLetter || $0.isNumber })
      guard parameters.contains(name) else { continue }
      return Diagnostic(
        "W215", "`\(word)` is plain text here", at: span, help: "write `{\(name)}`",
        severity: .warning)
    }
    if let reason = all.problems.problem(with: row) {
      var help = "name a parameter in braces, or change the brackets"
      if span.text.contains("{{") {
        help = "a parameter stands in single braces, such as `{name}`"
      } else if reason.contains("there is no") {
        help =
          Self.unknownName(in: reason).map { name in
            let unused = parameters.filter { !row.text.contains("{\($0)") }
            return
              (unused.isEmpty
              ? ""
              : "name a parameter, such as \(unused.map { "`{\($0)}`" }.joined(separator: ", ")), or ")
              + "declare it below `parameters:`, as `\(name): string`"
          } ?? "add the parameter below `parameters:`"
      } else if reason.contains("not closed") {
        help = "close `[` by `]`, and `(` by `)`"
      }
      return Diagnostic(
        "invalid-phrase", "the phrase cannot be used: \(reason)", at: span, help: help)
    }
    let names = book.names(for: row.action) { parameter in
      SpokenBook.samples(of: parameter, book.table.language)
    }
    if PhraseTemplate.hasFreeTextsInARow(row.text, names) {
      return Diagnostic(
        "W301", "two free texts stand in a row, which matches nothing", at: span,
        help: "put a word between them", severity: .warning)
    }
    let anything = "\u{2026}"
    let free = book.names(for: row.action) { $0.kind == .words ? [anything] : [] }
    if PhraseTemplate.sentences(of: row.text, free, limit: Self.samples).contains(anything) {
      return Diagnostic(
        "W304", "this phrase fits every sentence", at: span,
        help: "put a word of its own before or after the parameter", severity: .warning)
    }
    let sentences = PhraseTemplate.sentences(of: row.text, names, limit: Self.samples)
    if sentences.isEmpty { return nil }
    var wins = false
    var beaten: (by: Understanding, sentence: String)?
    for sentence in sentences {
      let before = own?.book.understand(SpokenForm(sentence), limit: 20) ?? []
      let found = before.isEmpty ? book.understand(SpokenForm(sentence), limit: 20) : before
      if found.contains(where: { $0.action == row.action }) {
        wins = true
      } else if let first = found.first {
        beaten = beaten ?? (first, sentence)
      }
    }
    if let beaten {
      let other = "“\(beaten.by.phrase)” of `\(beaten.by.action)`"
      return Diagnostic(
        "W302",
        wins
          ? "\(other) beats this phrase where it is “\(beaten.sentence)”"
          : "\(other) always beats this phrase, as for “\(beaten.sentence)”",
        at: span,
        help: wins
          ? "remove that alternative, or say it with other words" : "say it with other words",
        severity: .warning)
    }
    if wins { return nil }
    return Diagnostic(
      "W303", "no sentence matches this phrase", at: span,
      help: "leave out signs such as `?`, and text around a parameter", severity: .warning)
  }

  /// The name in a reason such as “there is no parameter `x`”.
  private static func unknownName(in reason: String) -> String? {
    let parts = reason.split(separator: "`", omittingEmptySubsequences: false)
    return parts.count == 3 && NameForm.lowerCamel.accepts(String(parts[1]))
      ? String(parts[1]) : nil
  }

  /// The mistakes in a vocabulary.
  static func findings(in vocabulary: VocabularyDefinition) -> [Diagnostic] {
    vocabulary.rules.compactMap { name, template in
      var source = PhraseBook.Source()
      source.rules = [name.text: template.text]
      do throws(PhraseError) { _ = try PhraseBook(source) } catch {
        return Diagnostic(
          "invalid-phrase", "the rule `\(name.text)` cannot be used: \(error.description)",
          at: template.span)
      }
      return nil
    }
  }
}
