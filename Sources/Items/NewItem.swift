package import CEL

/// The values for creating an item.
package struct NewItem: Sendable {
  /// The entity's name.
  package var entity: String
  /// The properties to set.
  package var values: [(name: String, value: Value)]
  /// The global id it had in its source.
  package var uid: String?
  /// The time of its creation in the source.
  package var createdAt: Timestamp?
  /// The time of its last change in the source.
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
