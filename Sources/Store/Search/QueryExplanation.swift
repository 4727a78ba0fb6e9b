/// How a query runs.
package struct QueryExplanation: Sendable {
  /// The statement, with `?` for each value; of a search that ranks its matches first the one that
  /// does so, then the one that reads a match. None when nothing can match.
  package internal(set) var statements: [String] = []
  /// The parts of the filter that run as SQL.
  package internal(set) var inSQL: [String] = []
  /// The parts that run as SQL as far as that can decide, as where a sum stays within 64 bits; the
  /// items that are left are checked by the whole filter once more.
  package internal(set) var checkedAgain: [String] = []
  /// The parts of the filter that are evaluated for each item.
  package internal(set) var inProcess: [String] = []
  /// SQLite's plans for the statements, a step a line.
  package internal(set) var plan: [String] = []
  /// The expression of the text index that ranks the matches; nil without a search.
  package internal(set) var match: String?
  /// Whether all matches are ranked by all that BM25 counts; else the newest and the most used,
  /// without the length of each.
  package internal(set) var isRankingExact = true
  /// The best matches that the rest of the query lets pass, with the parts of their scores.
  package internal(set) var hits: [SearchHit] = []
}
