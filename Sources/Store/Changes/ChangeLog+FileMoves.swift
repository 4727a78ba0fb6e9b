import CEL
package import Items
import JSON

/// Moves of files in the log of changes, so that `undo` takes them back with what else a run did.
extension ChangeLog {
  /// Takes back a move; gives the move that did so.
  ///
  /// - Throws: When the file is not as the move left it, or its old place is taken.
  package typealias FileReverter = (FileMove) throws -> FileMove

  /// Notes in the log that a file was moved, as a part of the run.
  ///
  /// Does not wait for the disk: the move itself is no earlier on it.
  package func note(_ move: FileMove) throws {
    try database.apart { try database.transaction(waitsForDisk: false) { try log(move) } }
  }

  private func log(_ move: FileMove) throws {
    try log(.moveFile, FileMove.entity, id: 1, last: 1, before: nil, after: move.logged)
  }

  /// Takes back the moves of files among the steps of a group, the latest first.
  func takeBackMoves(
    _ steps: [UndoStep], of group: Int64, _ files: FileReversals
  ) throws {
    guard steps.contains(where: { $0.change.kind == .moveFile }) else { return }
    var states = try movedBackStates(after: group)
    for step in steps where step.change.kind == .moveFile {
      guard var move = step.change.move else { throw LoggedColumns.damage }
      if let state = states[move.to] { move.state = state }
      let back = try files.takeBack(move)
      states[back.to] = back.state
      try log(back)
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

/// What the log keeps of a move of a file.
extension FileMove {
  /// The entity of such an entry; no entity is called so.
  static let entity = ""

  /// The move as the log keeps it.
  ///
  /// - Throws: `bug`.
  var logged: String {
    get throws {
      try LoggedColumns.text(
        of: .map(
          MapValue([
            ("kind", .string(kind.rawValue)), ("from", .string(from)), ("to", .string(to)),
            ("inode", .int(state.inode)), ("size", .int(state.size)),
            ("modified", .int(state.modified)),
          ])))
    }
  }

  /// The move of an entry; nil when it is damaged.
  init?(logged text: String) {
    // That it is no JSON is the answer.
    guard case .map(let map)? = try? JSONParser().parse(text),
      case .string(let word)? = map["kind"], let kind = Kind(rawValue: word),
      case .string(let from)? = map["from"], case .string(let to)? = map["to"],
      case .int(let inode)? = map["inode"], case .int(let size)? = map["size"],
      case .int(let modified)? = map["modified"]
    else { return nil }
    self.init(
      kind: kind, from: from, to: to,
      state: State(inode: inode, size: size, modified: modified))
  }
}

/// The moves of files that one undo took back, which are made again when the rest of it fails.
final class FileReversals {
  private let revert: ChangeLog.FileReverter
  private var done: [FileMove] = []

  init(_ revert: @escaping ChangeLog.FileReverter) {
    self.revert = revert
  }

  /// Takes back a move; gives the move that did so.
  func takeBack(_ move: FileMove) throws -> FileMove {
    let back = try revert(move)
    done.append(back)
    return back
  }

  /// Makes all of them again, because of an error.
  ///
  /// - Throws: The error, or `io` when a file stays where it is.
  func abandon(_ error: any Error) throws -> Never {
    for move in done.reversed() {
      do { _ = try revert(move) } catch let second {
        throw StoreError(
          .io, "\(error); \(move.to) had been moved back by then, and stays so (\(second))")
      }
    }
    throw error
  }
}
