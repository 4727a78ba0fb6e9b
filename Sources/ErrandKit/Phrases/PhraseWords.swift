import CEL
import Glibc
import Phrases

/// The words of phrases with their phrases, worths and stems, as lines of a file that are sorted and read when they
/// are used, because a sentence needs few of them.
struct PhraseWords: Sendable {
  /// The bytes of a file.
  private var bytes: [UInt8] = []
  /// The lines of words, and those of stems, each sorted by its first field.
  private var words: [Range<Int>] = []
  private var stems: [Range<Int>] = []

  /// Between the words of a field.
  private static let separator: Character = "\u{1F}"

  init() {}

  /// Uses the lines of a file, which `lines` wrote.
  init(_ bytes: [UInt8], words: [Range<Int>], stems: [Range<Int>]) {
    (self.bytes, self.words, self.stems) = (bytes, words, stems)
  }

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
    write(phrases, SpokenVocabulary(table), table.rows.map(\.action))
  }

  /// Writes the lines of words.
  private mutating func write(
    _ phrases: [String: [Int]], _ vocabulary: SpokenVocabulary, _ actions: [String]
  ) {
    var wordLines: [String] = []
    var stemLines: [String] = []
    let count = Set(actions).count
    for (stem, words) in Dictionary(grouping: phrases.keys, by: vocabulary.stem) {
      let own = Set(words.flatMap { phrases[$0] ?? [] }.map { actions[$0] })
      // A word is worth the more, the fewer actions have it.
      let worth = min(3.5, log(Double(count + 1) / (Double(own.count) + 0.5)))
      for word in words {
        let value = vocabulary.small.contains(word) ? min(worth, 0.3) : worth
        let rows = (phrases[word] ?? []).map(String.init).joined(separator: ",")
        wordLines.append("L\t\(word)\t\(stem)\t\(value)\t\(rows)")
      }
      let sorted = words.sorted { ($0.count, $0) < ($1.count, $1) }
      func field(_ texts: [String]) -> String { texts.joined(separator: "\(Self.separator)") }
      stemLines.append("T\t\(stem)\t\(field(sorted))\t\(field(own.sorted()))")
    }
    func add(_ lines: [String]) -> [Range<Int>] {
      lines.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map { line in
        let start = bytes.count
        bytes += Array(line.utf8) + [0x0A]
        return start..<(bytes.count - 1)
      }
    }
    words = add(wordLines)
    stems = add(stemLines)
  }

  /// The lines for a file.
  var lines: some Sequence<String> {
    (words + stems).lazy.map { String(decoding: bytes[$0], as: UTF8.self) }
  }

  // MARK: Words

  /// The positions of the phrases that have a word; nil for another word.
  subscript(word: String) -> [Int]? {
    fields(of: word, in: words)?[4].split(separator: ",").compactMap { Int($0) }
  }

  /// Whether phrases have a word.
  func has(_ word: String) -> Bool { line(of: word, in: words) != nil }

  /// The worth of a word: high for one that few actions have, zero for one that none has.
  func worth(of word: String) -> Double {
    fields(of: word, in: words).flatMap { Double($0[3]) } ?? 0
  }

  /// The stem of a word; nil for one that no phrase has.
  func stem(of word: String) -> String? { fields(of: word, in: words)?[2] }

  /// The words with a stem, the shortest first.
  func words(ofStem stem: String) -> [String] {
    fields(of: stem, in: stems)?[2].split(separator: Self.separator).map(String.init) ?? []
  }

  /// Whether phrases of an action have a word with a stem.
  func hasStem(_ stem: String, _ action: String) -> Bool {
    fields(of: stem, in: stems)?[3].split(separator: Self.separator).contains { $0 == action }
      ?? false
  }

  /// The words that may differ from one by a letter: with about its length, and with its first letter or its last.
  func similar(to word: String) -> [String] {
    let wanted = Array(word.utf8)
    guard let first = wanted.first, let last = wanted.last else { return [] }
    return words.compactMap { line in
      let start = line.lowerBound + 2
      guard bytes[start] == first || line.count > wanted.count,
        let end = bytes[start...].firstIndex(of: 0x09),
        abs(end - start - wanted.count) <= Self.mostBytes,
        bytes[start] == first || bytes[end - 1] == last
      else { return nil }
      return String(decoding: bytes[start..<end], as: UTF8.self)
    }
  }

  /// The most bytes by which words that differ by a letter differ in length.
  private static let mostBytes = 3

  // MARK: Lines

  private func fields(of key: String, in lines: [Range<Int>]) -> [String]? {
    line(of: key, in: lines).map { PhraseTable.fields(bytes[$0]) }
  }

  /// The line whose second field is a key.
  ///
  /// - Complexity: O(log lines).
  private func line(of key: String, in lines: [Range<Int>]) -> Range<Int>? {
    var key = key
    return key.withUTF8 { key in
      bytes.withUnsafeBufferPointer { bytes in
        var (low, high) = (0, lines.count)
        while low < high {
          let middle = (low + high) / 2
          let field = bytes[(lines[middle].lowerBound + 2)..<lines[middle].upperBound]
            .prefix { $0 != 0x09 }
          if field.elementsEqual(key) { return lines[middle] }
          if field.lexicographicallyPrecedes(key) { low = middle + 1 } else { high = middle }
        }
        return nil
      }
    }
  }
}
