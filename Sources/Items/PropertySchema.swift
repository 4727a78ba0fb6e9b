package import CEL

/// The store's view of a property.
///
/// A class, since schemas are traversed for each value of each item, and copies must be cheap.
package final class PropertySchema: Sendable {
  /// Whether the elements are tags, of which the case does not count: texts of a list `tags`.
  package var areTags: Bool { name == "tags" && type == .list(.string) }

  /// The name; the column has the same name.
  package let name: String
  /// The declared type without `?`.
  package let type: DataType
  /// Whether it may be null.
  package let isOptional: Bool
  /// The value of a new item that does not give one; nil if there is none.
  package let defaultValue: Value?
  /// The weight in full-text search; nil if it is not searchable.
  package let searchWeight: Double?
  /// Whether it is declared as a long text.
  package let isLong: Bool
  /// Whether it is a long text, such as that of a page: declared so, or searchable with less than the
  /// default weight. Such texts are compressed, and shown only on request.
  package var isBody: Bool {
    type == .string && (isLong || (searchWeight ?? 1) < 1) && !isIndexed
  }
  /// Whether it has an index for filters.
  package let isIndexed: Bool
  /// The constraints on its values; nil if there are none.
  package let constraints: ValueConstraints?
  /// Whether its values are shared with other machines.
  package let isShared: Bool
  /// Whether an item may not refer to itself by it, directly or through other items.
  package let isAcyclic: Bool
  /// The former name, whose values it takes over; nil if there is none.
  package let formerName: String?
  /// Mappings from values of former properties to values of this one, by former property name.
  package let formerValues: [String: [String: String]]

  package init(
    name: String, type: DataType, isOptional: Bool = false, default defaultValue: Value? = nil,
    searchWeight: Double? = nil, isIndexed: Bool = false, constraints: ValueConstraints? = nil,
    isShared: Bool = true, isAcyclic: Bool = false, formerName: String? = nil,
    formerValues: [String: [String: String]] = [:], isLong: Bool = false
  ) {
    self.isLong = isLong
    self.name = name
    self.type = type.withoutOptionals
    self.isOptional = isOptional
    self.defaultValue = defaultValue
    self.searchWeight = searchWeight
    self.isIndexed = isIndexed
    self.constraints = constraints
    self.isShared = isShared
    self.isAcyclic = isAcyclic
    self.formerName = formerName
    self.formerValues = formerValues
  }
}
