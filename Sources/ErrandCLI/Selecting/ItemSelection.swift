import Catalog
import Engine
import Items
import Program

/// The items a command works on: given as references, read from a pipe, or searched for.
struct ItemSelection {
  /// The `--where` flag.
  static let filterFlag = Flag(
    "where", .value("EXPR"), "the items of ENTITY that match an expression")

  /// Distinct items, in the order named or found.
  let items: [Item]
  /// Whether they were found by a search rather than named.
  let isSearched: Bool
  /// Whether a single reference was given.
  let isSingle: Bool

  /// Resolves words: references, numbers, URLs and `-`, or an entity with search words.
  ///
  /// - Parameters:
  ///   - filter: The value of `--where`, if given.
  ///   - changes: Whether the items are to be changed.
  /// - Throws: `UsageError`, `not-found`, `ambiguous`.
  static func of(
    _ words: [String], filter: String?, changes: Bool, _ run: Run
  ) throws -> ItemSelection {
    let words = words.map(WordForm.normal)
    let first = try words.first.expected(
      filter == nil ? "missing item" : "--where needs an entity",
      help: filter == nil
        ? "name one, for example link:42; - reads them from a pipe"
        : "name it, for example links --where '…'")
    if filter == nil { try ItemWords.expectReferences(words, in: run.catalog) }
    let named = try ItemWords.entityIfNamed(first, in: run.catalog)
    if filter != nil || named != nil {
      if filter == nil, words.count == 1 {
        throw UsageError(
          "which \(first)?", help: "add words to search for, or --where true for all")
      }
      try ItemWords.expectWhole(filter, words.dropFirst())
      let rest = words.dropFirst().joined(separator: " ")
      return try searched(
        try named ?? ItemWords.entity(first, in: run.catalog), rest, filter: filter, run)
    }
    if !WordForm.isName(first) {
      return ItemSelection(
        items: [try run.item(foundBy: words.joined(separator: " "))], isSearched: false,
        isSingle: true)
    }
    if let wrong = words.first(where: { !WordForm.isName($0) }) {
      let isProperty = !changes && wrong.allSatisfy(\.isLetter)
      throw UsageError(
        "“\(wrong.shortened)” is not a reference such as link:42",
        help: isProperty ? "to show a property, write --format '{{ self.\(wrong) }}'" : nil)
    }
    return try ItemSelection.named(words) { try ItemWords.item($0, run) }
  }

  /// Resolves words to items of one entity; `-` reads a pipe.
  ///
  /// - Throws: `not-found`, `ambiguous`.
  static func of(_ words: [String], entity: String, _ run: Run) throws -> ItemSelection {
    try named(words) { try run.item($0, of: entity) }
  }

  /// Searches for items of an entity; all words must match.
  ///
  /// - Throws: `not-found` if there are none.
  static func searched(
    _ entity: String, _ words: String, filter: String?, _ run: Run
  ) throws -> ItemSelection {
    var search = Run.Search(entity: entity)
    search.match = words.isEmpty ? nil : words
    search.filter = filter
    search.filterLabel = "--where"
    try FieldWord.expectExpression(filter, of: run.catalog.entity(entity), run)
    let items = try run.find(search)
    if items.isEmpty {
      throw RunError(
        .notFound, "nothing found",
        help: Int64(words).map {
          "for the item with this number write \(EntitySchema.kind(of: entity)):\($0)"
        })
    }
    return ItemSelection(items: items, isSearched: true, isSingle: false)
  }

  /// Looks up all items before anything is done, so that a typo loses nothing.
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
