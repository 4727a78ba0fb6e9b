import CEL
import JSON

/// Writes values of any type as JSON and reads them back with their types.
///
/// Types that JSON lacks are written as a map whose only key is `$errand`, such as `{"$errand":
/// ["duration", "780s"]}`. Strings stored by earlier releases remain strings.
enum AnyValueCoder {
  /// The key that names the type of a value; users' maps must not contain it.
  static let tag = "$errand"

  /// The value as plain JSON.
  static func plain(_ value: Value) -> Value {
    switch value {
    case .timestamp(let moment): return tagged("timestamp", moment.jsonText)
    case .duration(let length): return tagged("duration", length.text)
    case .bytes(let bytes): return tagged("bytes", Base64.encode(bytes))
    case .list(let values): return .list(values.map(plain))
    case .map(let map):
      return .map(MapValue(entries: map.entries.map { ($0.key, Self.plain($0.value)) }))
    default: return value
    }
  }

  /// The typed value of plain JSON.
  static func value(_ plain: Value) -> Value {
    switch plain {
    case .list(let values): return .list(values.map(value))
    case .map(let map):
      if map.count == 1, case .list(let parts)? = map[.string(tag)], parts.count == 2,
        case .string(let kind) = parts[0], case .string(let text) = parts[1],
        let value = value(kind, text)
      {
        return value
      }
      return .map(MapValue(entries: map.entries.map { ($0.key, value($0.value)) }))
    default: return plain
    }
  }

  private static func value(_ kind: String, _ text: String) -> Value? {
    switch kind {
    case "timestamp": Timestamp(rfc3339: text).map(Value.timestamp)
    case "duration": DurationValue(text: text).map(Value.duration)
    case "bytes": Base64.decode(text).map(Value.bytes)
    default: nil
    }
  }

  private static func tagged(_ kind: String, _ text: String) -> Value {
    .map(MapValue([(tag, .list([.string(kind), .string(text)]))]))
  }
}
