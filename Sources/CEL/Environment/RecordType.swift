/// A map whose keys are known before it is made, such as what a step gives.
///
/// Wherever a map from texts is wanted, it is one.
package struct RecordType: Hashable, Sendable {
  /// One key and what it holds.
  package struct Field: Hashable, Sendable {
    /// The key.
    package let name: String
    /// The type of its value.
    package let type: CELType
    /// Whether it counts as set although it may be null, since another field tells that it is.
    package let isPresumed: Bool

    /// Declares a field.
    package init(_ name: String, _ type: CELType, isPresumed: Bool = false) {
      self.name = name
      self.type = type
      self.isPresumed = isPresumed
    }
  }

  /// What it is, for messages, such as “an error”.
  package let name: String
  /// Its fields in order.
  package let fields: [Field]

  /// Declares a record.
  package init(_ name: String, _ fields: [Field]) {
    self.name = name
    self.fields = fields
  }

  /// The field of a name; nil when there is none.
  package subscript(name: String) -> Field? { fields.first { $0.name == name } }

  /// The names of the types of objects in it.
  package var objectNames: [String] { fields.flatMap(\.type.objectNames) }
}

extension CELType {
  /// The names of the types of objects in it.
  package var objectNames: [String] {
    switch self {
    case .object(let name): [name]
    case .record(let record): record.objectNames
    default: parts.flatMap(\.objectNames)
    }
  }

  /// The type with a record as the map that it is.
  package var withoutRecord: CELType {
    switch self {
    case .record: .map(.string, .dyn)
    case .nullable(let type): .nullable(type.withoutRecord)
    default: self
    }
  }
}
