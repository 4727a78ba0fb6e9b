package import CEL

/// An item: a snapshot of its row, or one that is not stored.
///
/// A referenced item is loaded on first access to a field.
///
/// `Items` owns items as values: types, schemas, references, queries, changes and schedules. It
/// does not know how they are stored.
package final class Item: ObjectValue {
  private let layout: ItemLayout
  private let fixed: Record?
  private let deferred: DeferredRecord?
  /// Whether the operation that returned this item created it; nil if it comes from a query.
  package let isNew: Bool?
  /// The query that found it; nil if it was not found by a search.
  package let searchWords: String?
  /// Whether it matches only some of the words of that search.
  package let isNear: Bool
  /// Unpacks compressed texts, which are stored as bytes; nil if there are none.
  private let unpack: (@Sendable ([UInt8]) -> String)?

  package init(
    _ record: Record, layout: ItemLayout, isNew: Bool? = nil, searchWords: String? = nil,
    isNear: Bool = false, unpack: (@Sendable ([UInt8]) -> String)? = nil
  ) {
    self.unpack = unpack
    self.layout = layout
    self.isNew = isNew
    self.searchWords = searchWords
    self.isNear = isNear
    fixed = record
    deferred = nil
  }

  /// Creates an item that is loaded on first access.
  package init(_ deferred: DeferredRecord, layout: ItemLayout) {
    self.layout = layout
    self.deferred = deferred
    unpack = nil
    isNew = nil
    searchWords = nil
    isNear = false
    fixed = nil
  }

  /// The contents of the row; nulls if the item was deleted.
  package var record: Record {
    var record = stored
    guard unpack != nil else { return record }
    for index in record.values.indices { record.values[index] = plain(record.values[index]) }
    return record
  }

  /// The value, unpacked on access: for a list of items, unpacking texts that are never used would
  /// dominate the time.
  private func plain(_ value: Value) -> Value {
    if let unpack, case .bytes(let bytes) = value { .string(unpack(bytes)) } else { value }
  }

  /// The contents of the row, with long texts still packed.
  private var stored: Record {
    fixed ?? deferred?.record
      ?? Record(id: id, values: Array(repeating: .null, count: layout.schema.properties.count))
  }

  /// The schema of its entity.
  package var schema: EntitySchema { layout.schema }
  /// The entity's name.
  package var entity: String { layout.schema.name }
  /// The id within the entity; nil if unsaved.
  package var id: Int64? { fixed?.id ?? deferred?.id }
  /// The reference, such as `link:42`; nil if unsaved.
  package var reference: ItemReference? { id.map { ItemReference(entity: entity, id: $0) } }
  /// The global id as text; nil if unsaved.
  package var uid: String? { stored.uid?.text }
  /// The creation time; nil if unsaved.
  package var createdAt: Timestamp? { stored.createdAt }
  /// The time of the last change of a property; nil if unsaved.
  package var updatedAt: Timestamp? { stored.updatedAt }
  /// Whether it is stored.
  package var isSaved: Bool { stored.uid != nil }

  /// The value of the property at an index in the schema.
  package func value(at index: Int) -> Value { plain(stored.values[index]) }

  // MARK: ObjectValue

  package var typeName: String { entity }

  package var fieldNames: [String] { layout.fieldNames }

  package func field(_ name: String) -> Value? {
    if let index = layout.index(of: name) { return value(at: index) }
    return SystemField.named(name).map(field)
  }

  /// The value of a field that all items have.
  package func field(_ field: SystemField) -> Value {
    switch field {
    case .id: id.map(Value.int) ?? .null
    case .ref: reference.map { .string($0.description) } ?? .null
    case .uid: uid.map(Value.string) ?? .null
    case .entity: .string(entity)
    case .createdAt: createdAt.map(Value.timestamp) ?? .null
    case .updatedAt: updatedAt.map(Value.timestamp) ?? .null
    case .isNew: isNew.map(Value.bool) ?? .null
    case .isSaved: .bool(isSaved)
    }
  }

  /// Whether both objects are the same stored item, or the same instance.
  package func isEqual(to other: any ObjectValue) -> Bool {
    if self === other { return true }
    guard let other = other as? Item, let id, let otherID = other.id else { return false }
    return id == otherID && entity == other.entity
  }
}
