package import Engine

/// Understands sentences with the items of a library and the last results.
///
/// Not thread-safe.
package final class SentenceReader {
  private let phrases: SpokenPhrases
  private let items: SpokenItems

  /// Looks items up in the store of a run.
  package init(_ phrases: SpokenPhrases, _ run: Run) {
    self.phrases = phrases
    items = SpokenItems(run)
  }

  /// The last results, which words such as `it` mean.
  package var memory: SpokenMemory {
    get { items.memory }
    set { items.memory = newValue }
  }

  /// The reading of a sentence: calls that are equally good, or a command of the program.
  package func read(_ sentence: String) -> SpokenReading {
    items.begin()
    return phrases.read(sentence, items: items)
  }

  /// The understandings of a sentence that are equally good; empty if nothing fits.
  package func understand(_ sentence: String) -> [Understanding] { read(sentence).calls }

  /// The words of the last sentence for which there is no item, with the entity; nil if it failed
  /// otherwise.
  package var missing: (entity: String, words: String)? { items.missing.first }
}
