package import CEL
package import Engine
import Exchange
package import Store

/// Recorded runs with what their journals hold.
package struct RunListing {
  package let session: Run
  private let journal: RunJournal

  /// The runs of a session's store.
  package init(_ session: Run) throws {
    self.session = session
    journal = try Run.reader(in: session.workspace)
  }

  /// A run for another program.
  package func value(_ run: RecordedRun) -> Value {
    .record([
      "run": run.number, "id": run.id, "name": run.name, "state": run.state.rawValue,
      "began": run.started, "ended": run.ended, "durable": run.isDurable, "mode": run.mode,
      "process": run.process, "result": result(run), "error": error(run)?.valueWithCauses,
    ])
  }

  /// The error of a run; nil where it has none.
  package func error(_ run: RecordedRun) -> RunError? {
    run.error.isEmpty
      ? nil : (try? journal.value(ofText: run.error)).flatMap { RunError(journal: $0) }
  }

  /// The value of a run; nil where it has none, or none that is kept.
  package func result(_ run: RecordedRun) -> Value? {
    run.result.isEmpty ? nil : try? journal.value(ofText: run.result)
  }

  /// The steps of a run.
  package func tree(_ run: RecordedRun) throws -> RunTree {
    RunTree(try session.store().runs.lines(ofRun: run.number), journal)
  }
}

extension RunError {
  /// The error for another program, with those that led to it.
  package var valueWithCauses: Value {
    let errors = [self] + causes
    return ErrorJSON.value(of: errors.map { ($0.code.name, $0.message, $0.path) }[...]) ?? .null
  }
}

extension RunStore {
  /// The fewest characters that may stand for an id.
  private static let shortestID = 6

  /// The run of a number or of the beginning of an id, or the latest for no word; nil where there is
  /// none.
  package func run(named word: String?) throws -> RecordedRun? {
    guard let word, word != "last" else { return try latest() }
    if let number = Int64(word), let run = try run(number) { return run }
    return word.utf8.count >= Self.shortestID ? try run(id: word) : nil
  }
}
