package import CEL
import JSON

/// A JSON value, for parameters and results.
///
/// Timestamps are RFC 3339 text, durations text such as `90s`, bytes base64; an item is an object
/// with `entity`, `id`, `ref`, its properties and its times.
public enum JSONValue: Hashable, Sendable {
  case null
  case bool(Bool)
  case int(Int64)
  case double(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  /// The member with this name; nil if there is none or the value is not an object.
  public subscript(name: String) -> JSONValue? {
    if case .object(let members) = self { members[name] } else { nil }
  }

  /// The text; nil if the value is not a string.
  public var string: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// The integer, also of a number such as `3.0`; nil if the value is not one.
  public var int: Int64? {
    switch self {
    case .int(let number): number
    case .double(let number): Int64(exactly: number)
    default: nil
    }
  }

  /// The elements; nil if the value is not an array.
  public var array: [JSONValue]? {
    if case .array(let elements) = self { elements } else { nil }
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByFloatLiteral, ExpressibleByNilLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  public init(stringLiteral value: String) { self = .string(value) }
  public init(integerLiteral value: Int64) { self = .int(value) }
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(floatLiteral value: Double) { self = .double(value) }
  public init(nilLiteral: ()) { self = .null }
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(Dictionary(elements, uniquingKeysWith: { $1 }))
  }
}

extension JSONValue {
  /// Parses a JSON text.
  ///
  /// - Throws: `invalid-value` with the position of the syntax error.
  public init(parsing text: String) throws(ErrandError) {
    do { self.init(try JSONParser().parse(text)) } catch {
      throw ErrandError(code: "invalid-value", message: "\(error)")
    }
  }

  /// The value as JSON on one line, the members of objects by name.
  ///
  /// - Throws: `invalid-value` for one that is nested too deeply.
  public func text() throws(ErrandError) -> String {
    do { return try JSONWriter().text(of: value) } catch {
      throw ErrandError(code: "invalid-value", message: "\(error)")
    }
  }

  /// A value that came from JSON.
  package init(_ value: CEL.Value) {
    switch value {
    case .null: self = .null
    case .bool(let bool): self = .bool(bool)
    case .int(let int): self = .int(int)
    case .uint(let uint): self = Int64(exactly: uint).map(JSONValue.int) ?? .double(Double(uint))
    case .double(let double): self = .double(double)
    case .string(let text): self = .string(text)
    case .list(let values): self = .array(values.map { JSONValue($0) })
    case .map(let map):
      self = .object(
        Dictionary(
          map.entries.map { ($0.key.text, JSONValue($0.value)) }, uniquingKeysWith: { $1 }))
    default: self = .string(value.text)
    }
  }

  /// The value with numbers such as `3.0` as integers, which they are in JSON Schema.
  package var normalized: JSONValue {
    switch self {
    case .double: int.map(JSONValue.int) ?? self
    case .array(let elements): .array(elements.map(\.normalized))
    case .object(let members): .object(members.mapValues(\.normalized))
    default: self
    }
  }

  /// The value in the engine's representation.
  package var value: CEL.Value {
    switch self {
    case .null: .null
    case .bool(let bool): .bool(bool)
    case .int(let int): .int(int)
    case .double(let double): .double(double)
    case .string(let text): .string(text)
    case .array(let elements): .list(elements.map(\.value))
    case .object(let members):
      .map(MapValue(members.sorted { $0.key < $1.key }.map { ($0.key, $0.value.value) }))
    }
  }
}
