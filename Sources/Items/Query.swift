package import CEL

/// A query for items: condition, order and limit.
package struct Query {
  /// The entity's name.
  package var entity: String
  /// The search words; nil or blank for no search.
  package var match: String?
  /// Whether a search without matches for all words returns items that match some.
  package var isRelaxed = false
  /// Whether a relaxed search that finds only a few items with all words goes on with those that
  /// have some.
  package var completesFew = false
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
