package import CEL
package import Items
import JSON

/// Checks values against a declared type and turns them into columns and back.
package struct PropertyCodec {
  /// How long one text may be, in bytes.
  static let maximumText = 16 << 20
  /// How deep lists and maps may nest.
  static let maximumDepth = 64

  let dateText: (Timestamp) -> String
  let midnight: (String) -> Timestamp?
  /// The item of an entity that a number stands for.
  let item: (_ entity: String, _ id: Int64) -> Value

  // MARK: Checking

  /// The value as the store will give it back, or nil and a reason when it does not fit.
  ///
  /// Null must be dealt with before.
  func fit(_ value: Value, to type: DataType, depth: Int = 0) throws(Misfit) -> Value {
    guard depth < Self.maximumDepth else { throw Misfit("is nested too deeply") }
    switch (type, value) {
    case (.string, .string(let text)), (.url, .string(let text)), (.file, .string(let text)):
      return .string(try checked(text))
    case (.refined(let type), _):
      guard let refined = type.value(of: value) else {
        throw Misfit("is not \(type.noun) such as \(type.examples)")
      }
      return refined
    case (.enumeration(let values), .string(let text)):
      guard values.contains(where: { $0.utf8.elementsEqual(text.utf8) }) else {
        throw Misfit("must be one of \(values.joined(separator: ", "))")
      }
      return value
    case (.int, .int), (.bool, .bool): return value
    case (.int, .uint(let number)):
      guard let int = Int64(exactly: number) else { throw Misfit("is too large for an int") }
      return .int(int)
    case (.double, .int(let int)): return .double(Double(int))
    case (.double, .double(let number)):
      guard !number.isNaN else { throw Misfit("is not a number, which cannot be stored") }
      return value
    case (.timestamp, .timestamp(let moment)):
      guard moment.isInRange else { throw Misfit("is not in the years 1 to 9999") }
      return .timestamp(Timestamp(microseconds: moment.microseconds))
    case (.date, .timestamp(let moment)):
      guard let day = midnight(dateText(moment)) else { throw Misfit("is not a date") }
      return .timestamp(day)
    case (.date, .string(let text)):
      guard let day = midnight(text) else { throw Misfit("is not a date like 2026-11-20") }
      return .timestamp(day)
    case (.duration, .duration(let length)): return .duration(length.roundedToMicroseconds)
    case (.list(let element), .list(let values)):
      var fitted: [Value] = []
      fitted.reserveCapacity(values.count)
      for value in values {
        if case .null = value, element != .any { throw Misfit("has a null in it") }
        fitted.append(try fit(value, to: element, depth: depth + 1))
      }
      return .list(fitted)
    case (.map(let element), .map(let map)):
      var fitted = MapValue()
      for (key, value) in map.entries {
        guard case .string(let name) = key else { throw Misfit("has a key that is not text") }
        if case .null = value, element != .any { throw Misfit("has a null in it") }
        fitted[.string(try checked(name))] = try fit(value, to: element, depth: depth + 1)
      }
      return .map(fitted)
    case (.entity(let entity), .object(let object)):
      guard let item = object as? Item, item.entity == entity else {
        throw Misfit("must be of the entity \(entity)")
      }
      guard item.id != nil else { throw Misfit("must be saved first") }
      return value
    case (.any, _), (.share, .map): return try fitAny(value, depth: depth)
    default: throw Misfit("must be of type \(type.description)")
    }
  }

  /// A value of any type as the store will give it back.
  private func fitAny(_ value: Value, depth: Int) throws(Misfit) -> Value {
    guard depth < Self.maximumDepth else { throw Misfit("is nested too deeply") }
    switch value {
    case .null, .bool, .int: return value
    case .uint(let number):
      guard let int = Int64(exactly: number) else { throw Misfit("is too large for an int") }
      return .int(int)
    case .double(let number):
      guard number.isFinite else { throw Misfit("has a number in it that JSON cannot hold") }
      return value
    case .string(let text): return .string(try checked(text))
    case .timestamp: return try fit(value, to: .timestamp)
    case .duration: return try fit(value, to: .duration)
    case .bytes(let bytes):
      guard bytes.count <= Self.maximumText else {
        throw Misfit("is longer than \(Self.maximumText >> 20) MB")
      }
      return value
    case .list(let values):
      var fitted: [Value] = []
      for value in values { fitted.append(try fitAny(value, depth: depth + 1)) }
      return .list(fitted)
    case .map(let map):
      var fitted = MapValue()
      for (key, value) in map.entries {
        guard case .string(let name) = key else { throw Misfit("has a key that is not text") }
        guard name != AnyValueCoder.tag else {
          throw Misfit("has the key `\(name)`, which the store has for itself")
        }
        fitted[.string(try checked(name))] = try fitAny(value, depth: depth + 1)
      }
      return .map(fitted)
    case .optional(let optional): return try fitAny(optional.wrapped ?? .null, depth: depth + 1)
    case .object(let object):
      guard let item = object as? Item, let reference = item.reference else {
        throw Misfit("has something in it that cannot be stored")
      }
      return .string(reference.description)
    case .type: throw Misfit("has something in it that cannot be stored")
    }
  }

  private func checked(_ text: String) throws(Misfit) -> String {
    guard text.utf8.count <= Self.maximumText else {
      throw Misfit("is longer than \(Self.maximumText >> 20) MB")
    }
    guard !text.utf8.contains(0) else { throw Misfit("has a NUL character in it") }
    return text
  }

  // MARK: Columns

  /// The column of a value that fits its type.
  package func column(_ value: Value, of type: DataType) -> SQLValue {
    switch (type, value) {
    case (_, .null): return .null
    case (.list(.string), .list(let values)):
      return .text(values.isEmpty ? "[]" : json(value))
    case (.list, _), (.map, _), (.any, _), (.share, _): return .text(json(plain(value, of: type)))
    case (_, .string(let text)): return .text(text)
    case (_, .int(let int)): return .int(int)
    case (_, .double(let number)): return .double(number)
    case (_, .bool(let bool)): return .int(bool ? 1 : 0)
    case (.date, .timestamp(let moment)): return .text(dateText(moment))
    case (_, .timestamp(let moment)): return .int(moment.microseconds)
    case (_, .duration(let length)): return .int(length.microseconds)
    case (_, .object(let object)):
      return (object as? Item)?.id.map(SQLValue.int) ?? .null
    default: return .null
    }
  }

  /// The column of a value as a table keeps it, where long texts are packed.
  func stored(_ value: Value, of property: PropertySchema) -> SQLValue {
    if property.isBody, case .string(let text) = value { return PackedText.column(text) }
    return column(value, of: property.type)
  }

  /// The text of a value whose depth and numbers were checked.
  private func json(_ value: Value) -> String {
    var output: [UInt8] = []
    // What `fit` lets through is within the writer's limits.
    try? JSONWriter(escapesInvisible: false).write(value, to: &output)
    return String(decoding: output, as: UTF8.self)
  }

  /// A typed value in the terms of JSON: moments and lengths as microseconds, items as numbers; of any
  /// type, with the name of one that JSON has no form for.
  func plain(_ value: Value, of type: DataType) -> Value {
    switch (type, value) {
    case (.list(let element), .list(let values)):
      return .list(values.map { plain($0, of: element) })
    case (.map(let element), .map(let map)):
      return .map(MapValue(map.entries.map { (text($0.key), plain($0.value, of: element)) }))
    case (.any, _), (.share, _): return AnyValueCoder.plain(value)
    case (.double, _), (_, .null): return value
    default:
      return switch column(value, of: type) {
      case .null: .null
      case .int(let int): type == .bool ? .bool(int != 0) : .int(int)
      case .double(let number): .double(number)
      case .text(let text): .string(text)
      case .blob(let bytes): .bytes(bytes)
      }
    }
  }

  private func text(_ key: Value) -> String {
    if case .string(let text) = key { text } else { "" }
  }

  /// The value that a column holds.
  ///
  /// - Throws: `corrupt` when it holds something else than its type.
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
    case .duration: return .duration(Duration(microseconds: row.int(column)))
    case .date: return midnight(row.text(column)).map(Value.timestamp) ?? .null
    case .entity(let entity): return item(entity, row.int(column))
    case .list, .map, .any, .share, .record:
      let text = row.text(column)
      if case .list(.string) = type, let texts = Self.plainTexts(text) { return .list(texts) }
      guard let parsed = try? JSONParser().parse(text) else {
        throw StoreError(
          .corrupt,
          "a stored \(type.description) is not JSON", remedy: .rescue)
      }
      return value(of: type, plain: parsed)
    case .optional(let type): return try value(of: type, in: row, column: column)
    case .refined(let type): return try value(of: type.base, in: row, column: column)
    }
  }

  /// The texts of a JSON array of nothing but strings without escapes; nil for any other JSON.
  ///
  /// Tags are nearly always that, and a search reads those of many items.
  private static func plainTexts(_ json: String) -> [Value]? {
    var json = json
    return json.withUTF8 { bytes -> [Value]? in
      guard bytes.count >= 2, bytes[0] == UInt8(ascii: "["),
        bytes[bytes.count - 1] == UInt8(ascii: "]")
      else { return nil }
      var texts: [Value] = []
      var index = 1
      let end = bytes.count - 1
      while index < end {
        if !texts.isEmpty {
          guard bytes[index] == UInt8(ascii: ",") else { return nil }
          index += 1
        }
        guard index < end, bytes[index] == UInt8(ascii: "\"") else { return nil }
        index += 1
        let start = index
        while index < end, bytes[index] != UInt8(ascii: "\"") {
          guard bytes[index] >= 0x20, bytes[index] != UInt8(ascii: "\\") else { return nil }
          index += 1
        }
        guard index < end else { return nil }
        texts.append(.string(String(decoding: bytes[start..<index], as: UTF8.self)))
        index += 1
      }
      return texts
    }
  }

  /// The value of a column that was written as JSON; null where it does not fit.
  ///
  /// - Throws: `corrupt` when a list or a map is no JSON.
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

  /// The typed value of one in the terms of JSON; null where it does not fit.
  func value(of type: DataType, plain value: Value) -> Value {
    switch (type, value) {
    case (.list(let element), .list(let values)):
      return .list(values.map { self.value(of: element, plain: $0) })
    case (.map(let element), .map(let map)):
      return .map(
        MapValue(map.entries.map { (text($0.key), self.value(of: element, plain: $0.value)) }))
    case (.any, _), (.share, .map): return AnyValueCoder.value(value)
    case (.timestamp, .int(let int)): return .timestamp(Timestamp(microseconds: int))
    case (.duration, .int(let int)): return .duration(Duration(microseconds: int))
    case (.date, .string(let text)): return midnight(text).map(Value.timestamp) ?? .null
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

  /// Why a value does not fit, as the end of a sentence about the property.
  struct Misfit: Error {
    let reason: String

    init(_ reason: String) {
      self.reason = reason
    }
  }
}
