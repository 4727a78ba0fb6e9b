package import CEL
package import Items

/// A change with the old and new values of its properties.
package struct ChangeEntry {
  package let change: Change
  package let properties: [PropertyChange]

  package init(_ change: Change, _ properties: [PropertyChange]) {
    self.change = change
    self.properties = properties
  }

  /// The entry for machine-readable output.
  package var value: Value {
    let isItem = change.kind != .moveFile
    return .record(
      [
        "number": change.sequence, "group": change.group, "time": change.time,
        "change": change.kind.verb, "entity": isItem ? change.entity : nil,
        "first": isItem ? change.id : nil, "last": isItem ? max(change.id, change.last) : nil,
      ], change.move.map { ["from": $0.from, "to": $0.to] } ?? [:],
      [
        "by": change.cause, "run": change.run, "undone": change.isUndone,
        "properties": properties.map { property in
          Value.record(["name": property.name, "old": property.old, "new": property.new])
        },
      ])
  }
}

extension Change.Kind {
  /// The verb, the same for one item and for many.
  package var verb: String {
    switch self {
    case .create, .createMany: "create"
    case .update: "update"
    case .delete, .deleteMany: "delete"
    case .moveFile: "move"
    }
  }
}
