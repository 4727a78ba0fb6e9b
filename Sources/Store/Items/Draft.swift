public import CEL

/// What an item is to be created from.
public struct Draft: Sendable {
  /// The entity's name.
  public var entity: String
  /// The given properties.
  public var values: [(name: String, value: Value)]
  /// The global id it had elsewhere.
  public var uid: String?
  /// When it was created elsewhere.
  public var createdAt: Timestamp?
  /// When it last changed elsewhere.
  public var updatedAt: Timestamp?

  public init(
    _ entity: String, _ values: [(name: String, value: Value)], uid: String? = nil,
    createdAt: Timestamp? = nil, updatedAt: Timestamp? = nil
  ) {
    self.entity = entity
    self.values = values
    self.uid = uid
    self.createdAt = createdAt
    self.updatedAt = updatedAt
  }
}
