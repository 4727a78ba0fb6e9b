package import CEL

/// The contents of an item: what its row holds, decoded.
package struct Record: Sendable {
  /// The number within the entity; nil when unsaved.
  package var id: Int64?
  /// The global id; nil when unsaved.
  package var uid: GlobalID?
  /// When it was created; nil when unsaved.
  package var createdAt: Timestamp?
  /// When a property last changed; nil when unsaved.
  package var updatedAt: Timestamp?
  /// The values in the order of the properties.
  package var values: [Value]

  package init(
    id: Int64? = nil, uid: GlobalID? = nil, createdAt: Timestamp? = nil,
    updatedAt: Timestamp? = nil, values: [Value]
  ) {
    self.id = id
    self.uid = uid
    self.createdAt = createdAt
    self.updatedAt = updatedAt
    self.values = values
  }
}
