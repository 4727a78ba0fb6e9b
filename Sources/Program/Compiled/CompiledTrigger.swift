package import CEL
package import Items

/// What sets an automation off, ready to be waited for.
package struct CompiledTrigger {
  /// What happens.
  package enum Event {
    /// Again and again, after so many microseconds.
    case every(Int64)
    /// At a time of day, on days that recur.
    case days(DaySchedule)
    /// At the times of a line of cron.
    case cron(CronPattern)
    /// An item of an entity is created.
    case created(entity: String)
    /// An item of an entity is changed.
    case changed(entity: String)
    /// A file comes into a folder, or is written there.
    case file(folder: String, match: String?)
    /// Something of one of some kinds is shared.
    case share(types: [String])
  }

  package let event: Event
  /// What tells it from every other one of its automation, and from itself once it is another.
  package let key: String
  /// The word that it begins with, and what steps know it by.
  package let kind: String
  package let id: String
  /// What must hold for the item now; `self` stands in the slot.
  package let condition: (expression: CompiledExpression, selfSlot: Int)?
  /// What must hold for the item as it was before.
  package let previousCondition: (expression: CompiledExpression, selfSlot: Int)?

  /// What steps are told of what happened.
  package func value(
    time: Value = .null, item: Value = .null, before: Value = .null, path: Value = .null
  ) -> Value {
    Self.value(kind: kind, id: id, time: time, item: item, before: before, path: path)
  }

  /// What steps are told when a person runs an automation.
  static let byHand = value(
    kind: "manual", id: "manual", time: .null, item: .null, before: .null, path: .null)

  private static func value(
    kind: String, id: String, time: Value, item: Value, before: Value, path: Value
  ) -> Value {
    .map(
      MapValue([
        ("kind", .string(kind)), ("id", .string(id)), ("item", item), ("before", before),
        ("path", path), ("time", time),
      ]))
  }
}
