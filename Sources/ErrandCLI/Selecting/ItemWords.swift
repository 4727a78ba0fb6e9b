import Catalog
import Engine
import Items
import Program
import Source

/// What the words of a command line mean among items and entities.
struct ItemWords {
  private let session: Run
  private var library: Library { session.library }

  init(_ session: Run) {
    self.session = session
  }

  /// The entity that a word means: `Link`, `link` or `links`.
  func entity(_ word: String) throws -> String { try Self.entity(word, in: library) }

  private static func entity(_ word: String, in library: Library) throws -> String {
    let names = library.entityNames
    if names.contains(word) { return word }
    let lowered = word.lowercased()
    // What a project calls its items can't hide what the layers below call theirs.
    let layered = names.sorted {
      (library.layer(ofEntity: $0) ?? .file) < (library.layer(ofEntity: $1) ?? .file)
    }
    for name in layered where EntitySchema.kind(of: name) == lowered { return name }
    for name in layered {
      if EntitySchema.kind(of: name) == lowered || name.lowercased() == lowered { return name }
      do {
        let definition = try library.entity(name)
        if definition?.displayNamePlural == lowered || definition?.displayName == lowered {
          return name
        }
      } catch {
        // What it is called cannot be told, but may be guessed.
        if lowered.hasPrefix(name.lowercased()) { throw error }
      }
    }
    throw UsageError(
      "unknown entity `\(word)`", help: Suggestion.help(for: word, in: names))
  }

  /// The entity that a word means; nil when it means none.
  func entityIfNamed(_ word: String) throws -> String? {
    try Self.entityIfNamed(word, in: library)
  }

  /// The entity of some definitions that a word means; nil when it means none.
  static func entityIfNamed(_ word: String, in library: Library) throws -> String? {
    guard !word.contains(":"), Int64(word) == nil else { return nil }
    do { return try entity(word, in: library) } catch is UsageError { return nil }
  }

  /// The item that a word means: a reference, the URL of a link, or a number.
  ///
  /// - Parameter changes: Whether it is to be changed; then a number that several items have must be
  ///   told apart. Else it is that of a link first, as in `errand open 5`.
  /// - Throws: `not-found`, `ambiguous`, `invalid-value`.
  func item(_ word: String, changes: Bool = false) throws -> Item {
    if let number = Int64(word), number > 0 {
      let found = try session.items(numbered: number, first: "Link")
      guard let first = found.first else {
        throw RunError(.notFound, "there is no item with the number \(word)")
      }
      if found.count == 1 || (!changes && first.entity == "Link") { return first }
      return try session.choose(found, meantBy: word)
    }
    // A URL can only mean a link; anything else names its entity.
    return try session.item(word, of: word.contains("://") ? "Link" : nil)
  }

  /// Advice about a flag that may be the name of a property.
  @Sendable
  static func fieldHelp(_ flag: String) -> String? { "to set a property, write \(flag)=VALUE" }

  /// Whether a word gives a property a value, such as `title=Swift`; a URL with `=` in it does not.
  static func isField(_ word: some StringProtocol) -> Bool {
    guard let equals = word.firstIndex(of: "="), equals != word.startIndex else { return false }
    return word[..<equals].allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
  }

  /// Whether a word can only name an item: by a reference, a number or a URL, or `-` for those of a
  /// pipe.
  static func isName(_ word: String) -> Bool {
    word == "-" || word.contains("://") || ItemReference.parseID(word) != nil
      || ItemReference.parse(word) != nil
  }

  /// The values of words such as `title=Swift`.
  static func fields(
    _ words: ArraySlice<String>
  ) throws -> [(name: String, text: String)] {
    try words.map { word in
      guard let equals = word.firstIndex(of: "="), equals != word.startIndex else {
        throw UsageError("“\(word.shortened)” isn't of the form NAME=VALUE")
      }
      return (String(word[..<equals]), String(word[word.index(after: equals)...]))
    }
  }
}
