package import CEL
package import Items

/// A change with what it made of properties.
package struct ChangeEntry {
  package let change: Change
  package let properties: [PropertyChange]

  package init(_ change: Change, _ properties: [PropertyChange]) {
    self.change = change
    self.properties = properties
  }

  /// The change for another program.
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
  /// What was done, whether to one item or to many.
  package var verb: String {
    switch self {
    case .create, .createMany: "create"
    case .update: "update"
    case .delete, .deleteMany: "delete"
    case .moveFile: "move"
    }
  }
}
