/// A map type with known keys, such as the result of a step.
///
/// Assignable to any map type with string keys.
package struct RecordType: Hashable, Sendable {
  /// A key and the type of its value.
  package struct Field: Hashable, Sendable {
    /// The key.
    package let name: String
    /// The type of its value.
    package let type: CELType
    /// Whether the checker treats it as non-null: it may be null, but another field says whether it is set.
    package let isPresumed: Bool

    /// Declares a field.
    package init(_ name: String, _ type: CELType, isPresumed: Bool = false) {
      self.name = name
      self.type = type
      self.isPresumed = isPresumed
    }
  }

  /// The name in messages, such as “an error”.
  package let name: String
  /// The fields in declaration order.
  package let fields: [Field]

  /// Declares a record.
  package init(_ name: String, _ fields: [Field]) {
    self.name = name
    self.fields = fields
  }

  /// The field with a name, if any.
  package subscript(name: String) -> Field? { fields.first { $0.name == name } }

  /// The names of the fields in declaration order.
  package var names: [String] { fields.map(\.name) }

  /// The names of the object types in it.
  package var objectNames: [String] { fields.flatMap(\.type.objectNames) }
}

extension CELType {
  /// The names of the object types in it.
  package var objectNames: [String] {
    switch self {
    case .object(let name): [name]
    case .record(let record): record.objectNames
    default: parts.flatMap(\.objectNames)
    }
  }

  /// The type with a record replaced by its map type.
  package var withoutRecord: CELType {
    switch self {
    case .record: .map(.string, .dyn)
    case .nullable(let type): .nullable(type.withoutRecord)
    default: self
    }
  }
}
