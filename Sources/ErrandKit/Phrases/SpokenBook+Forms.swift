import Phrases
import Program

/// The forms of a sentence that no phrase fits as it was said.
extension SpokenBook {
  /// The sentence without empty words at its ends and with spoken addresses written, then with words
  /// spelled as in phrases: all of them, only the first, and in their plain form.
  func forms(of sentence: String) -> [SpokenForm] {
    let said = PhraseText.composed(sentence)
    guard said.count <= Self.longestSentence else { return [] }
    let all = SpokenForm.words(of: said)
    let joined = joiningAddresses(withoutEmptyWords(all))
    guard !joined.isEmpty else { return [] }
    var forms: [[SpokenForm.Word]] = joined.map(\.text) == all.map(\.text) ? [] : [joined]
    if table.language != "ja" {
      var respelled = joined
      var first: [SpokenForm.Word]?
      var plain = joined
      var firstPlain: [SpokenForm.Word]?
      for index in joined.indices {
        let bare = PhraseText.bare(joined[index].text.lowercased())
        if literals.has(bare), let form = literals.words(ofStem: vocabulary.stem(bare)).first,
          form != bare
        {
          plain[index].text = form
          if firstPlain == nil { firstPlain = plain }
        }
        guard let spelling = spelling(of: joined[index].text) else { continue }
        respelled[index].text = spelling
        plain[index].text = spelling
        if first == nil { first = respelled }
      }
      for form in [respelled, first ?? joined, firstPlain ?? joined, plain]
      where !([joined] + forms).contains(where: { $0.map(\.text) == form.map(\.text) }) {
        forms.append(form)
      }
    }
    return forms.map { SpokenForm($0, of: said) }
  }

  /// The longest sentence that is read in other forms, in scalars.
  private static let longestSentence = 400

  // MARK: Empty words

  /// The words without empty ones at the ends.
  func withoutEmptyWords(_ all: [SpokenForm.Word]) -> [SpokenForm.Word] {
    var words = all[...]
    func bare(_ word: SpokenForm.Word) -> String {
      PhraseText.bare(word.text.lowercased())
    }
    search: while !words.isEmpty {
      for phrase in emptyPhrases where phrase.count <= words.count {
        if zip(words, phrase).allSatisfy({ bare($0) == $1 }) {
          words.removeFirst(phrase.count)
          continue search
        }
        if zip(words.suffix(phrase.count), phrase).allSatisfy({ bare($0) == $1 }) {
          words.removeLast(phrase.count)
          continue search
        }
      }
      break
    }
    return Array(words)
  }

  // MARK: Addresses

  /// Joins addresses that are spoken, as in `swift dot org`.
  func joiningAddresses(_ words: [SpokenForm.Word]) -> [SpokenForm.Word] {
    guard let signs = SpokenWords.of(table.language)?.addressSigns else { return words }
    func sign(_ index: Int) -> String? {
      words.indices.contains(index) ? signs[words[index].text.lowercased()] : nil
    }
    var result: [SpokenForm.Word] = []
    var index = words.startIndex
    while index < words.endIndex {
      guard index > 0, sign(index) == ".", index + 1 < words.endIndex, var last = result.popLast(),
        last.text.unicodeScalars.allSatisfy({ $0.properties.isAlphabetic || $0.isASCII })
      else {
        result.append(words[index])
        index += 1
        continue
      }
      var end = index
      while let sign = sign(end), words.indices.contains(end + 1) {
        last.text += sign + PhraseText.bare(words[end + 1].text)
        end += 2
      }
      last = SpokenForm.Word(
        text: last.text, range: last.range.lowerBound..<words[end - 1].range.upperBound)
      guard Self.address(last.text) != nil else {
        result += words[(index - 1)..<end]
        index = end
        continue
      }
      // The words of a name of several stand before it, up to a word of the phrase.
      while let before = result.last, !literals.has(before.text.lowercased()),
        !vocabulary.small.contains(before.text.lowercased()),
        !emptyPhrases.contains([before.text.lowercased()]),
        before.text.unicodeScalars.allSatisfy({ $0.isASCII && $0.properties.isAlphabetic })
      {
        result.removeLast()
        last = SpokenForm.Word(
          text: before.text + last.text, range: before.range.lowerBound..<last.range.upperBound)
      }
      result.append(last)
      index = end
    }
    return result
  }

  // MARK: Spelling

  /// The word of phrases that a word is another form or a misspelling of; nil for one of them, and for
  /// other words.
  func spelling(of said: String) -> String? {
    let word = PhraseText.bare(said.lowercased())
    guard word.count >= 3, word.count <= 30, word.allSatisfy(\.isLetter), !literals.has(word),
      !vocabulary.small.contains(word), !vocabulary.negations.contains(word),
      times.dates?.isOfTime(word) != true
    else { return nil }
    if let form = literals.words(ofStem: vocabulary.stem(word)).first { return form }
    let scalars = Array(word.unicodeScalars)
    // A short word with another letter is hardly the same one; with two that are swapped, or without one after the
    // first, it is.
    let isShort = scalars.count < 5
    var found: (word: String, count: Int)?
    for other in literals.similar(to: word) {
      let letters = Array(other.unicodeScalars)
      guard SpokenVocabulary.isOneSlip(scalars, letters),
        !isShort || scalars.sorted() == letters.sorted()
          || letters.count == scalars.count + 1 && letters.first == scalars.first
      else { continue }
      // Of several, the one that more phrases have.
      let count = literals[other]?.count ?? 0
      if found.map({ (count, $0.word) > ($0.count, other) }) ?? true { found = (other, count) }
    }
    return found?.word
  }
}
