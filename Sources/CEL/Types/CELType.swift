/// A type in the checker.
package indirect enum CELType: Hashable, Sendable {
  /// Any value; the type is known only at evaluation.
  case dyn
  case null
  case bool
  case int
  case uint
  case double
  case string
  /// A string that is one of the given values.
  case enumeration([String])
  case bytes
  case timestamp
  case duration
  case list(CELType)
  case map(CELType, CELType)
  /// A map with known keys.
  case record(RecordType)
  case optional(CELType)
  /// The type of a type, such as `int` used as a value; nil if unknown.
  case type(CELType?)
  /// A value or null, such as a property that may be unset.
  case nullable(CELType)
  /// A type with fields, declared by the host.
  case object(String)
  /// A type without fields, possibly with parameters, such as `net.IP`.
  case opaque(String, [CELType] = [])
  /// A type parameter of a function, such as `T` in `list<T>`.
  case parameter(String)
}

extension CELType: CustomStringConvertible {
  /// The type's name in messages, such as `list<string>` or `int?`.
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

  /// Returns whether a value may be of this type, by a shallow test.
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
