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
      if key.kind == .moveFile { return Self.lines(moves: changes.compactMap(\.move)) }
      let ranges = Self.joined(changes)
      if ranges.count <= Self.limit { return ranges.map { Self.line(key, $0) } }
      return [Self.line(key, count: ranges.reduce(0) { $0 + $1.count })]
    }
  }

  /// Whose creation, change or deletion it is.
  private struct Key: Hashable {
    let kind: Change.Kind
    let entity: String

    /// Many creations are told like one.
    init(_ change: Change) {
      kind =
        switch change.kind {
        case .createMany: .create
        case .deleteMany: .delete
        default: change.kind
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

  private static func line(_ key: Key, _ ids: ClosedRange<Int64>) -> String {
    let first = "\(key.entity):\(ids.lowerBound)"
    let items = ids.count == 1 ? first : "\(first) to \(key.entity):\(ids.upperBound)"
    return switch key.kind {
    case .create, .createMany: "the creation of \(items)"
    case .update: "a change of \(items)"
    case .delete, .deleteMany: "the deletion of \(items)"
    case .moveFile: "the move of a file"
    }
  }

  private static func line(_ key: Key, count: Int) -> String {
    switch key.kind {
    case .create, .createMany: "the creation of \(count) items of the kind \(key.entity)"
    case .update: "\(count) changes of items of the kind \(key.entity)"
    case .delete, .deleteMany: "the deletion of \(count) items of the kind \(key.entity)"
    case .moveFile: "the moves of \(count) files"
    }
  }
}
