/// A Swift type that stands for a type of CEL in the closures of functions.
public protocol ValueConvertible: SendableMetatype {
  /// The type that it stands for.
  static var valueType: CELType { get }
  /// Takes it out of a value; nil when the value is of another type.
  init?(_ value: Value)
  /// It as a value.
  var value: Value { get }
}

extension Value: ValueConvertible {
  public static var valueType: CELType { .dyn }
  public init?(_ value: Value) { self = value }
  public var value: Value { self }
}

extension Bool: ValueConvertible {
  public static var valueType: CELType { .bool }
  public init?(_ value: Value) {
    guard case .bool(let bool) = value else { return nil }
    self = bool
  }
  public var value: Value { .bool(self) }
}

extension Int64: ValueConvertible {
  public static var valueType: CELType { .int }
  public init?(_ value: Value) {
    guard case .int(let int) = value else { return nil }
    self = int
  }
  public var value: Value { .int(self) }
}

extension UInt64: ValueConvertible {
  public static var valueType: CELType { .uint }
  public init?(_ value: Value) {
    guard case .uint(let uint) = value else { return nil }
    self = uint
  }
  public var value: Value { .uint(self) }
}

extension Double: ValueConvertible {
  public static var valueType: CELType { .double }
  public init?(_ value: Value) {
    guard case .double(let double) = value else { return nil }
    self = double
  }
  public var value: Value { .double(self) }
}

extension String: ValueConvertible {
  public static var valueType: CELType { .string }
  public init?(_ value: Value) {
    guard case .string(let string) = value else { return nil }
    self = string
  }
  public var value: Value { .string(self) }
}

extension Timestamp: ValueConvertible {
  public static var valueType: CELType { .timestamp }
  public init?(_ value: Value) {
    guard case .timestamp(let timestamp) = value else { return nil }
    self = timestamp
  }
  public var value: Value { .timestamp(self) }
}

extension Duration: ValueConvertible {
  public static var valueType: CELType { .duration }
  public init?(_ value: Value) {
    guard case .duration(let duration) = value else { return nil }
    self = duration
  }
  public var value: Value { .duration(self) }
}

extension MapValue: ValueConvertible {
  public static var valueType: CELType { .map(.dyn, .dyn) }
  public init?(_ value: Value) {
    guard case .map(let map) = value else { return nil }
    self = map
  }
  public var value: Value { .map(self) }
}

extension Array: ValueConvertible where Element: ValueConvertible {
  public static var valueType: CELType { .list(Element.valueType) }
  public init?(_ value: Value) {
    guard case .list(let list) = value else { return nil }
    if let same = list as? [Element] {
      self = same
      return
    }
    self = []
    reserveCapacity(list.count)
    for value in list {
      guard let element = Element(value) else { return nil }
      append(element)
    }
  }
  public var value: Value { .list(self as? [Value] ?? map(\.value)) }
}
