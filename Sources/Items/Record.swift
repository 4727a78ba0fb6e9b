package import CEL

/// The decoded contents of an item's row.
package struct Record: Sendable {
  /// The id within the entity; nil if unsaved.
  package var id: Int64?
  /// The global id; nil if unsaved.
  package var uid: GlobalID?
  /// The creation time; nil if unsaved.
  package var createdAt: Timestamp?
  /// The time of the last change of a property; nil if unsaved.
  package var updatedAt: Timestamp?
  /// The values in the order of the schema's properties.
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
