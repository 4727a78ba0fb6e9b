import Catalog
import Engine
import Items
import Program
import Source

/// Resolves words of a command line to items and entities.
enum ItemWords {
  /// Resolves an entity: `Link`, `link` or `links`.
  static func entity(_ word: String, in catalog: DefinitionCatalog) throws -> String {
    let names = catalog.entityNames
    if names.contains(word) { return word }
    let lowered = word.lowercased()
    // A project's plural must not hide those of lower layers.
    let layered = names.sorted {
      (catalog.layer(ofEntity: $0) ?? .file) < (catalog.layer(ofEntity: $1) ?? .file)
    }
    for name in layered where EntitySchema.kind(of: name) == lowered { return name }
    for name in layered {
      if EntitySchema.kind(of: name) == lowered || name.lowercased() == lowered { return name }
      do {
        let definition = try catalog.entity(name)
        if definition?.displayNamePlural == lowered || definition?.displayName == lowered {
          return name
        }
      } catch {
        // Its plural is unknown, but this may be a form of it.
        if lowered.hasPrefix(name.lowercased()) { throw error }
      }
    }
    throw UsageError("unknown entity `\(word)`", help: Suggestion.help(for: word, in: names))
  }

  /// Resolves an entity, or returns nil.
  static func entityIfNamed(_ word: String, in catalog: DefinitionCatalog) throws -> String? {
    guard !word.contains(":"), Int64(word) == nil else { return nil }
    do { return try entity(word, in: catalog) } catch is UsageError { return nil }
  }

  /// Resolves an item: a reference, the URL of a link, or a number.
  ///
  /// - Parameter changes: Whether the item is to be changed; an ambiguous number is then an error.
  /// Otherwise a link comes first, as in `errand open 5`.
  /// - Throws: `not-found`, `ambiguous`, `invalid-value`.
  static func item(_ word: String, changes: Bool, _ run: Run) throws -> Item {
    if let number = Int64(word), number > 0 {
      let found = try run.items(numbered: number, first: "Link")
      guard let first = found.first else {
        throw RunError(.notFound, "there is no item with the number \(word)")
      }
      if found.count == 1 || (!changes && first.entity == "Link") { return first }
      return try run.choose(found, meantBy: word)
    }
    // A URL always names a link; other references name their entity.
    return try run.item(word, of: word.contains("://") ? "Link" : nil)
  }

  /// Returns a hint for a flag that may be a property name.
  @Sendable
  static func fieldHelp(_ flag: String) -> String? { "to set a property, write \(flag)=VALUE" }

  /// The references that a word such as `link:1,link:2`, `link:1-3` or `link#1` stands for; nil for
  /// other words.
  static func references(meantBy word: String) -> String? {
    let parts = word.split { ":#".contains($0) }.map(String.init)
    guard parts.count > 1, parts[0].allSatisfy(\.isLetter) else { return nil }
    var numbers: [Int64] = []
    for part in word.dropFirst(parts[0].count + 1).split(separator: ",") {
      let ends = part.drop { !$0.isNumber }.split(separator: "-").map { Int64($0) ?? 0 }
      guard let first = ends.first, let last = ends.last, ends.count <= 2, 0 < first, first <= last,
        last - first < 10, part.hasPrefix(parts[0]) || part.first?.isNumber == true
      else { return nil }
      numbers += first...last
    }
    return numbers.map { "\(parts[0]):\($0)" }.joined(separator: " ")
  }

  /// Rejects the rest of a condition without quotes, as in `--where title == Swift`.
  static func expectWhole(_ filter: String?, _ words: ArraySlice<String>) throws(UsageError) {
    guard let filter, let sign = words.first,
      ["==", "=", "!=", "<", ">", "<=", ">=", "in", "&&", "||"].contains(sign)
    else { return }
    let value = words.dropFirst().joined(separator: " ")
    let isText =
      sign.contains("=") && value.first?.isLetter == true
      && value.allSatisfy { $0.isLetter || $0.isNumber || $0 == " " }
      && !["true", "false", "null"].contains(value)
    throw UsageError(
      "--where takes one word, and “\(sign)” is another one",
      help: "put the condition in quotes: --where '\(filter) \(sign == "=" ? "==" : sign) "
        + (isText ? "\"\(value)\"'" : "\(value)'"))
  }

  /// Whether a word sets a property, such as `title=Swift`; a URL containing `=` does not.
  static func isField(_ word: some StringProtocol) -> Bool {
    guard let equals = word.firstIndex(of: "="), equals != word.startIndex else { return false }
    return word[..<equals].allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
  }

  /// Whether a word can only name an item: a reference, number or URL, or `-` for a pipe.
  static func isName(_ word: String) -> Bool {
    word == "-" || word.contains("://") || ItemReference.parseID(word) != nil
      || ItemReference.parse(word) != nil
  }

  /// Parses words such as `title=Swift`.
  static func fields(
    _ words: ArraySlice<String>
  ) throws -> [(name: String, text: String)] {
    try words.map { word in
      guard let equals = word.firstIndex(of: "="), equals != word.startIndex else {
        throw UsageError("“\(word.shortened)” is not of the form NAME=VALUE")
      }
      return (String(word[..<equals]), String(word[word.index(after: equals)...]))
    }
  }
}
