import Catalog
import Engine
import Phrases

extension Errand {
  /// The phrases of all intents and shortcuts in reach.
  ///
  /// - Parameter language: A language such as `de`; nil for the person's own.
  package func spokenPhrases(in language: String? = nil) -> SpokenPhrases {
    let host = makeHost()
    let wanted = LanguageCode.wanted(language, environment: environment)
    return SpokenPhrases(
      catalog, languages: wanted, now: host.now(), clock: host.clock, cache: places?.state)
  }

  /// Understands a sentence: the intents or shortcuts that it may ask for, equally well.
  ///
  /// - Throws: `io` if the library cannot be located.
  package func understand(
    _ sentence: String, in language: String? = nil
  ) throws(ErrandError) -> [Understanding] {
    let phrases = spokenPhrases(in: language)
    return try ErrandError.translating {
      SentenceReader(phrases, try OpenCatalog(self).run).understand(sentence)
    }
  }

  /// The values that a line of words gives an intent, as `errand do` understands the times in it: in
  /// the first of the person's languages that finds one.
  ///
  /// - Parameter parameter: The parameter that takes the words.
  package func values(
    of line: String, for parameter: String, of intent: String
  ) -> [String: String] {
    for book in spokenPhrases().orderedBooks {
      let values = book.values(of: line, for: parameter, of: intent)
      if values.count > 1 { return Dictionary(values.map { ($0.name, $0.text) }) { $1 } }
    }
    return [parameter: line]
  }

  /// A few sentences for each intent and shortcut, in English.
  package var sayings: [String: [String]] {
    var sayings: [String: [String]] = [:]
    for book in spokenPhrases(in: "en").orderedBooks where book.table.language == "en" {
      for row in book.table.rows where (sayings[row.action]?.count ?? 0) < 4 {
        let names = book.names(for: row.action) { SpokenBook.samples(of: $0, "en") }
        if let sentence = PhraseTemplate.sentences(of: row.text, names, limit: 1).first {
          sayings[row.action, default: []].append(sentence)
        }
      }
    }
    return sayings
  }

  /// A whole sentence for an understanding, with its values.
  package func sentence(for understood: Understanding, in language: String? = nil) -> String {
    spokenPhrases(in: language).sentence(for: understood)
  }

  /// The intents nearest to a sentence, each with what could be said instead.
  package func nearestSentences(
    to sentence: String, in language: String? = nil
  ) -> [(action: String, sentence: String)] {
    spokenPhrases(in: language).nearest(to: sentence, limit: 3)
  }
}
