package import Items

/// What an undo took back, in words.
package struct UndoSummary {
  /// How many changes of one kind are told one by one.
  private static let limit = 10

  private let changes: [Change]

  /// A summary of changes, the latest first.
  package init(_ changes: [Change]) {
    self.changes = changes
  }

  /// A line for each change, or for all of a kind where there are many.
  package var lines: [String] {
    var groups: [(key: Key, changes: [Change])] = []
    var positions: [Key: Int] = [:]
    for change in changes {
      let key = Key(change)
      if let position = positions[key] {
        groups[position].changes.append(change)
      } else {
        positions[key] = groups.count
        groups.append((key, [change]))
      }
    }
    return groups.flatMap { key, changes in
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

  /// The creation, change or deletion of items; many creations are told like one.
  private struct Key: Hashable {
    /// What was done; nil for files that were moved.
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
      move.kind == .trash
        ? "putting \(move.from) in the trash" : "the move of \(move.from) to \(move.to)"
    }
  }

  /// The numbers of the items, those that follow one another as one range.
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
