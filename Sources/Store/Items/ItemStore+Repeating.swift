import CEL
import Items

/// Successors of repeating items, and references that may not form a circle.
extension ItemStore {
  /// Gives an item that is being done its successor, to which its rule moves.
  ///
  /// The successor has a global id made from that of the item and its day, so that two machines that do
  /// the item without knowing of each other make one. Its parts are repeated with it.
  func repeatDone(_ stored: Record, _ changed: inout Record, in table: EntityTable) throws {
    guard let repetition = table.schema.repetition, let id = stored.id, let uid = stored.uid,
      stored.values[repetition.done] != .bool(true),
      changed.values[repetition.done] == .bool(true),
      case .string(let text) = changed.values[repetition.rule], let rule = RepeatRule(text),
      let today = CivilDate(iso8601: context.world.dateText(context.world.now()))
    else { return }
    let due = day(changed.values[repetition.day])
    let holidays = context.rules.holidays() ?? .none
    let next = rule.next(due: due ?? today, done: today, holidays)
    let before = changed
    changed.values[repetition.rule] = .null
    guard let next else { return }
    let days = next.day.daysSinceEpoch - (due ?? today).daysSinceEpoch
    func successor(of record: Record, _ uid: GlobalID) throws -> Record? {
      let new = uid.successor(on: next.day)
      if try item(uid: new, in: table) { return nil }
      var copy = Record(
        id: nil, uid: new, createdAt: nil, updatedAt: nil, values: record.values)
      copy.values[repetition.done] = .bool(false)
      for index in [repetition.day] + repetition.moves {
        copy.values[index] = moved(copy.values[index], by: days)
      }
      for (index, property) in table.schema.properties.enumerated() {
        copy.values[index] = Self.withoutFixed(copy.values[index], of: property.type)
      }
      return copy
    }
    guard var whole = try successor(of: before, uid) else { return }
    whole.values[repetition.rule] = .string(next.rule.text)
    if case .null = whole.values[repetition.day] {
      whole.values[repetition.day] =
        context.world.midnight(next.day.iso8601).map(Value.timestamp) ?? .null
    }
    let made = try insertShared(whole, identity: nil, in: table)
    guard let parts = repetition.parts, let whole = made.id else { return }
    try repeatParts(of: id, as: whole, parts, in: table, depth: 0, successor)
  }

  /// The greatest depth of parts of parts that are repeated.
  private static let deepest = 20

  private func repeatParts(
    of whole: Int64, as new: Int64, _ parts: Int, in table: EntityTable, depth: Int,
    _ successor: (Record, GlobalID) throws -> Record?
  ) throws {
    guard depth < Self.deepest else { return }
    let ids = try connection.numbers(
      """
      SELECT id FROM \(name: table.name) \
      WHERE \(name: table.schema.properties[parts].name) = \(.int(whole)) ORDER BY id
      """)
    for id in ids {
      guard let part = try record(id: id, in: table), let uid = part.uid,
        var copy = try successor(part, uid)
      else { continue }
      copy.values[parts] = codec.item(table.name, new)
      guard let made = try insertShared(copy, identity: nil, in: table).id else { continue }
      try repeatParts(of: id, as: made, parts, in: table, depth: depth + 1, successor)
    }
  }

  /// Reminders without those at a fixed time, which was that of the item before.
  private static func withoutFixed(_ value: Value, of type: DataType) -> Value {
    guard type.isOfReminders, case .list(let reminders) = value, !reminders.isEmpty else {
      return value
    }
    let kept = reminders.filter { reminder in
      guard case .string(let text) = reminder else { return true }
      return ReminderRule(text)?.isFixed == false
    }
    return .list(kept.isEmpty ? [.string(ReminderRule.atDue.text)] : kept)
  }

  /// Whether an item has a global id.
  private func item(uid: GlobalID, in table: EntityTable) throws -> Bool {
    try connection.exists(
      "SELECT 1 FROM \(name: table.name) WHERE uid = \(.blob(uid.bytes))")
  }

  /// The day of a value; nil for none.
  private func day(_ value: Value) -> CivilDate? {
    guard case .timestamp(let moment) = value else { return nil }
    return CivilDate(iso8601: context.world.dateText(moment))
  }

  /// A day or a moment some days later, at the same local time.
  private func moved(_ value: Value, by days: Int) -> Value {
    guard case .timestamp(let moment) = value, let day = day(value),
      let start = context.world.midnight(day.adding(days: days).iso8601)
    else { return value }
    return .timestamp(moment.isDay ? start : context.world.sameTime(moment, start))
  }

  // MARK: Circles

  /// The most items that are looked at for a circle.
  private static let mostReferred = 10_000

  /// Checks that an item does not come to refer to itself.
  ///
  /// - Throws: `invalidValue`.
  func expectAcyclic(_ stored: Record, _ changed: Record, in table: EntityTable) throws {
    guard let id = stored.id else { return }
    for (index, property) in table.schema.properties.enumerated()
    where property.isAcyclic && !isSame(stored.values[index], changed.values[index]) {
      var seen: Set<Int64> = []
      var open = Self.ids(in: changed.values[index])
      while let next = open.popLast(), seen.count < Self.mostReferred {
        if next == id {
          throw StoreError(
            .invalidValue,
            "\(ItemReference(entity: table.name, id: id)) would refer to itself: its "
              + "`\(property.name)` must not lead back to it")
        }
        guard seen.insert(next).inserted, let record = try record(id: next, in: table) else {
          continue
        }
        open += Self.ids(in: record.values[index])
      }
    }
  }

  private static func ids(in value: Value) -> [Int64] {
    switch value {
    case .object(let object): (object as? Item)?.id.map { [$0] } ?? []
    case .list(let values): values.flatMap(ids)
    default: []
    }
  }
}
