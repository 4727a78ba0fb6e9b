import Items

/// An entry of the log that is about to be taken back, and what the log kept of its items.
struct UndoStep {
  var change: Change
  /// The columns of the item before as JSON, or a list of them for many items.
  let before: String?

  /// Whether it made items.
  var isCreation: Bool { change.kind == .create || change.kind == .createMany }
  /// The numbers of its items.
  var ids: ClosedRange<Int64> { change.id...max(change.id, change.last) }
}

extension Change {
  /// Whether items went.
  var isDeletion: Bool { kind == .delete || kind == .deleteMany }
}

extension [UndoStep] {
  /// Adds a step that came before the last one; creations that follow one another become one.
  mutating func appendEarlier(_ step: UndoStep) {
    guard let next = last, next.isCreation, step.isCreation,
      next.change.entity == step.change.entity, step.ids.upperBound + 1 == next.ids.lowerBound
    else { return append(step) }
    self[count - 1].change = Change(
      sequence: step.change.sequence, group: step.change.group, time: step.change.time,
      kind: .createMany, entity: step.change.entity, id: step.change.id,
      last: next.ids.upperBound, cause: step.change.cause, run: step.change.run)
  }
}
