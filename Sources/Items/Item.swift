package import CEL

/// An item of an entity: a snapshot of its row, or one that is not stored.
///
/// An item that another one refers to is read when a field of it is first asked for.
package final class Item: ObjectValue {
  private let layout: ItemLayout
  private let fixed: Record?
  private let deferred: DeferredRecord?
  /// Whether the call that gave this item created it; nil when it came from a query.
  package let isNew: Bool?
  /// The words of the search that found it; nil when it came in another way.
  package let searchWords: String?
  /// Whether that search found it though it has not all of its words.
  package let isNear: Bool
  /// Makes texts of bytes that stand where texts should, which are packed; nil where there are none.
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

  /// An item known by its number, read on first use.
  package init(_ deferred: DeferredRecord, layout: ItemLayout) {
    self.layout = layout
    self.deferred = deferred
    unpack = nil
    isNew = nil
    searchWords = nil
    isNear = false
    fixed = nil
  }

  /// What the row holds; nulls when the item is gone.
  package var record: Record {
    var record = stored
    guard unpack != nil else { return record }
    for index in record.values.indices { record.values[index] = plain(record.values[index]) }
    return record
  }

  /// The value with a packed text as it was: a list of items would take most of its time for texts that
  /// nobody looks at.
  private func plain(_ value: Value) -> Value {
    if let unpack, case .bytes(let bytes) = value { .string(unpack(bytes)) } else { value }
  }

  /// What the row holds, with long texts packed.
  private var stored: Record {
    fixed ?? deferred?.record
      ?? Record(id: id, values: Array(repeating: .null, count: layout.schema.properties.count))
  }

  /// The definition it follows.
  package var schema: EntitySchema { layout.schema }
  /// The entity's name.
  package var entity: String { layout.schema.name }
  /// The number within the entity; nil when unsaved.
  package var id: Int64? { fixed?.id ?? deferred?.id }
  /// The reference, such as `link:42`; nil when unsaved.
  package var reference: ItemReference? { id.map { ItemReference(entity: entity, id: $0) } }
  /// The global id as text; nil when unsaved.
  package var uid: String? { stored.uid?.text }
  /// When it was created; nil when unsaved.
  package var createdAt: Timestamp? { stored.createdAt }
  /// When a property last changed; nil when unsaved.
  package var updatedAt: Timestamp? { stored.updatedAt }
  /// Whether the store holds it.
  package var isSaved: Bool { stored.uid != nil }

  /// The value of the property at a position of the definition.
  package func value(at index: Int) -> Value { plain(stored.values[index]) }

  // MARK: ObjectValue

  package var typeName: String { entity }

  package var fieldNames: [String] { layout.fieldNames }

  package func field(_ name: String) -> Value? {
    if let index = layout.index(of: name) { return value(at: index) }
    return SystemField.named(name).map(field)
  }

  /// The value of a field that every item has.
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

  /// Whether the other object is the same stored item, or this very object.
  package func isEqual(to other: any ObjectValue) -> Bool {
    if self === other { return true }
    guard let other = other as? Item, let id, let otherID = other.id else { return false }
    return id == otherID && entity == other.entity
  }
}
