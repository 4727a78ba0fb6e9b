package import CEL

/// What an item is to be created from.
package struct Draft: Sendable {
  /// The entity's name.
  package var entity: String
  /// The given properties.
  package var values: [(name: String, value: Value)]
  /// The global id it had elsewhere.
  package var uid: String?
  /// When it was created elsewhere.
  package var createdAt: Timestamp?
  /// When it last changed elsewhere.
  package var updatedAt: Timestamp?

  package init(
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
