import Engine
import ErrandKit
import Store

/// What a word means that names a recorded run.
enum RunWord {
  /// The run of a number, of the beginning of an id, or the latest for no word.
  ///
  /// - Throws: `not-found`.
  static func run(_ word: String?, in store: EntityStore) throws -> RecordedRun {
    if let run = try store.recordedRun(named: word) { return run }
    guard let word, word != "last" else { throw RunError(.notFound, "no run is recorded yet") }
    throw RunError(
      .notFound, "there is no run “\(word)”", help: "`errand runs` lists what is recorded")
  }
}
