import Phrases

/// Texts of sentences.
enum PhraseText {
  /// The scalars of a sentence as they are counted by matches.
  static func composed(_ text: String) -> [Unicode.Scalar] { PhraseBook.composed(text) }

  /// A text without the quotation marks around the whole of it.
  static func unquoted(_ text: String) -> String {
    guard text.count > 2, let first = text.first, let last = text.last else { return text }
    let pairs: [(Character, String)] = [
      ("\"", "\""), ("'", "'"), ("“", "”"), ("„", "“”"), ("«", "»"), ("»", "«"), ("‘", "’"),
      ("‚", "‘’"),
      ("「", "」"), ("『", "』"),
    ]
    guard pairs.contains(where: { $0.0 == first && $0.1.contains(last) }) else { return text }
    let inner = text.dropFirst().dropLast()
    // Two quotations in a row are more than one.
    if inner.contains(where: { $0 == first || $0 == last }) { return text }
    return inner.split(separator: " ").joined(separator: " ")
  }

  /// A text without the leading particles of the preceding word.
  static func withoutParticle(_ text: String) -> String {
    var text = Substring(text)
    while let first = text.first, "、にのは".contains(first), let next = text.dropFirst().first,
      first == "、" || !("ぁ"..."ん").contains(next)
    {
      text.removeFirst()
    }
    return String(text)
  }

  /// A text without the marks that end a sentence.
  static func trimmed(_ text: String) -> String {
    var text = Substring(text)
    while let last = text.last, " .!?。！？,;:，、".contains(last) {
      // An abbreviation or an ellipsis keeps its dots.
      if last == ".", text.dropLast().last.map({ $0 == "." }) == true { break }
      text.removeLast()
    }
    return String(text)
  }

  /// A word without marks around it.
  static func bare(_ word: String) -> String {
    var word = word[...]
    func isMark(_ sign: Character) -> Bool { ",.!?;:…¿¡\"“”„«»".contains(sign) }
    while let first = word.first, isMark(first) { word.removeFirst() }
    while let last = word.last, isMark(last) { word.removeLast() }
    return String(word)
  }
}
