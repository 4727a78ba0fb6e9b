import Items

/// A query in the terms of the database, and what is left to do for each row.
struct CompiledQuery {
  /// How the rows are found.
  enum Source {
    /// By one statement in the order wanted.
    case statement
    /// By the rank of a search; the statement reads the row of an id, its first parameter. Where
    /// the rest of the query leaves few items, another one gives their numbers.
    case ranking(SearchPlan, match: String, among: SQL?)
    /// By the order of arrival of a search's matches, whose dates follow it nearly always; the
    /// statement gives the number and the date of each match and whether it is wanted, newest first,
    /// and the other the same of the number that is appended to it.
    case arrivals(probe: SQL)
  }

  var source: Source
  /// The statement, whose columns are those of `EntityTable.columns`.
  var sql: SQL
  /// The filter to be evaluated for each row; nil when the statement says it all.
  var filter: Filter?
  /// How many items at most, when the statement does not limit them.
  var limit: Int?
  /// How the filter was divided.
  var plan: FilterPlan?
}
