package import CEL
import Items

/// Accessors by type; nil for values of another type.
extension Value {
  /// The text.
  var asText: String? { if case .string(let text) = self { text } else { nil } }

  /// The integer.
  var asInt: Int64? { if case .int(let number) = self { number } else { nil } }

  /// The floating-point number.
  var asDouble: Double? { if case .double(let number) = self { number } else { nil } }

  /// The duration.
  var asDuration: DurationValue? { if case .duration(let length) = self { length } else { nil } }

  /// The moment.
  var asTimestamp: Timestamp? { if case .timestamp(let moment) = self { moment } else { nil } }

  /// The elements of the list.
  var asList: [Value]? { if case .list(let values) = self { values } else { nil } }

  /// The map.
  var asMap: MapValue? { if case .map(let map) = self { map } else { nil } }

  /// The item.
  var item: Item? { if case .object(let object) = self { object as? Item } else { nil } }

  /// The elements of a list; any other value as its only element.
  var elements: [Value] { asList ?? [self] }

  /// A text; null for nil.
  static func text(_ text: String?) -> Value { text.map(Value.string) ?? .null }

  /// A number, as an integer if it is integral; null for nil.
  package static func number(_ number: Double?) -> Value {
    number.map { Int64(exactly: $0).map(Value.int) ?? .double($0) } ?? .null
  }

  /// A map with text keys.
  static func record(_ fields: [(String, Value)]) -> Value { .map(MapValue(fields)) }
}

extension [Value] {
  /// Whether it has nothing to show: only nulls and empty texts.
  package var areBlank: Bool { allSatisfy { $0 == .string("") || $0.isNull } }
}
