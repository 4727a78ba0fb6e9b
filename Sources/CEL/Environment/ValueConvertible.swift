/// A Swift type that stands for a type of CEL in the closures of functions.
package protocol ValueConvertible: SendableMetatype {
  /// The type that it stands for.
  static var valueType: CELType { get }
  /// Takes it out of a value; nil when the value is of another type.
  init?(_ value: Value)
  /// It as a value.
  var value: Value { get }
}

extension Value: ValueConvertible {
  package static var valueType: CELType { .dyn }
  package init?(_ value: Value) { self = value }
  package var value: Value { self }
}

extension Bool: ValueConvertible {
  package static var valueType: CELType { .bool }
  package init?(_ value: Value) {
    guard case .bool(let bool) = value else { return nil }
    self = bool
  }
  package var value: Value { .bool(self) }
}

extension Int64: ValueConvertible {
  package static var valueType: CELType { .int }
  package init?(_ value: Value) {
    guard case .int(let int) = value else { return nil }
    self = int
  }
  package var value: Value { .int(self) }
}

extension UInt64: ValueConvertible {
  package static var valueType: CELType { .uint }
  package init?(_ value: Value) {
    guard case .uint(let uint) = value else { return nil }
    self = uint
  }
  package var value: Value { .uint(self) }
}

extension Double: ValueConvertible {
  package static var valueType: CELType { .double }
  package init?(_ value: Value) {
    guard case .double(let double) = value else { return nil }
    self = double
  }
  package var value: Value { .double(self) }
}

extension String: ValueConvertible {
  package static var valueType: CELType { .string }
  package init?(_ value: Value) {
    guard case .string(let string) = value else { return nil }
    self = string
  }
  package var value: Value { .string(self) }
}

extension Timestamp: ValueConvertible {
  package static var valueType: CELType { .timestamp }
  package init?(_ value: Value) {
    guard case .timestamp(let timestamp) = value else { return nil }
    self = timestamp
  }
  package var value: Value { .timestamp(self) }
}

extension Duration: ValueConvertible {
  package static var valueType: CELType { .duration }
  package init?(_ value: Value) {
    guard case .duration(let duration) = value else { return nil }
    self = duration
  }
  package var value: Value { .duration(self) }
}

extension MapValue: ValueConvertible {
  package static var valueType: CELType { .map(.dyn, .dyn) }
  package init?(_ value: Value) {
    guard case .map(let map) = value else { return nil }
    self = map
  }
  package var value: Value { .map(self) }
}

extension Array: ValueConvertible where Element: ValueConvertible {
  package static var valueType: CELType { .list(Element.valueType) }
  package init?(_ value: Value) {
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
  package var value: Value { .list(self as? [Value] ?? map(\.value)) }
}
