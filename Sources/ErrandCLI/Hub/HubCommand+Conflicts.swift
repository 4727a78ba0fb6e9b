import CEL
import Engine
import ErrandKit
import Source
import Store

/// `errand hub conflicts`.
extension HubCommand {
  func listConflicts() throws {
    let run = try invocation.openRun()
    let conflicts = try run.conflicts()
    // Calendars have conflicts, too.
    if conflicts.isEmpty, try run.store().calendars.all().isEmpty { _ = try membership() }
    let report = Report<MergeConflict>(
      columns: [
        "number": { "\($0.number)" }, "item": \.item, "what": \.summary, "lost": \.lost,
        "kept": \.kept,
      ], value: \.value, empty: "No conflicts.")
    try report.write(conflicts, to: invocation)
    guard !conflicts.isEmpty, invocation.console.stdoutIsTerminal, invocation.mode.isPlain else {
      return
    }
    invocation.say(
      "`errand hub conflicts restore NUMBER` gives the item what was lost; `settle NUMBER` forgets "
        + "the conflict.")
  }

  /// Removes a conflict; first gives the item the value that lost, if `restoring`.
  func settle(_ word: String, restoring: Bool) throws {
    let run = try invocation.openRun()
    guard let number = Int64(word) else {
      throw UsageError("a conflict is named by its number, not “\(word)”")
    }
    invocation.say("\(try run.settle(conflict: number, restoring: restoring))")
  }
}
