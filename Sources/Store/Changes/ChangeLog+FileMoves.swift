import CEL
package import Items
import JSON

/// File moves in the change log, so that `undo` reverts them with the rest of a run.
extension ChangeLog {
  /// Reverts a move; returns the reverse move.
  ///
  /// - Throws: When the file has changed since, or its old path is taken.
  package typealias FileReverter = (FileMove) throws -> FileMove

  /// Logs the move of a file as part of the run.
  ///
  /// Does not wait for fsync: the move itself is not durable yet either.
  package func note(_ move: FileMove) throws {
    try database.apart { try database.transaction(waitsForDisk: false) { try log(move) } }
  }

  private func log(_ move: FileMove) throws {
    try log(.moveFile, FileMove.entity, id: 1, last: 1, before: nil, after: move.logged)
  }

  /// Reverts the file moves among the steps of a group, latest first.
  func takeBackMoves(_ steps: [UndoStep], of group: Int64, _ files: FileReversals) throws {
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

  /// The states of files after an undo or redo moved them back, by path.
  ///
  /// On another disk, a file that was moved back is a copy with another inode.
  private func movedBackStates(after group: Int64) throws -> [String: FileMove.State] {
    var states: [String: FileMove.State] = [:]
    try connection.each(
      """
      SELECT after FROM errand_changes WHERE kind = \(.int(Change.Kind.moveFile.rawValue)) \
      AND sequence > \(.int(group)) AND cause IN ('undo', 'redo') ORDER BY sequence
      """
    ) { row in
      if let move = FileMove(logged: row.text(0)) { states[move.to] = move.state }
    }
    return states
  }
}

/// The log format of file moves.
extension FileMove {
  /// The entity name of such entries; no entity is called that.
  static let entity = ""

  /// The move as JSON.
  ///
  /// - Throws: `bug`.
  var logged: String {
    get throws {
      try LoggedColumns.text([
        ("kind", .text(kind.rawValue)), ("from", .text(from)), ("to", .text(to)),
        ("inode", .int(state.inode)), ("size", .int(state.size)),
        ("modified", .int(state.modified)),
      ])
    }
  }

  /// Parses a logged move; nil when it is damaged.
  init?(logged text: String) {
    // Invalid JSON means damage.
    guard case .map(let map)? = try? JSONParser().parse(text),
      case .string(let word)? = map["kind"], let kind = Kind(rawValue: word),
      case .string(let from)? = map["from"], case .string(let to)? = map["to"],
      case .int(let inode)? = map["inode"], case .int(let size)? = map["size"],
      case .int(let modified)? = map["modified"]
    else { return nil }
    self.init(
      kind: kind, from: from, to: to, state: State(inode: inode, size: size, modified: modified))
  }
}

/// The file moves reverted by one undo; they are redone when the rest of it fails.
final class FileReversals {
  private let revert: ChangeLog.FileReverter
  private var done: [FileMove] = []

  init(_ revert: @escaping ChangeLog.FileReverter) { self.revert = revert }

  /// Reverts a move; returns the reverse move.
  func takeBack(_ move: FileMove) throws -> FileMove {
    let back = try revert(move)
    done.append(back)
    return back
  }

  /// Redoes all of them because of an error.
  ///
  /// - Throws: The error, or `io` when a file cannot be moved again.
  func abandon(_ error: any Error) throws -> Never {
    for move in done.reversed() {
      do { _ = try revert(move) } catch let second {
        throw StoreError(
          .io, "\(error); \(move.to) had already been moved back and remains there (\(second))")
      }
    }
    throw error
  }
}
