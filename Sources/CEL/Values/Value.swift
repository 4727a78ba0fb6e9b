/// A value of the Common Expression Language.
///
/// `==` is CEL's equality: numbers compare across types, strings by code points, and values of different types are
/// unequal.
package enum Value: Sendable {
  case null
  case bool(Bool)
  case int(Int64)
  case uint(UInt64)
  case double(Double)
  case string(String)
  case bytes([UInt8])
  case timestamp(Timestamp)
  case duration(DurationValue)
  case list([Value])
  case map(MapValue)
  case type(TypeName)
  case optional(OptionalValue)
  case object(any ObjectValue)
}

/// A value of a host-declared type, such as an item or an IP address.
package protocol ObjectValue: AnyObject, Sendable {
  /// The name of its type, such as `Link`.
  var typeName: String { get }
  /// Returns the value of a field; nil if the type has no such field.
  func field(_ name: String) -> Value?
  /// The field names in declaration order.
  var fieldNames: [String] { get }
  /// Returns whether `has(self.name)` holds: the field exists and is not null.
  func hasField(_ name: String) -> Bool
  /// Returns whether both are equal for `==`.
  func isEqual(to other: any ObjectValue) -> Bool
  /// Whether it is a secret text.
  var isHidden: Bool { get }
}

/// Defaults for objects without fields.
extension ObjectValue {
  package var fieldNames: [String] { [] }
  package func field(_ name: String) -> Value? { nil }
  package func hasField(_ name: String) -> Bool { !(field(name) ?? .null).isNull }
}

extension Value {
  /// Whether it is `null`.
  package var isNull: Bool {
    if case .null = self { true } else { false }
  }

  /// The type name as returned by `type(x)`, such as `int` or `google.protobuf.Timestamp`.
  package var typeName: String {
    switch self {
    case .null: "null_type"
    case .bool: "bool"
    case .int: "int"
    case .uint: "uint"
    case .double: "double"
    case .string: "string"
    case .bytes: "bytes"
    case .timestamp: "google.protobuf.Timestamp"
    case .duration: "google.protobuf.Duration"
    case .list: "list"
    case .map: "map"
    case .type: "type"
    case .optional: "optional_type"
    case .object(let object): object.typeName
    }
  }

  /// The type name in messages, such as `timestamp`.
  package var kindName: String {
    switch self {
    case .null: "null"
    case .timestamp: "timestamp"
    case .duration: "duration"
    case .optional: "optional"
    default: typeName
    }
  }
}

extension Value: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral, ExpressibleByNilLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// Creates a string.
  package init(stringLiteral value: String) { self = .string(value) }
  /// Creates an int.
  package init(integerLiteral value: Int64) { self = .int(value) }
  /// Creates a double.
  package init(floatLiteral value: Double) { self = .double(value) }
  /// Creates a bool.
  package init(booleanLiteral value: Bool) { self = .bool(value) }
  /// Creates null.
  package init(nilLiteral: ()) { self = .null }
  /// Creates a list.
  package init(arrayLiteral elements: Value...) { self = .list(elements) }
  /// Creates a map in entry order; the last value of a duplicate key wins.
  package init(dictionaryLiteral elements: (Value, Value)...) {
    self = .map(MapValue(entries: elements))
  }
}
