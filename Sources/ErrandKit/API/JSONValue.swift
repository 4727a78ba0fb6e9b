package import CEL
import JSON

/// A value as JSON has it: what goes into a call, and what comes out of one.
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

  /// The member of an object; nil where there is none, or this is no object.
  public subscript(name: String) -> JSONValue? {
    if case .object(let members) = self { members[name] } else { nil }
  }

  /// The text, if this is one.
  public var string: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// The whole number, if this is one.
  public var int: Int64? {
    if case .int(let number) = self { number } else { nil }
  }

  /// The elements, if this is an array.
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
  /// - Throws: `ErrandError` with the code `invalid-value` and where the text is wrong.
  public init(parsing text: String) throws(ErrandError) {
    do { self.init(try JSONParser().parse(text)) } catch {
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

  /// The value as the engine has it.
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
