package import CEL
package import Items

extension EntityStore {
  /// The value as a property keeps it.
  ///
  /// - Throws: `invalidValue`, naming the property and never the value.
  func fit(_ value: Value, to property: PropertySchema, of table: EntityTable) throws -> Value {
    var value = value
    if case .optional(let optional) = value { value = optional.wrapped ?? .null }
    if case .null = value {
      guard property.isOptional else {
        throw StoreError(.invalidValue, "\(table.name).\(property.name) needs a value")
      }
      return .null
    }
    do {
      return try codec.fit(value, to: property.type)
    } catch {
      throw StoreError(
        .invalidValue, "the value for \(table.name).\(property.name) \(error.reason)")
    }
  }

  /// The position of a property that is about to be set.
  ///
  /// - Throws: `notFound` for a name that the entity has not, `invalidValue` for one every item
  ///   has of itself.
  func settableIndex(of name: String, in table: EntityTable) throws -> Int {
    if let index = table.layout.index(of: name) { return index }
    if SystemField.named(name) != nil {
      throw StoreError(
        .invalidValue, "“\(name)” of \(table.name) is kept by the store and cannot be set")
    }
    throw StoreError(.notFound, "\(table.name) has no property “\(name)”")
  }

  /// The text by which items with these values are found again; nil without an identity.
  func identity(of values: [Value], in table: EntityTable) -> String? {
    identity(
      of: table.identity.map { (values[$0], table.schema.properties[$0].type) })
  }

  /// The text by which the values of the identity's properties are found again; nil where there are
  /// none, or one of them is null.
  ///
  /// Of several each has its length before it, so that no two lists have the same text.
  package func identity(of parts: [(value: Value, type: DataType)]) -> String? {
    let texts = parts.compactMap { identity(of: $0.value, type: $0.type) }
    guard !texts.isEmpty, texts.count == parts.count else { return nil }
    if texts.count == 1 { return texts[0] }
    return texts.map { "\($0.utf8.count):\($0)" }.joined()
  }

  /// The text by which an identity property's value is found again; nil for null.
  package func identity(of value: Value, type: DataType) -> String? {
    if type == .url, case .string(let url) = value { return context.canonicalURL(url) }
    return switch codec.column(value, of: type) {
    case .null, .blob: nil
    case .int(let int): String(int)
    case .double(let number): String(number)
    case .text(let text): text
    }
  }
}
