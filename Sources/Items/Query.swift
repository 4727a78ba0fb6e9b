package import CEL

/// A query for items: condition, order and limit.
package struct Query {
  /// The entity's name.
  package var entity: String
  /// The search words; nil or blank for no search.
  package var match: String?
  /// When a search also returns items that have only some of its words.
  package var closeMatches = CloseMatches.never
  /// The item that the items are like, which come in the order of their likeness; nil for none.
  package var like: Item?
  /// The condition; nil for none.
  package var filter: Filter?
  /// The range of time within which items take place; series are expanded.
  package var during: Range<Timestamp>?
  /// The sort order; by default relevance for a search, else newest first.
  package var sort: [SortKey]
  /// The maximum number of items; nil for all.
  package var limit: Int?
  /// The last item of the previous page; nil for the first page.
  package var after: ItemReference?

  package init(
    _ entity: String, match: String? = nil, filter: Filter? = nil, sort: [SortKey] = [],
    limit: Int? = nil, after: ItemReference? = nil
  ) {
    self.entity = entity
    self.match = match
    self.filter = filter
    self.sort = sort
    self.limit = limit
    self.after = after
  }

  /// The search words; nil if blank.
  package var words: String? { match.flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 } }
}

/// When a search returns items that have only some of its words.
package enum CloseMatches: Sendable {
  case never
  /// If no item has all words.
  case ifNone
  /// If fewer than ten items have all words: these come first, and close matches follow up to ten.
  case ifFew
}
