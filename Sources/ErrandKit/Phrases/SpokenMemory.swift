import Program

/// The last result of a conversation, which later sentences refer to as `it` or `the second one`.
package struct SpokenMemory: Sendable {
  /// References of items, or other texts, in the order in which they were shown.
  package private(set) var results: [String] = []

  /// The last call.
  package var call: Understanding?

  /// Creates a memory of nothing.
  package init() {}

  /// Remembers the result of a run; an empty one leaves the last.
  package mutating func remember(_ value: JSONValue) {
    let values = value.array ?? [value]
    let texts = values.compactMap { $0["ref"]?.string ?? $0.string }.filter { !$0.isEmpty }
    if !texts.isEmpty { results = texts }
  }

  /// Remembers that there will be one result, whatever it is.
  package mutating func expectResult() { results = [""] }

  /// An understanding in which the words for the last result are replaced by it.
  package func resolved(_ understanding: Understanding) -> Understanding {
    guard let words = SpokenWords.of(understanding.language) else { return understanding }
    var resolved = understanding
    for index in resolved.arguments.indices {
      let argument = resolved.arguments[index]
      guard
        argument.isItem || argument.kind == PhraseTable.Kind.words.rawValue && argument.text == "it"
      else { continue }
      if let meant = meant(by: argument.text, words) { resolved.arguments[index].text = meant }
    }
    return resolved
  }

  /// Whether words mean the last result or one of them.
  func means(_ text: String, _ language: String) -> Bool {
    SpokenWords.of(language).map { meant(by: text, $0) != nil } ?? false
  }

  /// The results that words mean: the last one, all of them, or one of them; nil for other words.
  func meaning(_ text: String, _ language: String) -> [String]? {
    guard let words = SpokenWords.of(language) else { return nil }
    if words.it.contains(text.lowercased()) { return results.isEmpty ? nil : results }
    return meant(by: text, words).map { [$0] }
  }

  private func meant(by text: String, _ words: SpokenWords) -> String? {
    let text = text.lowercased()
    if words.it.contains(text) || text == "it" { return results.count == 1 ? results[0] : nil }
    let tokens = text.split(separator: " ").map(String.init)
      .filter { !words.ordinalFillers.contains($0) }
    guard tokens.count == 1 else { return nil }
    let position = words.ordinals[tokens[0]] ?? Int(tokens[0])
    guard let position else { return nil }
    let index = position < 0 ? results.count + position : position - 1
    return results.indices.contains(index) ? results[index] : nil
  }

  /// Whether a line ends the conversation.
  package static func isGoodbye(_ line: String, _ languages: [String]) -> Bool {
    let word = line.lowercased().filter { $0.isLetter || $0 == " " }
    return languages.contains { SpokenWords.of($0)?.goodbye.contains(word) ?? false }
  }
}
