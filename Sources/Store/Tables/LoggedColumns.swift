import CEL
import Items
import JSON

/// Columns of items as the log of changes keeps them.
enum LoggedColumns {
  /// The error for an entry that can't be read.
  static var damage: StoreError {
    StoreError(.corrupt, "the log of changes is damaged, so that nothing was taken back")
  }

  // MARK: Reading

  /// The names and the columns that an entry of the log keeps.
  ///
  /// - Throws: `corrupt`.
  static func read(_ text: String?) throws -> [(name: String, value: Value)] {
    // That it is no JSON is the answer.
    guard let text, case .map(let map)? = try? JSONParser().parse(text) else {
      throw damage
    }
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
  static func of(
    _ row: Statement, _ names: [String], from first: Int32
  ) -> [(String, SQLValue)] {
    names.enumerated().map { index, name in
      let value = row.value(first + Int32(index))
      guard name == "uid", case .blob(let bytes) = value else { return (name, value) }
      return (name, .text(GlobalID(bytes: bytes)?.text ?? ""))
    }
  }

  /// The text of columns.
  ///
  /// - Throws: `bug` when they have no form in JSON; without it nothing could be taken back.
  static func text(_ columns: [(String, SQLValue)]) throws -> String {
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
