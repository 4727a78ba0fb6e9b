import Catalog
import Engine
import Items
import Source

/// What the words of a command line mean among items and entities.
struct ItemWords {
  private let session: Run
  private var library: Library { session.library }

  init(_ session: Run) {
    self.session = session
  }

  /// The entity that a word means: `Link`, `link` or `links`.
  func entity(_ word: String) throws -> String {
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
      "there is no entity `\(word)`", help: Suggestion.help(for: word, in: names))
  }

  /// The items that words mean: references, or URLs of links.
  func items(_ words: [String]) throws -> [Item] {
    guard !words.isEmpty else {
      throw UsageError("there is no item", help: "give a reference, such as link:42")
    }
    return try words.map { word in
      // A URL can only mean a link; anything else names its entity.
      try session.item(word, of: word.contains("://") ? "Link" : nil)
    }
  }

  /// The values of words such as `title=Swift`.
  static func fields(
    _ words: ArraySlice<String>
  ) throws -> [(name: String, text: String)] {
    try words.map { word in
      guard let equals = word.firstIndex(of: "="), equals != word.startIndex else {
        throw UsageError("“\(word)” is not of the form NAME=VALUE")
      }
      return (String(word[..<equals]), String(word[word.index(after: equals)...]))
    }
  }
}
