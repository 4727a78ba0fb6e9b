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
    var round = Round(
      repetition: repetition, day: next.day,
      days: next.day.daysSinceEpoch - (due ?? today).daysSinceEpoch)
    var whole = opened(before, round, in: table)
    whole.values[repetition.rule] = .string(next.rule.text)
    if case .null = whole.values[repetition.day] {
      whole.values[repetition.day] =
        context.world.midnight(next.day.iso8601).map(Value.timestamp) ?? .null
    }
    guard let new = try insertSuccessor(whole, of: uid, round, in: table) else { return }
    round.places[id] = new
    round.opened.append(new)
    try repeatParts(of: id, as: new, &round, in: table, depth: 0)
    try orderOpened(round, in: table)
  }

  /// The successor of a done item, and the items that come with it.
  private struct Round {
    let repetition: EntitySchema.Repetition
    /// The day of the successor, and its distance to the day of the item.
    let day: CivilDate
    let days: Int
    /// The ids of items of this round, by those of the items that they continue.
    var places: [Int64: Int64] = [:]
    /// The items that begin anew.
    var opened: [Int64] = []
  }

  /// The greatest depth of parts of parts that are repeated.
  private static let deepest = 20

  /// Moves the open parts of an item to its successor, and repeats those that are done.
  ///
  /// - Parameter new: The successor; the item itself if it is a part that was moved.
  private func repeatParts(
    of whole: Int64, as new: Int64, _ round: inout Round, in table: EntityTable, depth: Int
  ) throws {
    let repetition = round.repetition
    guard depth < Self.deepest, let parts = repetition.parts else { return }
    let ids = try connection.numbers(
      """
      SELECT id FROM \(name: table.name) \
      WHERE \(name: table.schema.properties[parts].name) = \(.int(whole)) ORDER BY id
      """)
    for id in ids {
      guard let part = try record(id: id, in: table), let uid = part.uid else { continue }
      let isDone = part.values[repetition.done] == .bool(true)
      if try isDone && successor(of: part, repetition, in: table) != nil { continue }
      // An open part with a rule of its own keeps its days.
      if !isDone, case .string = part.values[repetition.rule] {
        var moved = part
        moved.values[parts] = codec.item(table.name, new)
        try change(part, to: &moved, in: table)
        continue
      }
      var copy = opened(part, round, in: table)
      copy.values[parts] = codec.item(table.name, new)
      var place: Int64? = id
      if isDone, whole != new {
        place = try insertSuccessor(copy, of: uid, round, in: table)
      } else {
        try change(part, to: &copy, in: table)
      }
      guard let place else { continue }
      round.places[id] = place
      round.opened.append(place)
      try repeatParts(of: id, as: place, &round, in: table, depth: depth + 1)
    }
  }

  /// Lets the items of a round wait for those of the same round and for others that are open.
  private func orderOpened(_ round: Round, in table: EntityTable) throws {
    guard let after = round.repetition.after else { return }
    for id in round.opened {
      guard let record = try record(id: id, in: table) else { continue }
      let given = Self.ids(in: record.values[after])
      if given.isEmpty { continue }
      var ids: [Int64] = []
      for old in given {
        if let id = try round.places[old] ?? open(old, round.repetition, in: table),
          !ids.contains(id)
        {
          ids.append(id)
        }
      }
      var changed = record
      changed.values[after] = .list(ids.map { codec.item(table.name, $0) })
      try change(record, to: &changed, in: table)
    }
  }

  /// The id of an item if it is open, or else that of the open one that follows it; nil for none.
  private func open(
    _ id: Int64, _ repetition: EntitySchema.Repetition, in table: EntityTable
  ) throws -> Int64? {
    var next = try record(id: id, in: table)
    for _ in 0..<Self.longestDistance {
      guard let record = next else { return nil }
      if record.values[repetition.done] != .bool(true) { return record.id }
      next = try successor(of: record, repetition, in: table)
    }
    return nil
  }

  /// The greatest distance in days at which the successor of an item is looked for.
  private static let longestDistance = 1_500

  /// The successor of an item, recognized by its global id; nil if it has none.
  private func successor(
    of record: Record, _ repetition: EntitySchema.Repetition, in table: EntityTable
  ) throws -> Record? {
    guard let uid = record.uid,
      let first = day(record.values[repetition.day])
        ?? record.createdAt.flatMap({ day(.timestamp($0)) })
    else { return nil }
    let uids = (1...Self.longestDistance).map { distance -> SQL in
      "\(.blob(uid.successor(on: first.adding(days: distance)).bytes))"
    }
    let id = try connection.number(
      """
      SELECT id FROM \(name: table.name) \
      WHERE uid IN (\(SQL.joined(uids, separator: ", "))) LIMIT 1
      """)
    return try id.flatMap { try self.record(id: $0, in: table) }
  }

  /// A record that begins anew, some days later.
  private func opened(_ record: Record, _ round: Round, in table: EntityTable) -> Record {
    var copy = record
    copy.values[round.repetition.done] = .bool(false)
    for index in [round.repetition.day] + round.repetition.moves {
      copy.values[index] = moved(copy.values[index], by: round.days)
    }
    for (index, property) in table.schema.properties.enumerated() {
      copy.values[index] = Self.withoutFixed(copy.values[index], of: property.type)
    }
    return copy
  }

  /// Adds a record as the successor of an item; returns its id, or nil if it is there already.
  private func insertSuccessor(
    _ record: Record, of uid: GlobalID, _ round: Round, in table: EntityTable
  ) throws -> Int64? {
    let new = uid.successor(on: round.day)
    if try item(uid: new, in: table) { return nil }
    let copy = Record(
      id: nil, uid: new, createdAt: nil, updatedAt: nil, values: record.values)
    return try insertShared(copy, identity: nil, in: table).id
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
