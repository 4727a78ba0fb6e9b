import CEL
import Items
import JSON

/// Item columns as encoded in the change log.
enum LoggedColumns {
  /// The error for an unreadable entry.
  static var damage: StoreError {
    StoreError(.corrupt, "the log of changes is damaged; nothing was undone")
  }

  // MARK: Reading

  /// The names and columns of a log entry.
  ///
  /// - Throws: `corrupt`.
  static func read(_ text: String?) throws -> [(name: String, value: Value)] {
    // Invalid JSON is reported as damage.
    guard let text, case .map(let map)? = try? JSONParser().parse(text) else { throw damage }
    return of(map)
  }

  /// The columns of an object in the log.
  static func of(_ map: MapValue) -> [(name: String, value: Value)] {
    map.entries.compactMap { key, value in
      if case .string(let name) = key { (name, PackedText.unlogged(value)) } else { nil }
    }
  }

  // MARK: Writing

  /// The columns of a row, the global id as text.
  static func of(_ row: Statement, _ names: [String], from first: Int32) -> [(String, SQLValue)] {
    names.enumerated().map { index, name in
      let value = row.value(first + Int32(index))
      guard name == "uid", case .blob(let bytes) = value else { return (name, value) }
      return (name, .text(GlobalID(bytes: bytes)?.text ?? ""))
    }
  }

  /// The text of columns.
  ///
  /// - Throws: `bug` for values without a JSON form; they could not be undone.
  static func text(_ columns: [(String, SQLValue)]) throws -> String {
    try text(of: value(of: columns))
  }

  /// The JSON text of a logged value.
  ///
  /// - Throws: `bug`.
  static func text(of value: Value) throws -> String {
    do { return try JSONWriter().text(of: value) } catch {
      throw StoreError(.bug, "cannot write the replaced values of a change to the log (\(error))")
    }
  }

  /// Columns as a logged object.
  static func value(of columns: [(String, SQLValue)]) -> Value {
    .map(MapValue(columns.map { ($0, value(of: $1)) }))
  }

  /// A column as plain JSON.
  static func value(of column: SQLValue) -> Value {
    switch column {
    case .null: .null
    case .int(let int): .int(int)
    case .double(let number): .double(number)
    case .text(let text): .string(text)
    case .blob(let bytes): PackedText.logged(bytes)
    }
  }
}
