import Engine
import Items
import Program

/// The items that a command is to work on: named by references, read from a pipe, or searched for.
struct ItemSelection {
  /// What chooses items by a condition.
  static let filterFlag = Flag(
    "where", .value("EXPR"), "the items of ENTITY for which an expression holds")

  /// Each item once, in the order in which they were named or found.
  let items: [Item]
  /// Whether a search found them, so that nobody has named each.
  let isSearched: Bool
  /// Whether one reference named the one item.
  let isSingle: Bool

  /// The items that words mean: references, numbers, URLs and `-`; or an entity with words to search
  /// for.
  ///
  /// - Parameters:
  ///   - filter: The `where`, if any.
  ///   - changes: Whether the items are to be changed.
  /// - Throws: `UsageError`, `not-found`, `ambiguous`.
  static func of(
    _ words: [String], filter: String?, changes: Bool, _ session: Run
  ) throws -> ItemSelection {
    let meanings = ItemWords(session)
    guard let first = words.first else {
      throw UsageError(
        filter == nil ? "missing item" : "--where needs an entity",
        help: filter == nil
          ? "name one, for example link:42" : "name it, for example links --where '…'")
    }
    let named = try meanings.entityIfNamed(first)
    if filter != nil || named != nil {
      if filter == nil, words.count == 1 {
        throw UsageError(
          "which \(first)?", help: "add words to search for, or --where true for all")
      }
      let rest = words.dropFirst().joined(separator: " ")
      return try searched(try named ?? meanings.entity(first), rest, filter: filter, session)
    }
    if !ItemWords.isName(first) {
      return ItemSelection(
        items: [try session.item(foundBy: words.joined(separator: " "))], isSearched: false,
        isSingle: true)
    }
    if let index = words.firstIndex(where: { !ItemWords.isName($0) }) {
      let value = index + 1 < words.count ? words[index + 1].quotedForShell : "VALUE"
      throw UsageError(
        "“\(words[index].shortened)” isn't a reference such as link:42",
        help: changes ? "to set a property, write \(words[index])=\(value)" : nil)
    }
    return try ItemSelection.named(words) { try meanings.item($0, changes: changes) }
  }

  /// The items of one entity that words mean, `-` for those of a pipe.
  ///
  /// - Throws: `not-found`, `ambiguous`.
  static func of(_ words: [String], entity: String, _ session: Run) throws -> ItemSelection {
    try named(words) { try session.item($0, of: entity) }
  }

  /// The items of an entity that a search finds; all words must hold.
  ///
  /// - Throws: `not-found` when there are none.
  static func searched(
    _ entity: String, _ words: String, filter: String?, _ session: Run
  ) throws -> ItemSelection {
    var search = Run.Search(entity: entity)
    search.match = words.isEmpty ? nil : words
    search.filter = filter
    search.filterLabel = "--where"
    search.isRelaxed = false
    let items = try session.find(search)
    if items.isEmpty { throw RunError(.notFound, "nothing found") }
    return ItemSelection(items: items, isSearched: true, isSingle: false)
  }

  /// All are looked up before anything is done, so that a mistyped one loses nothing.
  private static func named(
    _ words: [String], _ meaning: (String) throws -> Item
  ) throws -> ItemSelection {
    var found: [Item] = []
    for word in words {
      if word == "-" {
        found += try ReferenceLines.read(meaning)
      } else {
        found.append(try meaning(word))
      }
    }
    var seen: Set<ItemReference> = []
    let items = found.filter { item in item.reference.map { seen.insert($0).inserted } ?? true }
    return ItemSelection(
      items: items, isSearched: false, isSingle: words.count == 1 && words[0] != "-")
  }
}
