package import CEL
package import Engine
import Exchange
package import Store

/// Recorded runs with the contents of their journals.
package struct RunListing {
  package let liveRun: Run
  private let journal: RunJournal

  /// Creates a listing of the runs in a run's store.
  package init(_ liveRun: Run) throws {
    self.liveRun = liveRun
    journal = try Run.reader(in: liveRun.workspace)
  }

  /// A run for machine-readable output.
  package func value(_ run: RecordedRun) -> Value {
    .record([
      "run": run.number, "id": run.id, "name": run.name, "state": run.state.rawValue,
      "began": run.started, "ended": run.ended, "durable": run.isDurable, "mode": run.mode,
      "process": run.process, "result": result(run), "error": error(run)?.valueWithCauses,
    ])
  }

  /// The error of a run; nil if it has none.
  package func error(_ run: RecordedRun) -> RunError? {
    run.error.isEmpty
      ? nil : (try? journal.value(ofText: run.error)).flatMap { RunError(journal: $0) }
  }

  /// The result of a run; nil if it has none or it was not kept.
  package func result(_ run: RecordedRun) -> Value? {
    run.result.isEmpty ? nil : try? journal.value(ofText: run.result)
  }

  /// The steps of a run.
  package func tree(_ run: RecordedRun) throws -> RunTree {
    RunTree(try liveRun.store().runs.lines(ofRun: run.number), journal)
  }
}

extension RunError {
  /// The error and its causes for machine-readable output.
  package var valueWithCauses: Value {
    let errors = [self] + causes
    return ErrorJSON.value(of: errors.map { ($0.code.name, $0.message, $0.path) }[...]) ?? .null
  }
}

extension RunStore {
  /// The minimum length of an id prefix.
  private static let shortestID = 6

  /// Returns the run with a number or an id prefix, or the latest run for nil; nil if there is
  /// none.
  package func run(named word: String?) throws -> RecordedRun? {
    guard let word, word != "last" else { return try latest() }
    if let number = Int64(word), let run = try run(number) { return run }
    return word.utf8.count >= Self.shortestID ? try run(id: word) : nil
  }
}
