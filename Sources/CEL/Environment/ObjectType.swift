/// A type with fields, declared by the host.
package struct ObjectType: Sendable {
  /// Creates a value of the type from field values.
  package typealias Maker = @Sendable (MapValue) throws(EvaluationError) -> any ObjectValue

  /// The name, such as `Link`.
  package var name: String { record.name }
  /// The fields in declaration order.
  package var fields: [RecordType.Field] { record.fields }
  /// The fields as a record; a presumed field is null only in an object that is not saved yet.
  let record: RecordType
  /// Creates a value for `Name{field: value}`; nil if expressions cannot construct the type.
  package let make: Maker?

  /// Declares a type.
  ///
  /// - Parameter presumed: Fields that count as non-null but may still be compared with null.
  package init(
    _ name: String, fields: [(name: String, type: CELType)], presumed: Set<String> = [],
    make: Maker? = nil
  ) {
    record = RecordType(
      name, fields.map { .init($0.name, $0.type, isPresumed: presumed.contains($0.name)) })
    self.make = make
  }
}
