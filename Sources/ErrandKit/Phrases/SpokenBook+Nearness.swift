import Phrases
import Source

/// The phrases that are nearest to a sentence that none fits.
extension SpokenBook {
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

  /// The worth of a word that a phrase shares with a sentence, and of one that the sentence lacks.
  private static let (shared, lacking) = (3.0, -2.0)

  /// The most phrases that are compared.
  private static let mostNear = 40

  /// The phrases that share telling words with a sentence, with their fits.
  ///
  /// - Complexity: O(words of phrases), and the sizes of those that share most.
  func near(_ sentence: String) -> [(PhraseTable.Row, LooseFit)] {
    let words = Self.words(of: sentence)
    guard !words.isEmpty else { return [] }
    // A phrase that shares no more than words such as `the` and `off` is about something else.
    let first = sentence.lowercased().split { !$0.isLetter }.first.map(String.init)
    let telling = words.filter { $0.utf8.count > 3 || $0 == first }
    func stems(_ words: Set<String>) -> Set<String> {
      Set(words.map { word in vocabulary.stem(spelling(of: word) ?? word) })
    }
    let (shared, tellingStems) = (stems(words), stems(telling))
    func isTelling(_ word: String) -> Bool {
      tellingStems.contains(literals.stem(of: word) ?? word)
    }
    let scale = LooseFit.Scale(
      word: { [self] in shared.contains(literals.stem(of: $0) ?? $0) ? Self.shared : Self.lacking },
      slot: { _, _ in 0 }, rule: { [table] in table.rules[$0] })
    var counts: [Int: Int] = [:]
    for word in tellingStems.flatMap(literals.words) {
      for row in literals[word] ?? [] { counts[row, default: 0] += 1 }
    }
    return counts.sorted { ($0.value, $1.key) > ($1.value, $0.key) }.prefix(Self.mostNear)
      .compactMap { position, _ in
        let row = table.rows[position]
        guard let fit = LooseFit(row.text, of: row.action, scale),
          fit.words.count(where: isTelling) * 2 > min(telling.count, 2)
        else { return nil }
        return (row, fit)
      }
  }

  private static func words(of sentence: String) -> Set<String> {
    Set(
      sentence.lowercased().split { !$0.isLetter && !$0.isNumber && $0 != "'" && $0 != "-" }
        .lazy.filter { $0.utf8.count <= longestWord }.prefix(40).map(String.init))
  }

  /// The sentence of a phrase that shares most words with another one, with samples of values.
  ///
  /// - Parameter title: The title of an item of an entity.
  func form(
    of row: PhraseTable.Row, _ fit: LooseFit, title: (_ entity: String) -> String?
  ) -> String {
    fit.sentence { name in
      guard let parameter = parameters[PhraseTable.list(row.action, name)] else { return name }
      return parameter.kind == .item
        ? title(parameter.entity) ?? "Swift"
        : Self.samples(of: parameter, table.language).first ?? name
    }
  }
}
