/// What items are wanted, in which order, and how many.
package struct Query {
  /// The entity's name.
  package var entity: String
  /// The user's words to search for; nil or blank for no search.
  package var match: String?
  /// Whether items that have some of the words are found where none has all.
  package var isRelaxed = false
  /// What must hold for an item.
  package var filter: Filter?
  /// The order; by default relevance when there are words, else the newest first.
  package var sort: [SortKey]
  /// How many items at most; nil for all.
  package var limit: Int?
  /// The last item of the page before; the result goes on after it.
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

  /// The words, when there are any.
  package var words: String? {
    match.flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
  }
}
