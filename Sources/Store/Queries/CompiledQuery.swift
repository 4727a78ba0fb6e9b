/// A query as one statement, and what is left to do for each row.
struct CompiledQuery {
  /// The statement, whose columns are those of `EntityTable.columns`.
  var sql: SQL
  /// The filter to be evaluated for each row; nil when the statement says it all.
  var filter: Filter?
  /// How many items at most, when the statement does not limit them.
  var limit: Int?
  /// How the filter was divided.
  var plan: FilterPlan?
}
