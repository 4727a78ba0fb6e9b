package import Items

extension EntityStore {
  /// Takes back the latest transaction that was not taken back yet, all of it or nothing.
  ///
  /// An import counts as one, however many transactions it took. Items of an entity that is not
  /// defined here are taken for what the store recorded of it.
  /// - Parameter progress: Is told from time to time how many items of how many are done.
  /// - Returns: What was taken back, the latest first; empty when the log has nothing.
  /// - Throws: `conflict` when something else stands in the way, the definition does not allow any
  ///   more what was, or the log no longer has all of the change; then nothing is taken back.
  /// - Complexity: O(n log size) for n changed items.
  package func undo(progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }) throws -> [Change]
  {
    let usual = cause
    cause = "undo"
    isUndoing = true
    connection.useLargeCache(true)
    defer {
      connection.useLargeCache(false)
      cause = usual
      isUndoing = false
      recordedTables = [:]
    }
    return try write {
      guard
        case .int(let group)? = try connection.first(
          "SELECT max(batch) FROM errand_changes WHERE NOT undone AND cause <> 'undo'")
      else { return [] }
      // A group is called by its first entry, which is also the first to be forgotten.
      guard
        try connection.first("SELECT 1 FROM errand_changes WHERE sequence = \(.int(group))") != nil
      else {
        throw StoreError(
          .conflict,
          "the latest change cannot be taken back, nor can those before it: the log no longer has "
            + "all of it (it keeps \(Self.keptChanges) entries, and fewer after "
            + "`errand changes --keep` or a repair); what is changed from now on can be")
      }
      let steps = try undoSteps(of: group)
      try take(back: steps, progress)
      try connection.run("UPDATE errand_changes SET undone = 1 WHERE batch = \(.int(group))")
      try pruneChanges(keeping: Self.keptChanges)
      return steps.map(\.change)
    }
  }

  /// A change, and what the log kept of the item before it.
  private struct UndoStep {
    var change: Change
    let before: String?

    /// Whether it made items.
    var isCreation: Bool { change.kind == .create || change.kind == .createMany }
    var ids: ClosedRange<Int64> { change.id...max(change.id, change.last) }
  }

  /// The changes of a group, the latest first; creations of items that follow one another are one.
  private func undoSteps(of group: Int64) throws -> [UndoStep] {
    var steps: [UndoStep] = []
    try connection.rows(
      """
      SELECT sequence, batch, time, kind, entity, id, last, cause, before FROM errand_changes \
      WHERE batch = \(.int(group)) AND NOT undone ORDER BY sequence DESC
      """
    ) { row in
      let step = UndoStep(change: Self.change(row), before: row.isNull(8) ? nil : row.text(8))
      if let next = steps.last, next.isCreation, step.isCreation,
        next.change.entity == step.change.entity,
        step.ids.upperBound + 1 == next.ids.lowerBound
      {
        steps[steps.count - 1].change = Change(
          sequence: step.change.sequence, group: group, time: step.change.time,
          kind: .createMany, entity: step.change.entity, id: step.change.id,
          last: next.ids.upperBound, cause: step.change.cause)
      } else {
        steps.append(step)
      }
      return true
    }
    return steps
  }

  private func take(back steps: [UndoStep], _ progress: (Int, Int) -> Void) throws {
    let leaving = Dictionary(grouping: steps.filter(\.isCreation), by: \.change.entity)
      .mapValues { IDRanges($0.map(\.ids)) }
    let total = steps.reduce(0) { $0 + ($1.isCreation ? $1.ids.count : 1) }
    var done = 0
    for step in steps {
      if step.isCreation {
        let before = done
        try deleteAll(step.ids, of: table(step.change.entity), leaving: leaving) { count in
          progress(before + count, total)
        }
        done += step.ids.count
      } else {
        try revert(step.change, step.before)
        done += 1
      }
      progress(done, total)
    }
  }
}
