import Phrases
import Store

/// The words of a language around the values of a sentence.
final class SpokenVocabulary {
  /// Words that say little, such as `the` and `about`.
  let small: Set<String>
  /// Words that turn a sentence round, such as `not`.
  let negations: Set<String>
  private let kinds: [String: Set<String>]
  /// Meanings of words, by the words.
  private let meanings: [String: String]
  /// Whether words have no spaces between them.
  let isDense: Bool
  /// Whether words are joined to one, as in `Harzartikel`.
  private let isCompounding: Bool
  private let stemmer: Stemmer?
  @exclusivity(unchecked) private var stems: [String: String] = [:]

  init(_ table: PhraseTable) {
    var small: Set<String> = []
    var negations: Set<String> = []
    var kinds: [String: Set<String>] = [:]
    var meanings: [String: String] = [:]
    for (use, words) in table.words {
      switch use {
      case PhraseTable.small: small.formUnion(words)
      case PhraseTable.negations: negations.formUnion(words)
      case _ where use.hasPrefix(PhraseTable.kind):
        let entity = String(use.dropFirst(PhraseTable.kind.count))
        kinds[entity, default: []].formUnion(words)
      default: for word in words { meanings[word.lowercased()] = use }
      }
    }
    // What names the kind of an item has no other meaning.
    for (use, words) in table.words {
      for (entity, names) in kinds where names.contains(use) {
        kinds[entity]?.formUnion(words)
        for word in words { meanings[word.lowercased()] = nil }
      }
    }
    // A word to skip is part of no name.
    self.small = small.union(table.skip.lazy.filter { !$0.contains(" ") })
    self.negations = negations
    self.kinds = kinds
    self.meanings = meanings
    isDense = ["ja", "zh"].contains(table.language)
    isCompounding = table.language == "de"
    stemmer = Stemmer(code: table.language)
  }

  /// The words for an item of an entity, such as `article` for a link.
  func kinds(of entity: String) -> Set<String> { kinds[entity] ?? [] }

  /// The entities whose kinds have names.
  var entities: [String] { kinds.keys.sorted() }

  /// Whether a word names the kind of an item.
  func isKind(_ word: String) -> Bool { kinds.contains { $0.value.contains(word) } }

  /// The entities for whose kinds a text has words; all of them if it has none.
  func entities(namedIn text: String) -> [String] {
    let words = Set(Self.words(of: text).map(stem))
    let named = kinds.filter { entity in
      isDense
        ? entity.value.contains { text.contains($0) }
        : entity.value.contains { words.contains(stem($0)) }
    }
    return (named.isEmpty ? kinds : named).keys.sorted()
  }

  /// The words of a name of an item without small ones and those for its kind.
  func telling(_ text: String, of entity: String) -> String {
    let kinds = kinds(of: entity)
    let words = Self.words(of: text).filter { !small.contains($0) && !kinds.contains($0) }
    return words.isEmpty ? text : words.joined(separator: " ")
  }

  /// The form of a word by which it is compared: the stem of what it means.
  func stem(_ word: String) -> String {
    if let known = stems[word] { return known }
    let meaning = meanings[word] ?? word
    let stem = stemmer?.stem(meaning) ?? meaning
    stems[word] = stem
    return stem
  }

  /// The words of a text, folded, without marks around them and without what an apostrophe joins.
  static func words(of text: String) -> [String] {
    let folded = String(
      String.UnicodeScalarView(PhraseText.composed(text).map { $0 == "’" ? "'" : $0 })
    ).lowercased()
    return folded.split { !$0.isLetter && !$0.isNumber && $0 != "'" && $0 != "_" }.flatMap { word in
      // `l'article` and `grandma's`
      let parts = word.split(separator: "'")
      guard parts.count == 2 else { return parts.map(String.init) }
      if parts[0].count <= 2, parts[1].count > 2 {
        return [parts[0] + "'", parts[1]].map { String($0) }
      }
      return parts[1] == "s" ? [String(parts[0])] : [parts.joined(separator: "'")]
    }
  }

  /// Whether two words are forms of one, perhaps misspelt.
  func isSame(_ left: String, _ right: String) -> Bool {
    if left == right { return true }
    if negations.contains(left) || negations.contains(right) { return false }
    if stem(left) == stem(right) { return true }
    let (left, right) = (Array(left.unicodeScalars), Array(right.unicodeScalars))
    // `zurückgerufen` and `zurückrufen`, `freelance` and `freelancers`
    let shared = zip(left, right).prefix { $0 == $1 }.count
    let (short, long) = (min(left.count, right.count), max(left.count, right.count))
    if shared >= 5, shared * 3 >= long * 2 { return true }
    if isCompounding, shared == short, short >= 4 { return true }
    return (short >= 5 || short == 4 && left.sorted() == right.sorted())
      && Self.isOneSlip(left, right)
  }

  /// Whether at most one letter was replaced, left out or added, or two neighbours were swapped.
  ///
  /// - Complexity: O(length), as a word is compared with thousands.
  static func isOneSlip(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Bool {
    let (left, right) = left.count <= right.count ? (left, right) : (right, left)
    guard right.count - left.count <= 1 else { return false }
    let start = zip(left, right).prefix { $0 == $1 }.count
    let end = min(
      zip(left.reversed(), right.reversed()).prefix { $0 == $1 }.count, left.count - start)
    let rest = (left.count - start - end, right.count - start - end)
    if rest == (0, 1) || rest == (1, 1) || rest == (0, 0) { return true }
    return rest == (2, 2) && left[start] == right[start + 1] && left[start + 1] == right[start]
  }
}
