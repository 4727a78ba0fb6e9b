import Store

/// What an undo took back, in words.
struct UndoSummary {
  /// How many changes of one kind are told one by one.
  private static let limit = 10

  private let changes: [Change]

  /// A summary of changes, the latest first.
  init(_ changes: [Change]) {
    self.changes = changes
  }

  /// A line for each change, or for all of a kind where there are many.
  var lines: [String] {
    var counts: [Key: (changes: Int, items: Int)] = [:]
    for change in changes {
      let (number, items) = counts[Key(change)] ?? (0, 0)
      counts[Key(change)] = (number + 1, items + Int(change.last - change.id) + 1)
    }
    var told: Set<Key> = []
    return changes.compactMap { change in
      let key = Key(change)
      guard let (number, items) = counts[key], number > Self.limit else {
        return Self.line(change)
      }
      return told.insert(key).inserted ? Self.line(key, items) : nil
    }
  }

  private struct Key: Hashable {
    let kind: Change.Kind
    let entity: String

    init(_ change: Change) {
      kind = change.kind
      entity = EntitySchema.kind(of: change.entity)
    }
  }

  private static func line(_ change: Change) -> String {
    let kind = EntitySchema.kind(of: change.entity)
    return switch change.kind {
    case .create: "the creation of \(kind):\(change.id)"
    case .update: "a change of \(kind):\(change.id)"
    case .delete: "the deletion of \(kind):\(change.id)"
    case .createMany: "the creation of \(kind):\(change.id) to \(kind):\(change.last)"
    case .deleteMany: "the deletion of \(kind):\(change.id) to \(kind):\(change.last)"
    }
  }

  private static func line(_ key: Key, _ count: Int) -> String {
    switch key.kind {
    case .create, .createMany: "the creation of \(count) items of the kind \(key.entity)"
    case .update: "\(count) changes of items of the kind \(key.entity)"
    case .delete, .deleteMany: "the deletion of \(count) items of the kind \(key.entity)"
    }
  }
}
