import CEL
import Program
import Store

/// Who hears of the steps of a run: its journal and its observers.
extension Run {
  /// The journal from which the run can go on; nil in a transaction, which is one step of it.
  var lines: RunJournal? {
    guard let journal, journal.isDurable, transactionDepth == 0 else { return nil }
    return journal
  }

  /// The number of the line that is written next; nil where nothing can be gone on from.
  var nextLine: Int64? { lines?.nextNumber }

  /// Whether what the run does is a transaction, in which nothing may wait for a person.
  package var isInTransaction: Bool { transactionDepth > 0 }

  /// Tells all observers how a step ended.
  func tellObservers(_ end: StepEnd, _ step: CompiledStep, at place: StepPlace) throws {
    for observer in observers { try observer.stepEnds(step, at: place, end) }
  }

  /// Writes a line about a step, with what it takes to go on from there where the run can go on.
  func note(
    _ key: String, _ kind: JournalLine.Kind, _ step: CompiledStep, took: Int64,
    value: () throws -> Value? = { nil }
  ) throws {
    guard let journal else { return }
    if journal.isDurable {
      guard transactionDepth == 0 else { return }
      try journal.note(key, kind, name: step.displayName, value: try value(), took: took)
    } else {
      // Only errors are worth their room where nothing is to be restored.
      let kept = kind == .failed || kind == .attempted ? try value() : nil
      try journal.note(key, kind, name: step.displayName, value: kept, took: took)
      if journal.isFull, observers.isEmpty { isWatched = false }
    }
  }
}
