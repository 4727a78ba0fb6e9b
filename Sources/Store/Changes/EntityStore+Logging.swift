import CEL
import Items
import JSON

extension EntityStore {
  /// After how many entries the log is made shorter again.
  private static let pruningInterval: Int64 = 256

  /// Notes a change in the log.
  ///
  /// - Parameters:
  ///   - before: What the item was, as far as it is needed to take the change back.
  ///   - after: What the item is now, as far as it is told.
  func log(
    _ kind: Change.Kind, _ entity: String, id: Int64, last: Int64? = nil,
    before: [(String, SQLValue)]? = nil, after: [(String, SQLValue)]? = nil
  ) throws {
    try log(
      kind, entity, id: id, last: last ?? id, before: before.map(Self.json),
      after: after.map(Self.json))
  }

  /// Notes a change in the log, with what it keeps as JSON.
  func log(
    _ kind: Change.Kind, _ entity: String, id: Int64, last: Int64, before: String?, after: String?
  ) throws {
    try extendLog()
    try connection.withStatement(
      """
      INSERT INTO errand_changes \
      (batch, time, kind, entity, id, last, cause, before, run, reverts, after) \
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """
    ) { statement in
      try statement.bind(log.group ?? 0, at: 1)
      try statement.bind(context.now().microseconds, at: 2)
      try statement.bind(kind.rawValue, at: 3)
      try statement.bind(entity, at: 4)
      try statement.bind(id, at: 5)
      try statement.bind(last, at: 6)
      try statement.bind(log.cause, at: 7)
      try statement.bind(before.map(SQLValue.text) ?? .null, at: 8)
      try statement.bind(run.map { .text($0.id) } ?? .null, at: 9)
      try statement.bind(log.reverted.map(SQLValue.int) ?? .null, at: 10)
      try statement.bind(after.map(SQLValue.text) ?? .null, at: 11)
      _ = try statement.step()
    }
    let sequence = connection.lastInsertedID
    if log.group == nil {
      log.group = sequence
      try connection.run(
        "UPDATE errand_changes SET batch = sequence WHERE sequence = \(.int(sequence))")
    }
    // What is about to be taken back may not be forgotten meanwhile, nor the beginning of a change
    // that is not over.
    if sequence % Self.pruningInterval == 0, !log.isReverting {
      _ = try pruneChanges(before: log.group ?? sequence, keeping: Self.keptChanges)
    }
  }

  /// Gives a log of an earlier release the columns that this one writes; the earlier one goes on
  /// writing its own.
  private func extendLog() throws {
    if log.isExtended { return }
    if metadata["log"] != "2" {
      let names = try connection.columnNames(of: "errand_changes")
      for (name, type) in StoreOpener.laterLogColumns where !names.contains(name) {
        try connection.run("ALTER TABLE errand_changes ADD COLUMN \(raw: name) \(raw: type)")
      }
    }
    log.isExtended = true
  }

  /// - Throws: `bug` when the columns have no form in JSON; without it nothing could be taken back.
  static func json(_ columns: [(String, SQLValue)]) throws -> String {
    try text(of: value(of: columns))
  }

  /// The text of what the log keeps.
  ///
  /// - Throws: `bug`.
  static func text(of value: Value) throws -> String {
    do {
      return try JSONWriter().text(of: value)
    } catch {
      throw StoreError(.bug, "what a change replaced cannot be written to the log (\(error))")
    }
  }

  /// Columns as an object of the log.
  static func value(of columns: [(String, SQLValue)]) -> Value {
    let fields = columns.map { name, column -> (String, Value) in
      let value: Value =
        switch column {
        case .null: .null
        case .int(let int): .int(int)
        case .double(let number): .double(number)
        case .text(let text): .string(text)
        case .blob(let bytes): PackedText.logged(bytes)
        }
      return (name, value)
    }
    return .map(MapValue(fields))
  }
}
