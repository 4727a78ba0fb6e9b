/// A type with fields that the host declares.
package struct ObjectType: Sendable {
  /// Makes a value of the type from the fields given.
  package typealias Maker = @Sendable (MapValue) throws(EvaluationError) -> any ObjectValue

  /// Its name, such as `Link`.
  package let name: String
  /// Its fields in order.
  package let fields: [(name: String, type: CELType)]
  /// Fields that are null only in an object which is not saved yet: they count as set, and may be
  /// compared with null all the same.
  package let presumed: Set<String>
  /// Makes a value for `Name{field: value}`; nil when expressions can't.
  package let make: Maker?

  /// Declares a type.
  package init(
    _ name: String, fields: [(name: String, type: CELType)], presumed: Set<String> = [],
    make: Maker? = nil
  ) {
    self.name = name
    self.fields = fields
    self.presumed = presumed
    self.make = make
  }

  /// The type of a field; nil when there is no such field.
  package func type(of field: String) -> CELType? {
    fields.first { $0.name == field }?.type
  }
}
