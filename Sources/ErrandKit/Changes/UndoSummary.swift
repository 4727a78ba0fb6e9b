package import Items

/// The text that summarizes an undo.
package struct UndoSummary {
  /// The number of changes of one kind up to which each has its own line.
  private static let limit = 10

  private let changes: [Change]

  /// Creates a summary of changes, latest first.
  package init(_ changes: [Change]) { self.changes = changes }

  /// One line for each change; one for all changes of a kind if there are many.
  package var lines: [String] {
    let groups = Dictionary(grouping: changes, by: Key.init)
    var seen: Set<Key> = []
    return changes.map(Key.init).filter { seen.insert($0).inserted }.flatMap { key in
      let changes = groups[key] ?? []
      guard let noun = key.noun else { return Self.lines(moves: changes.compactMap(\.move)) }
      let ranges = Self.joined(changes)
      guard ranges.count > Self.limit else {
        return ranges.map { ids in
          let first = "\(key.entity):\(ids.lowerBound)"
          let items = ids.count == 1 ? first : "\(first) to \(key.entity):\(ids.upperBound)"
          return "\(key.isUpdate ? "a" : "the") \(noun) of \(items)"
        }
      }
      let count = ranges.reduce(0) { $0 + $1.count }
      return [
        key.isUpdate
          ? "\(count) changes of items of the kind \(key.entity)"
          : "the \(noun) of \(count) items of the kind \(key.entity)"
      ]
    }
  }

  /// The key for grouping changes; bulk creations count as creations.
  private struct Key: Hashable {
    /// The noun; nil for moved files.
    let noun: String?
    let entity: String
    var isUpdate: Bool { noun == "change" }

    init(_ change: Change) {
      noun =
        switch change.kind {
        case .create, .createMany: "creation"
        case .update: "change"
        case .delete, .deleteMany: "deletion"
        case .moveFile: nil
        }
      entity = EntitySchema.kind(of: change.entity)
    }
  }

  private static func lines(moves: [FileMove]) -> [String] {
    if moves.count > limit { return ["the moves of \(moves.count) files"] }
    return moves.map { move in
      switch move.kind {
      case .trash: "putting \(move.from) in the trash"
      case .folder, .removal: "making the folder \(move.to)"
      case .move, .restore: "the move of \(move.from) to \(move.to)"
      }
    }
  }

  /// The ids of the items, with consecutive ones joined to ranges.
  private static func joined(_ changes: [Change]) -> [ClosedRange<Int64>] {
    var ranges: [ClosedRange<Int64>] = []
    for change in changes {
      let range = change.id...max(change.id, change.last)
      if change.kind != .update, let last = ranges.last, range.upperBound + 1 == last.lowerBound {
        ranges[ranges.count - 1] = range.lowerBound...last.upperBound
      } else {
        ranges.append(range)
      }
    }
    return ranges
  }
}
