package import CEL

/// One property of an entity, as the store needs to know it.
///
/// A class, since schemas are walked for each value of each item: a copy costs nothing.
package final class PropertySchema: Sendable {
  /// The name, which is also the column's.
  package let name: String
  /// The declared type, without any `?`.
  package let type: DataType
  /// Whether it may be null.
  package let isOptional: Bool
  /// The value of an item that is created without one; nil when there is none.
  package let defaultValue: Value?
  /// The weight in full-text search; nil leaves the property out of the index.
  package let searchWeight: Double?
  /// Whether it is a long text that stands behind an item, such as that of a page: one that counts
  /// less in searches than usual. Such texts are packed, and shown only when they are asked for.
  package var isBody: Bool { type == .string && (searchWeight ?? 1) < 1 && !isIndexed }
  /// Whether an index serves filters on it.
  package let isIndexed: Bool
  /// What its values must be beside their type; nil when any will do.
  package let constraints: ValueConstraints?
  /// The values that other properties had before, by these properties' names, each with the value
  /// of this one that it became.
  package let formerValues: [String: [String: String]]

  package init(
    name: String, type: DataType, isOptional: Bool = false, default defaultValue: Value? = nil,
    searchWeight: Double? = nil, isIndexed: Bool = false, constraints: ValueConstraints? = nil,
    formerValues: [String: [String: String]] = [:]
  ) {
    self.name = name
    self.type = type.withoutOptionals
    self.isOptional = isOptional
    self.defaultValue = defaultValue
    self.searchWeight = searchWeight
    self.isIndexed = isIndexed
    self.constraints = constraints
    self.formerValues = formerValues
  }
}
