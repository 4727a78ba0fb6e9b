/// A type as the checker knows it.
package indirect enum CELType: Hashable, Sendable {
  /// Any value; what is known only at evaluation.
  case dyn
  case null
  case bool
  case int
  case uint
  case double
  case string
  /// A string that is one of these.
  case enumeration([String])
  case bytes
  case timestamp
  case duration
  case list(CELType)
  case map(CELType, CELType)
  /// A map whose keys are known.
  case record(RecordType)
  case optional(CELType)
  /// The type of a type, such as `int` used as a value; nil when it is not known of which.
  case type(CELType?)
  /// A value or null, such as a property that may be unset.
  case nullable(CELType)
  /// A type with fields that the host declares.
  case object(String)
  /// A type without fields, maybe with parameters, such as `net.IP`.
  case opaque(String, [CELType] = [])
  /// A type that a function leaves open, such as `T` in `list<T>`.
  case parameter(String)
}

extension CELType: CustomStringConvertible {
  /// The type as a message to a person says it, such as `list<string>` or `int?`.
  package var description: String {
    switch self {
    case .dyn: "any"
    case .null: "null"
    case .bool: "bool"
    case .int: "int"
    case .uint: "uint"
    case .double: "double"
    case .string: "string"
    case .enumeration: "enum"
    case .bytes: "bytes"
    case .timestamp: "timestamp"
    case .duration: "duration"
    case .list(let element): "list<\(element)>"
    case .map(let key, let value): "map<\(key), \(value)>"
    case .record: "map<string, any>"
    case .optional(let wrapped): "optional<\(wrapped)>"
    case .type: "type"
    case .nullable(let wrapped): "\(wrapped)?"
    case .object(let name), .parameter(let name): name
    case .opaque(let name, let parameters):
      parameters.isEmpty
        ? name : "\(name)<\(parameters.map(\.description).joined(separator: ", "))>"
    }
  }

  /// Whether a value may be of this type, as far as a look at its outside can tell.
  func accepts(_ value: Value) -> Bool {
    switch (self, value) {
    case (.dyn, _), (.parameter, _), (.null, .null), (.bool, .bool), (.int, .int), (.uint, .uint),
      (.double, .double), (.string, .string), (.enumeration, .string), (.bytes, .bytes),
      (.timestamp, .timestamp),
      (.duration, .duration), (.list, .list), (.map, .map), (.record, .map), (.optional, .optional),
      (.type, .type), (.nullable, .null):
      true
    case (.nullable(let wrapped), _): wrapped.accepts(value)
    case (.object(let name), .object(let object)), (.opaque(let name, _), .object(let object)):
      object.typeName == name
    default: false
    }
  }
}
