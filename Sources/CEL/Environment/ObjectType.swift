/// A type with fields that the host declares.
public struct ObjectType: Sendable {
  /// Makes a value of the type from the fields given.
  public typealias Maker = @Sendable (MapValue) throws(EvaluationError) -> any ObjectValue

  /// Its name, such as `Link`.
  public let name: String
  /// Its fields in order.
  public let fields: [(name: String, type: CELType)]
  /// Fields that are null only in an object which is not saved yet: they count as set, and may be
  /// compared with null all the same.
  public let presumed: Set<String>
  /// Makes a value for `Name{field: value}`; nil when expressions can't.
  public let make: Maker?

  /// Declares a type.
  public init(
    _ name: String, fields: [(name: String, type: CELType)], presumed: Set<String> = [],
    make: Maker? = nil
  ) {
    self.name = name
    self.fields = fields
    self.presumed = presumed
    self.make = make
  }

  /// The type of a field; nil when there is no such field.
  public func type(of field: String) -> CELType? {
    fields.first { $0.name == field }?.type
  }
}
