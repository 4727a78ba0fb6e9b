/// How a query runs.
public struct QueryExplanation: Sendable {
  /// The statement, with `?` for each value; of a search that ranks its matches first the one that
  /// does so, then the one that reads a match. None when nothing can match.
  public internal(set) var statements: [String] = []
  /// The parts of the filter that run as SQL.
  public internal(set) var inSQL: [String] = []
  /// The parts that run as SQL as far as that can decide, as where a sum stays within 64 bits; the
  /// items that are left are checked by the whole filter once more.
  public internal(set) var checkedAgain: [String] = []
  /// The parts of the filter that are evaluated for each item.
  public internal(set) var inProcess: [String] = []
  /// SQLite's plans for the statements, a step a line.
  public internal(set) var plan: [String] = []
  /// The expression of the text index that ranks the matches; nil without a search.
  public internal(set) var match: String?
  /// Whether all matches are ranked by all that BM25 counts; else the newest and the most used,
  /// without the length of each.
  public internal(set) var isRankingExact = true
  /// The best matches that the rest of the query lets pass, with the parts of their scores.
  public internal(set) var hits: [SearchHit] = []
}
