import Items

/// The forms of single words on a command line.
enum WordForm {
  /// Whether a word can only name an item: a reference, number or URL, or `-` for a pipe.
  static func isName(_ word: String) -> Bool {
    word == "-" || word.contains("://") || ItemReference.parseID(word) != nil
      || ItemReference.parse(word) != nil
  }

  /// Whether a word sets a property, such as `title=Swift`; a URL containing `=` does not.
  static func isField(_ word: some StringProtocol) -> Bool {
    guard let equals = word.firstIndex(of: "="), equals != word.startIndex else { return false }
    return word[..<equals].allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
  }

  /// Whether values with a name are tags.
  static func namesTags(_ name: String) -> Bool { ["tag", "tags"].contains(name) }

  /// A word with the kind of a reference such as `Link:1` in lower case; other words unchanged.
  static func normal(_ word: String) -> String {
    let kind = word.prefix { $0 != ":" }
    let reference = kind.lowercased() + word.dropFirst(kind.count)
    return ItemReference.parse(reference) == nil ? word : reference
  }

  /// The elements in words such as `[a,b]` or `a, b`, with commas between them.
  static func commaSeparated(_ words: [String]) -> String {
    words.joined(separator: ",").split { ",[] ".contains($0) }.joined(separator: ",")
  }
}
