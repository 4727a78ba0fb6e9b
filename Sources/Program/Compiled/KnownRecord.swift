package import CEL

/// The maps whose keys the language says (docs/language.md).
package enum KnownRecord {
  /// An error, as `catch` and `finally` see it.
  package static let error = RecordType(
    "an error",
    [
      .init("code", .string), .init("message", .string), .init("step", .string),
      .init("data", .dyn), .init("cause", .dyn),
    ])

  /// What `settle` gives of a branch, or of the pass for an item; `ok` tells which of the two is
  /// there.
  package static func settled(_ value: CELType, item: CELType? = nil) -> RecordType {
    let fields: [RecordType.Field] = [
      .init("ok", .bool), .init("value", value.orNull, isPresumed: true),
      .init("error", .nullable(.record(error)), isPresumed: true),
    ]
    return RecordType(
      "a result of `settle`", (item.map { [.init("item", $0)] } ?? []) + fields)
  }

  /// An entry of a map, as `for` goes through it.
  package static func entry(of value: CELType) -> RecordType {
    RecordType("an entry of a map", [.init("key", .string), .init("value", value)])
  }

  /// The trigger of an automation.
  package static func trigger(item: CELType) -> RecordType {
    RecordType(
      "`trigger`",
      [
        .init("kind", .string), .init("id", .string),
        .init("item", item.orNull, isPresumed: true),
        .init("before", item.orNull, isPresumed: true),
        .init("path", .nullable(.string), isPresumed: true),
        .init("time", .nullable(.timestamp), isPresumed: true),
      ])
  }
}
