import Phrases

/// The words of phrases, each with the phrases that have it; those of a file are read when they are
/// used, because a sentence that a phrase fits needs none of them.
struct PhraseWords: Sendable {
  private enum Storage {
    case read([String: [Int]])
    /// The bytes of a file, with the ranges of its lines.
    case lines([UInt8], [Range<Int>])
  }

  private let storage: Storage

  init() { storage = .read([:]) }

  /// Reads words from lines of a file, each with `L`, a word, and the positions of phrases.
  init(_ bytes: [UInt8], lines: [Range<Int>]) { storage = .lines(bytes, lines) }

  /// Collects the words of a table.
  init(of table: PhraseTable) {
    var phrases: [String: [Int]] = [:]
    var rules: [String: Set<String>] = [:]
    for (position, row) in table.rows.enumerated() {
      var words: Set<String> = []
      // Each rule is read once.
      let own = PhraseTemplate.words(in: row.text) { name in
        if rules[name] == nil {
          rules[name] = table.rules[name].map { text in
            PhraseTemplate.words(in: text) { table.rules[$0] }
          }
        }
        words.formUnion(rules[name] ?? [])
        return nil
      }
      words.formUnion(own)
      for word in words { phrases[word, default: []].append(position) }
    }
    storage = .read(phrases)
  }

  /// The positions of the phrases that have each word.
  var phrases: [String: [Int]] {
    switch storage {
    case .read(let phrases): return phrases
    case .lines(let bytes, let lines):
      var phrases: [String: [Int]] = [:]
      phrases.reserveCapacity(lines.count)
      for line in lines {
        let fields = PhraseTable.fields(bytes[line])
        guard fields.count == 3 else { continue }
        phrases[fields[1]] = fields[2].split(separator: ",").compactMap { Int($0) }
      }
      return phrases
    }
  }
}
