public import CEL

/// One property of an entity, as the store needs to know it.
public struct PropertySchema: Sendable {
  /// The name, which is also the column's.
  public let name: String
  /// The declared type.
  public let type: PropertyType
  /// Whether it may be null.
  public let isOptional: Bool
  /// The value of an item that is created without one; nil when there is none.
  public let defaultValue: Value?
  /// The weight in full-text search; nil leaves the property out of the index.
  public let searchWeight: Double?
  /// Whether an index serves filters on it.
  public let isIndexed: Bool

  public init(
    name: String, type: PropertyType, isOptional: Bool = false, default defaultValue: Value? = nil,
    searchWeight: Double? = nil, isIndexed: Bool = false
  ) {
    self.name = name
    self.type = type
    self.isOptional = isOptional
    self.defaultValue = defaultValue
    self.searchWeight = searchWeight
    self.isIndexed = isIndexed
  }
}
