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
    var map = MapValue([
      ("number", .int(change.sequence)), ("group", .int(change.group)),
      ("time", .timestamp(change.time)), ("change", .string(change.kind.verb)),
    ])
    let isItem = change.kind != .moveFile
    map["entity"] = isItem ? .string(change.entity) : .null
    map["first"] = isItem ? .int(change.id) : .null
    map["last"] = isItem ? .int(max(change.id, change.last)) : .null
    if let move = change.move {
      map["from"] = .string(move.from)
      map["to"] = .string(move.to)
    }
    map["by"] = .string(change.cause)
    map["run"] = change.run.map(Value.string) ?? .null
    map["undone"] = .bool(change.isUndone)
    map["properties"] = .list(properties.map(Self.value))
    return .map(map)
  }

  private static func value(_ property: PropertyChange) -> Value {
    .map(
      MapValue([
        ("name", .string(property.name)), ("old", property.old), ("new", property.new ?? .null),
      ]))
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
