import CEL

/// The contents of an item: what its row holds, decoded.
struct Record: Sendable {
  /// The number within the entity; nil when unsaved.
  var id: Int64?
  /// The global id; nil when unsaved.
  var uid: GlobalID?
  /// When it was created; nil when unsaved.
  var createdAt: Timestamp?
  /// When a property last changed; nil when unsaved.
  var updatedAt: Timestamp?
  /// The values in the order of the properties.
  var values: [Value]
}
