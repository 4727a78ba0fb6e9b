/// A Swift type that corresponds to a CEL type in the closures of functions.
package protocol ValueConvertible: SendableMetatype {
  /// The corresponding CEL type.
  static var valueType: CELType { get }
  /// Converts from a value; nil if the value has another type.
  init?(_ value: Value)
  /// The corresponding CEL value.
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
    if case .bool(let bool) = value { self = bool } else { return nil }
  }
  package var value: Value { .bool(self) }
}

extension Int64: ValueConvertible {
  package static var valueType: CELType { .int }
  package init?(_ value: Value) {
    if case .int(let int) = value { self = int } else { return nil }
  }
  package var value: Value { .int(self) }
}

extension UInt64: ValueConvertible {
  package static var valueType: CELType { .uint }
  package init?(_ value: Value) {
    if case .uint(let uint) = value { self = uint } else { return nil }
  }
  package var value: Value { .uint(self) }
}

extension Double: ValueConvertible {
  package static var valueType: CELType { .double }
  package init?(_ value: Value) {
    if case .double(let double) = value { self = double } else { return nil }
  }
  package var value: Value { .double(self) }
}

extension String: ValueConvertible {
  package static var valueType: CELType { .string }
  package init?(_ value: Value) {
    if case .string(let string) = value { self = string } else { return nil }
  }
  package var value: Value { .string(self) }
}

extension Timestamp: ValueConvertible {
  package static var valueType: CELType { .timestamp }
  package init?(_ value: Value) {
    if case .timestamp(let timestamp) = value { self = timestamp } else { return nil }
  }
  package var value: Value { .timestamp(self) }
}

extension DurationValue: ValueConvertible {
  package static var valueType: CELType { .duration }
  package init?(_ value: Value) {
    if case .duration(let duration) = value { self = duration } else { return nil }
  }
  package var value: Value { .duration(self) }
}

extension MapValue: ValueConvertible {
  package static var valueType: CELType { .map(.dyn, .dyn) }
  package init?(_ value: Value) {
    if case .map(let map) = value { self = map } else { return nil }
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
