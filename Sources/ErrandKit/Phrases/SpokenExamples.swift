package import Catalog
package import Engine
import Phrases
import Program
import Source
import YAML

/// Examples of phrases with items of this library.
package final class SpokenExamples {
  private let phrases: SpokenPhrases
  private let run: Run
  private var titles: [String: String] = [:]

  /// Takes titles from the store of a run.
  package init(_ phrases: SpokenPhrases, _ run: Run) {
    self.phrases = phrases
    self.run = run
  }

  /// A few sentences of a definition, with the names of parameters in capitals.
  package static func sentences(of definition: ActionDefinition) -> [String] {
    let file = definition.phrases.first?.scalar.span.file
    let language = definition.phrases.first.flatMap {
      file?.language(at: $0.scalar.span.range.lowerBound)
    }
    let rules = (try? BuiltInRules.of(language ?? "en")) ?? [:]
    let names = PhraseTemplate.Names(
      rule: { rules[$0] }, samples: { [$0.uppercased()] }, isOpen: { _ in false })
    let parameters = Set(definition.allParameters.map { $0.name.text.uppercased() })
    // The one with most parameters, of which some may be left out.
    let sentences = definition.phrases.compactMap { phrase in
      let forms = PhraseTemplate.sentences(of: phrase.text, names, limit: mostForms)
      func count(_ form: String) -> Int {
        form.split(separator: " ").count { parameters.contains(String($0)) }
      }
      let most = forms.map(count).max()
      return forms.first { count($0) == most }
    }
    return Array(sentences.prefix(mostShown))
  }

  /// The number of forms of a phrase among which one is chosen.
  private static let mostForms = 200
  /// The number of sentences that help shows.
  private static let mostShown = 5

  /// A sentence that a phrase fits; empty if it has none.
  package func example(of phrase: SpokenPhrases.Phrase) -> String {
    for book in phrases.orderedBooks where book.table.language == phrase.language {
      guard
        book.table.rows.contains(where: { $0.action == phrase.action && $0.text == phrase.text })
      else { continue }
      let names = book.names(for: phrase.action) { [weak self] parameter in
        parameter.kind == .item
          ? [self?.title(of: parameter.entity) ?? "Swift"]
          : SpokenBook.samples(of: parameter, book.table.language)
      }
      return PhraseTemplate.sentences(of: phrase.text, names, limit: 1).first ?? ""
    }
    return ""
  }

  /// The title of an item; a made one for an empty library.
  private func title(of entity: String) -> String {
    if let known = titles[entity] { return known }
    let title = run.newestTitle(of: entity) ?? "Swift"
    titles[entity] = title
    return title
  }
}

/// The built-in rules of phrases in a language.
private enum BuiltInRules {
  static func of(_ language: String) throws -> [String: String] {
    let catalog = DefinitionCatalog()
    var rules: [String: String] = [:]
    for vocabulary in try catalog.vocabularies(in: .builtIn, language: language) {
      for (name, template) in vocabulary.rules { rules[name.text] = template.text }
    }
    return rules
  }
}

extension SpokenBook {
  /// Sample texts of a parameter.
  static func samples(of parameter: PhraseTable.Parameter, _ language: String) -> [String] {
    switch parameter.kind {
    case .words, .item, .file: ["rye bread"]
    case .choice: parameter.choices.compactMap { $0.templates.first }
    case .number: ["3"]
    case .date, .when, .timestamp, .range:
      ["tomorrow", "morgen", "demain", "mañana", "明日"]
        .filter { SpokenWords.of(language)?.days[$0] != nil }.prefix(1) + []
    case .duration: ["25m"]
    case .period: ["2d"]
    case .recurrence:
      ["en": "every day", "de": "jeden tag", "fr": "chaque jour", "es": "cada día", "ja": "毎日"][
        language
      ].map { [$0] } ?? []
    case .url: ["swift.org"]
    case .list: ["swift"]
    }
  }
}
