/// A value of the Common Expression Language.
///
/// `==` is CEL's equality: numbers are compared across their types, strings by code points, and
/// values of different kinds are unequal.
package enum Value: Sendable {
  case null
  case bool(Bool)
  case int(Int64)
  case uint(UInt64)
  case double(Double)
  case string(String)
  case bytes([UInt8])
  case timestamp(Timestamp)
  case duration(Duration)
  case list([Value])
  case map(MapValue)
  case type(TypeName)
  case optional(OptionalValue)
  case object(any ObjectValue)
}

/// A value of a type that the host declares: an entity's item, an address.
package protocol ObjectValue: AnyObject, Sendable {
  /// The name of its type, such as `Link`.
  var typeName: String { get }
  /// The value of a field; nil when the type has no such field.
  func field(_ name: String) -> Value?
  /// The names of its fields in the order of their declaration.
  var fieldNames: [String] { get }
  /// Whether `has(self.name)` holds: the type has the field and it is not null.
  func hasField(_ name: String) -> Bool
  /// Whether both are the same value for `==`.
  func isEqual(to other: any ObjectValue) -> Bool
  /// Whether it is text that is kept from sight.
  var isHidden: Bool { get }
}

/// Defaults for an object without fields.
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

  /// The name of its type as `type(x)` gives it, such as `int` or `google.protobuf.Timestamp`.
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

  /// The name of its type as a message to a person says it, such as `timestamp`.
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
  /// Makes a string.
  package init(stringLiteral value: String) { self = .string(value) }
  /// Makes an int.
  package init(integerLiteral value: Int64) { self = .int(value) }
  /// Makes a double.
  package init(floatLiteral value: Double) { self = .double(value) }
  /// Makes a bool.
  package init(booleanLiteral value: Bool) { self = .bool(value) }
  /// Makes null.
  package init(nilLiteral: ()) { self = .null }
  /// Makes a list.
  package init(arrayLiteral elements: Value...) { self = .list(elements) }
  /// Makes a map in the order of its entries; a key given twice keeps its last value.
  package init(dictionaryLiteral elements: (Value, Value)...) {
    self = .map(MapValue(entries: elements))
  }
}
