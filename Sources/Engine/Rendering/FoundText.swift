package import Catalog
package import Items
import Program
package import Store

/// Says in a sentence what a search found, and how much more there is.
package struct FoundText {
  /// How many matches are counted, so that the sentence costs little among a million.
  private static let counted = 5_000

  private let query: Query
  private let definition: EntityDefinition

  /// - Parameter definition: The entity of the query.
  package init(_ query: Query, of definition: EntityDefinition) {
    self.query = query
    self.definition = definition
  }

  /// The sentence for the items that were found.
  ///
  /// - Throws: What the store throws.
  package func text(_ items: [Item], in store: EntityStore) throws -> String {
    if items.isEmpty { return nothing }
    if let sentence = try near(items, in: store) { return sentence }
    let found = "Found \(items.count.grouped) \(name(items.count))."
    guard items.count >= query.limit ?? Int.max else { return found }
    let summary = try store.summary(of: query, countingTo: Self.counted)
    if !summary.hasMore, summary.count <= items.count { return found }
    let total = summary.hasMore ? "more than \(Self.counted.grouped)" : summary.count.grouped
    return
      "The \(words == nil ? "newest" : "best") \(items.count.grouped) of \(total) \(definition.displayNamePlural)."
  }

  private func name(_ count: Int) -> String {
    count == 1 ? definition.displayName : definition.displayNamePlural
  }

  /// The sentence about items that have only some of the words; nil when they have all.
  ///
  /// - Throws: What the store throws.
  package func near(_ items: [Item], in store: EntityStore) throws -> String? {
    guard items.first?.isNear == true else { return nil }
    return partly(items.count, try store.summary(of: query, countingTo: 1))
  }

  private var words: String? {
    query.match.flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
  }

  private var nothing: String {
    guard let words else { return "No \(definition.displayNamePlural)." }
    return "Nothing matches “\(words.shortened)”."
  }

  /// Of items that have some of the words.
  private func partly(_ count: Int, _ summary: SearchSummary) -> String {
    var sentences = summary.missing.map { missing in
      let suggestion = missing.suggestion.map { "; did you mean “\($0)”?" } ?? "."
      return "Nothing has “\(missing.word.shortened)”\(suggestion)"
    }
    if sentences.isEmpty {
      sentences = ["No \(definition.displayName) has all of these words."]
    }
    sentences.append(
      count == 1 ? "Found 1 close match." : "The best \(count.grouped) close matches.")
    return sentences.joined(separator: " ")
  }
}
