package import Items

/// Moves of files in the log of changes, so that `undo` takes them back with what else a run did.
extension EntityStore {
  /// Takes back a move; gives the move that did so.
  ///
  /// - Throws: When the file is not as the move left it, or its old place is taken.
  package typealias FileReverter = (FileMove) throws -> FileMove

  /// Notes in the log that a file was moved, as a part of the run.
  ///
  /// Does not wait for the disk: the move itself is no earlier on it.
  package func log(_ move: FileMove) throws {
    let isGrouping = run?.isGrouping
    run?.isGrouping = false
    defer { if let isGrouping { run?.isGrouping = isGrouping } }
    try write(waitsForDisk: false) { try note(move) }
  }

  private func note(_ move: FileMove) throws {
    try log(.moveFile, FileMove.entity, id: 1, last: 1, before: nil, after: move.logged)
  }

  /// Takes back the moves of files among the steps of a group, the latest first.
  func takeBackMoves(
    _ steps: [UndoStep], of group: Int64, _ files: FileReversals
  ) throws {
    guard steps.contains(where: { $0.change.kind == .moveFile }) else { return }
    var states = try movedBackStates(after: group)
    for step in steps where step.change.kind == .moveFile {
      guard var move = step.change.move else {
        throw StoreError(
          .corrupt, "the log of changes is damaged, so that nothing was taken back")
      }
      if let state = states[move.to] { move.state = state }
      let back = try files.takeBack(move)
      states[back.to] = back.state
      try note(back)
    }
  }

  /// What files were like that an undo or a redo put in their places, by path.
  ///
  /// On another disk a file that came back is a copy with another number.
  private func movedBackStates(after group: Int64) throws -> [String: FileMove.State] {
    var states: [String: FileMove.State] = [:]
    try connection.rows(
      """
      SELECT after FROM errand_changes WHERE kind = \(.int(Change.Kind.moveFile.rawValue)) \
      AND sequence > \(.int(group)) AND cause IN ('undo', 'redo') ORDER BY sequence
      """
    ) { row in
      if let move = FileMove(logged: row.text(0)) { states[move.to] = move.state }
      return true
    }
    return states
  }
}
