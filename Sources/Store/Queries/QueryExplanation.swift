/// How a query runs.
public struct QueryExplanation: Sendable {
  /// The statement, with `?` for each value; nil when nothing can match.
  public let sql: String?
  /// The parts of the filter that run as SQL.
  public let inSQL: [String]
  /// The parts of the filter that are evaluated for each item.
  public let inProcess: [String]
  /// SQLite's plan, a step a line.
  public let plan: [String]
}
