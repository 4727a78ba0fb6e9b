import Engine
import Store

/// What a word means that names a recorded run.
enum RunWord {
  /// The run of a number, of the beginning of an id, or the latest for no word.
  ///
  /// - Throws: `not-found`.
  static func run(_ word: String?, in store: EntityStore) throws -> RecordedRun {
    guard let word, word != "last" else {
      guard let run = try store.latestRun() else {
        throw RunError(.notFound, "no run is recorded yet")
      }
      return run
    }
    if let number = Int64(word), let run = try store.recordedRun(number) { return run }
    if word.utf8.count >= shortestID, let run = try store.recordedRun(id: word) { return run }
    throw RunError(
      .notFound, "there is no run “\(word)”", help: "`errand runs` lists what is recorded")
  }

  /// The fewest characters that may stand for an id.
  private static let shortestID = 6
}
