import CEL
import Engine
import Items
import Store

extension Reader {
  /// The number of latest changes among which those of an item are looked for.
  private static let searchedChanges: Int64 = 20_000

  /// The results of a search of which some words may be missing.
  package struct CloseMatches {
    /// A word that no item has.
    package struct MissingWord: Hashable {
      /// The word as typed.
      package let word: String
      /// A word that items have and that differs by one letter; nil for none.
      package let suggestion: String?
    }

    /// The items that have most of the words, best first.
    package let items: [ItemSnapshot]
    package let missing: [MissingWord]
  }

  /// Returns what comes close to a search that finds nothing: items that have some of its words, and
  /// the words that none has.
  ///
  /// - Throws: As ``find(_:matching:where:during:sort:limit:after:)``.
  package func closest(
    _ entity: String, matching words: String, where condition: String? = nil, limit: Int
  ) throws(ErrandError) -> CloseMatches {
    try reading { run in
      var search = try self.search(entity, words, condition)
      search.closeMatches = .ifNone
      search.limit = limit
      return CloseMatches(
        items: try run.find(search).map { try ItemSnapshot($0, run, hasSnippet: true) },
        missing: try run.missingWords(of: search).map {
          .init(word: $0.word, suggestion: $0.suggestion)
        })
    }
  }

  /// Returns the items most like one of the same entity, most similar first.
  ///
  /// - Throws: `not-found` if the item is gone, `store`, `busy`.
  package func related(to item: ItemSnapshot, limit: Int) throws(ErrandError) -> [ItemSnapshot] {
    try reading { run in
      var query = Query(item.entity, limit: limit)
      query.like = try run.item(item.reference, of: nil)
      return try run.store(for: item.entity).items.find(query).map { try ItemSnapshot($0, run) }
    }
  }

  /// Returns tags that may suit an item and that it does not have, most likely first.
  ///
  /// - Throws: `not-found` if the item is gone, `store`, `busy`.
  package func suggestedTags(for item: ItemSnapshot, limit: Int) throws(ErrandError) -> [String] {
    try reading { run in
      try TagSuggestions(run).tags(for: try run.item(item.reference, of: nil), limit: limit)
        .map(\.tag)
    }
  }

  /// Returns tags that may suit a link that is not stored, most likely first.
  ///
  /// - Parameter texts: Words about it, such as its title.
  /// - Throws: `store`, `busy`.
  package func suggestedTags(
    for address: String, _ texts: [String], limit: Int
  ) throws(ErrandError) -> [String] {
    try reading { try TagSuggestions($0).tags(for: address, texts, limit: limit).map(\.tag) }
  }

  /// Returns the changes of an item, latest first, in the form of ``changes(by:after:limit:)``.
  ///
  /// - Throws: `store`, `busy`.
  package func changes(of item: ItemSnapshot, limit: Int) throws(ErrandError) -> [JSONValue] {
    try reading { run in
      var selection = ChangeSelection(limit: limit)
      selection.item = ItemReference(entity: item.entity, id: item.id)
      let log = try run.store().changes
      // The log has no index of items.
      selection.after = try log.last() - Self.searchedChanges
      return try log.entries(selection).map { change in
        JSONValue(ChangeEntry(change, try log.properties(of: change)).value)
      }
    }
  }
}
