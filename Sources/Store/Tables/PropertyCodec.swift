package import CEL
package import Items
import JSON

/// Validates values against a declared type and converts them to and from columns.
package struct PropertyCodec {
  /// The maximum length of a text, in bytes.
  static let maximumText = 16 << 20
  /// The maximum nesting of lists and maps.
  static let maximumDepth = 64

  let dateText: (Timestamp) -> String
  let midnight: (String) -> Timestamp?
  /// The item of an entity with an id.
  let item: (_ entity: String, _ id: Int64) -> Value

  // MARK: Checking

  /// The value as the store will return it.
  ///
  /// Null must be handled before.
  /// - Throws: The reason why the value does not fit.
  func fit(_ value: Value, to type: DataType, depth: Int = 0) throws(TypeMismatch) -> Value {
    guard depth < Self.maximumDepth else { throw TypeMismatch("is nested too deeply") }
    switch (type, value) {
    case (.string, .string(let text)), (.url, .string(let text)), (.file, .string(let text)):
      return .string(try checked(text))
    case (.refined(let type), _):
      if let refined = type.value(of: value) { return refined }
      throw TypeMismatch("is not \(type.noun) such as \(type.examples)")
    case (.enumeration(let values), .string(let text)):
      guard values.contains(where: { $0.utf8.elementsEqual(text.utf8) }) else {
        throw TypeMismatch("must be one of \(values.joined(separator: ", "))")
      }
      return value
    case (.int, .int), (.bool, .bool): return value
    case (.int, .uint(let number)):
      guard let int = Int64(exactly: number) else { throw TypeMismatch("is too large for an int") }
      return .int(int)
    case (.double, .int(let int)): return .double(Double(int))
    case (.double, .double(let number)):
      guard !number.isNaN else { throw TypeMismatch("must not be NaN") }
      return value
    case (.timestamp, .timestamp(let moment)):
      guard moment.isInRange else { throw TypeMismatch("is not in the years 1 to 9999") }
      return .timestamp(Timestamp(microseconds: moment.microseconds))
    case (.date, .timestamp(let moment)):
      guard let day = midnight(dateText(moment)) else { throw TypeMismatch("is not a date") }
      return .timestamp(day)
    case (.date, .string(let text)):
      guard let day = midnight(text) else { throw TypeMismatch("is not a date like 2026-11-20") }
      return .timestamp(day)
    case (.when, .timestamp(let moment)):
      if moment.isDay { return try fit(value, to: .date) }
      guard moment.isInRange else { throw TypeMismatch("is not in the years 1 to 9999") }
      return .timestamp(Timestamp(seconds: moment.seconds, skipped: moment.skipped))
    case (.when, .string(let text)):
      guard let time = when(text) else {
        throw TypeMismatch("is not a date or a time like 2026-11-20T14:00:00Z")
      }
      return try fit(.timestamp(time), to: .when)
    case (.duration, .duration(let length)): return .duration(length.roundedToMicroseconds)
    case (.list(let element), .list(let values)):
      var fitted: [Value] = []
      fitted.reserveCapacity(values.count)
      for value in values { fitted.append(try fitPart(value, to: element, depth: depth + 1)) }
      return .list(fitted)
    case (.map(let element), .map(let map)):
      var fitted = MapValue()
      for (key, value) in map.entries {
        guard case .string(let name) = key else { throw TypeMismatch("has a key that is not text") }
        fitted[.string(try checked(name))] = try fitPart(value, to: element, depth: depth + 1)
      }
      return .map(fitted)
    case (.entity(let entity), .object(let object)):
      guard let item = object as? Item, item.entity == entity else {
        throw TypeMismatch("must be of the entity \(entity)")
      }
      guard item.id != nil else { throw TypeMismatch("must be saved first") }
      return value
    case (.any, _), (.share, .map): return try fitAny(value, depth: depth)
    default: throw TypeMismatch("must be of type \(type.description)")
    }
  }

  /// An element of a list or a map as the store will return it.
  private func fitPart(_ value: Value, to type: DataType, depth: Int) throws(TypeMismatch) -> Value
  {
    if case .null = value, type != .any { throw TypeMismatch("contains null") }
    return try fit(value, to: type, depth: depth)
  }

  /// A value of type `any` as the store will return it.
  private func fitAny(_ value: Value, depth: Int) throws(TypeMismatch) -> Value {
    switch value {
    case .null, .bool: return value
    case .int, .uint: return try fit(value, to: .int)
    case .double(let number):
      guard number.isFinite else {
        throw TypeMismatch("contains a number that JSON cannot represent")
      }
      return value
    case .string: return try fit(value, to: .string)
    case .timestamp: return try fit(value, to: .timestamp)
    case .duration: return try fit(value, to: .duration)
    case .bytes(let bytes):
      try expectLength(bytes.count)
      return value
    case .list: return try fit(value, to: .list(.any), depth: depth)
    case .map(let map):
      if map[.string(AnyValueCoder.tag)] != nil {
        throw TypeMismatch("has the key `\(AnyValueCoder.tag)`, which is reserved")
      }
      return try fit(value, to: .map(.any), depth: depth)
    case .optional(let optional):
      return try fit(optional.wrapped ?? .null, to: .any, depth: depth + 1)
    case .object(let object):
      guard let item = object as? Item, let reference = item.reference else {
        throw TypeMismatch("contains a value that cannot be stored")
      }
      return .string(reference.description)
    case .type: throw TypeMismatch("contains a value that cannot be stored")
    }
  }

  /// The day or the moment of a text; nil for another.
  private func when(_ text: String) -> Timestamp? { WhenText.timestamp(text, midnight: midnight) }

  private func checked(_ text: String) throws(TypeMismatch) -> String {
    try expectLength(text.utf8.count)
    guard !text.utf8.contains(0) else { throw TypeMismatch("contains a NUL character") }
    return text
  }

  private func expectLength(_ count: Int) throws(TypeMismatch) {
    if count > Self.maximumText {
      throw TypeMismatch("is longer than \(Self.maximumText >> 20) MB")
    }
  }

  // MARK: Columns

  /// The column of a validated value.
  package func column(_ value: Value, of type: DataType) -> SQLValue {
    switch (type, value) {
    case (_, .null): return .null
    case (.list(.string), .list(let values)): return .text(values.isEmpty ? "[]" : json(value))
    case (.list, _), (.map, _), (.any, _), (.share, _): return .text(json(plain(value, of: type)))
    case (_, .string(let text)): return .text(text)
    case (_, .int(let int)): return .int(int)
    case (_, .double(let number)): return .double(number)
    case (_, .bool(let bool)): return .int(bool ? 1 : 0)
    case (.date, .timestamp(let moment)): return .text(dateText(moment))
    case (.when, .timestamp(let moment)):
      return .text(WhenText.text(of: moment, dateText: dateText))
    case (_, .timestamp(let moment)): return .int(moment.microseconds)
    case (_, .duration(let length)): return .int(length.microseconds)
    case (_, .object(let object)): return (object as? Item)?.id.map(SQLValue.int) ?? .null
    default: return .null
    }
  }

  /// The column of a value as stored in a table, where long texts are compressed.
  func stored(_ value: Value, of property: PropertySchema) -> SQLValue {
    if property.isBody, case .string(let text) = value { return PackedText.column(text) }
    return column(value, of: property.type)
  }

  /// The JSON text of a validated value.
  private func json(_ value: Value) -> String {
    // Values that pass `fit` are within the writer's limits.
    (try? JSONWriter(escapesInvisible: false).text(of: value)) ?? ""
  }

  /// A typed value as plain JSON: timestamps and durations as microseconds, items as ids; a value
  /// of type `any` carries a type tag where JSON lacks its type.
  func plain(_ value: Value, of type: DataType) -> Value {
    switch (type, value) {
    case (.list(let element), .list(let values)):
      return .list(values.map { plain($0, of: element) })
    case (.map(let element), .map(let map)):
      return .map(MapValue(map.entries.map { (text($0.key), plain($0.value, of: element)) }))
    case (.any, _), (.share, _): return AnyValueCoder.plain(value)
    case (.double, _), (.bool, _), (_, .null): return value
    default: return LoggedColumns.value(of: column(value, of: type))
    }
  }

  private func text(_ key: Value) -> String {
    if case .string(let text) = key { text } else { "" }
  }

  /// The value of a column.
  ///
  /// - Throws: `corrupt` when its content does not match the type.
  package func value(of type: DataType, in row: Statement, column: Int32) throws(StoreError)
    -> Value
  {
    if row.isNull(column) { return .null }
    switch type {
    case .string:
      if row.isBlob(column) { return .string(PackedText.text(row.blob(column))) }
      return .string(row.text(column))
    case .url, .file, .enumeration: return .string(row.text(column))
    case .int: return .int(row.int(column))
    case .double: return .double(row.double(column))
    case .bool: return .bool(row.int(column) != 0)
    case .timestamp: return .timestamp(Timestamp(microseconds: row.int(column)))
    case .duration: return .duration(DurationValue(microseconds: row.int(column)))
    case .date: return midnight(row.text(column)).map(Value.timestamp) ?? .null
    case .when: return when(row.text(column)).map(Value.timestamp) ?? .null
    case .entity(let entity): return item(entity, row.int(column))
    case .list, .map, .any, .share, .record:
      let text = row.text(column)
      if case .list(.string) = type, let texts = Self.plainTexts(text) { return .list(texts) }
      guard let parsed = try? JSONParser().parse(text) else {
        throw StoreError(.corrupt, "a stored \(type.description) is not JSON", remedy: .rescue)
      }
      return value(of: type, plain: parsed)
    case .optional(let type): return try value(of: type, in: row, column: column)
    case .refined(let type): return try value(of: type.base, in: row, column: column)
    }
  }

  /// The elements of a JSON array of strings without escapes; nil for any other JSON.
  ///
  /// A fast path: tags nearly always look like this, and a search reads those of many items.
  private static func plainTexts(_ json: String) -> [Value]? {
    if json == "[]" { return [] }
    guard json.hasPrefix("[\""), json.hasSuffix("\"]"), json.utf8.count >= 4,
      !json.utf8.contains(where: { $0 < 0x20 || $0 == UInt8(ascii: "\\") })
    else { return nil }
    // Every second part is the separator between two strings.
    let parts = json.utf8.dropFirst(2).dropLast(2)
      .split(separator: UInt8(ascii: "\""), omittingEmptySubsequences: false)
    var texts: [Value] = []
    for (index, part) in parts.enumerated() {
      if index % 2 == 0 {
        texts.append(.string(String(Substring(part))))
      } else if part.count != 1 || part.first != UInt8(ascii: ",") {
        return nil
      }
    }
    return parts.count % 2 == 1 ? texts : nil
  }

  /// The value of a column that was encoded as JSON; null when it does not match the type.
  ///
  /// - Throws: `corrupt` when a list or a map is not JSON.
  func value(of type: DataType, column value: Value) throws(StoreError) -> Value {
    switch (type, value) {
    case (_, .null): return .null
    case (.list, .string(let text)), (.map, .string(let text)), (.any, .string(let text)),
      (.share, .string(let text)):
      guard let parsed = try? JSONParser().parse(text) else {
        throw StoreError(.corrupt, "a \(type.description) in the log of changes is not JSON")
      }
      return self.value(of: type, plain: parsed)
    case (.bool, .int(let int)): return .bool(int != 0)
    default: return self.value(of: type, plain: value)
    }
  }

  /// The typed value of plain JSON; null when it does not match the type.
  func value(of type: DataType, plain value: Value) -> Value {
    switch (type, value) {
    case (.list(let element), .list(let values)):
      return .list(values.map { self.value(of: element, plain: $0) })
    case (.map(let element), .map(let map)):
      return .map(
        MapValue(map.entries.map { (text($0.key), self.value(of: element, plain: $0.value)) }))
    case (.any, _), (.share, .map): return AnyValueCoder.value(value)
    case (.timestamp, .int(let int)): return .timestamp(Timestamp(microseconds: int))
    case (.duration, .int(let int)): return .duration(DurationValue(microseconds: int))
    case (.date, .string(let text)): return midnight(text).map(Value.timestamp) ?? .null
    case (.when, .string(let text)): return when(text).map(Value.timestamp) ?? .null
    case (.entity(let entity), .int(let int)): return item(entity, int)
    case (.double, .int(let int)): return .double(Double(int))
    case (.double, .string(let text)): return .double(text == "-Infinity" ? -.infinity : .infinity)
    case (.string, .string), (.url, .string), (.file, .string), (.enumeration, .string),
      (.int, .int), (.double, .double), (.bool, .bool):
      return value
    case (.refined(let type), _): return self.value(of: type.base, plain: value)
    default: return .null
    }
  }

  /// The reason why a value does not fit, as the end of a sentence about the property.
  struct TypeMismatch: Error {
    let reason: String

    init(_ reason: String) { self.reason = reason }
  }
}
