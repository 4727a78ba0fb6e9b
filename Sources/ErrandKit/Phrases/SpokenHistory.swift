import Engine

/// The answers of a person to readings of sentences with words that were not understood, so that a reading that was
/// confirmed is not asked about again, and one that was refused is not offered.
///
/// They stay on this machine: in a file of the state folder with the words of sentences but for their values.
package struct SpokenHistory {
  private let lines: StateLines?

  /// Uses a file in a folder.
  ///
  /// - Parameter folder: The folder; nil to remember nothing.
  package init(_ folder: String?) {
    lines = folder.map { StateLines(path: $0 + "/readings", limit: 500) }
  }

  /// The answer to a reading the last time: whether it was right; nil if it was not asked about.
  package func answer(to understood: Understanding) -> Bool? {
    let key = Self.key(of: understood)
    return lines?.read().last { $0.dropFirst(2) == key }.map { $0.hasPrefix("+") }
  }

  /// Remembers the answer to a reading.
  package func remember(_ isRight: Bool, _ understood: Understanding) {
    guard understood.isLoose else { return }
    let key = Self.key(of: understood)
    // Without it, the next time is asked about again.
    _ = lines?.change { lines in
      lines.removeAll { $0.dropFirst(2) == key }
      lines.append("\(isRight ? "+" : "-")\t\(key)")
    }
  }

  /// The action with the values that its phrase implies, and the words of the sentence with a star for each value.
  private static func key(of understood: Understanding) -> String {
    let implied = understood.arguments.filter(\.words.isEmpty).map { "\($0.name)=\($0.text)" }
    var words: [String] = []
    for (word, use) in understood.uses {
      let text = use.hasPrefix("value of ") ? "*" : PhraseText.bare(word.lowercased())
      if text != "*" || words.last != "*" { words.append(text) }
    }
    return ([understood.action] + implied + words).joined(separator: " ").replacing("\n", with: " ")
  }
}
