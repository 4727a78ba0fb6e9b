/// A value of the Common Expression Language.
public enum Value: Sendable {
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
public protocol ObjectValue: AnyObject, Sendable {
  /// The name of its type, such as `Link`.
  var typeName: String { get }
  /// The value of a field; nil when the type has no such field.
  func field(_ name: String) -> Value?
  /// The names of its fields in the order of their declaration.
  var fieldNames: [String] { get }
  /// Whether `has(self.name)` holds: the type has the field and it is not null.
  func hasField(_ name: String) -> Bool
  func isEqual(to other: any ObjectValue) -> Bool
}

/// The value of an expression such as `optional.of(x)` or `m.?key`.
public final class OptionalValue: Sendable {
  public let wrapped: Value?

  public init(_ wrapped: Value?) {
    self.wrapped = wrapped
  }

  public static let none = OptionalValue(nil)
}

/// A type as a value: what `type(x)` gives and `int` names.
public struct TypeName: Hashable, Sendable {
  public let name: String

  public init(_ name: String) {
    self.name = name
  }
}
