package import CEL
package import Catalog
package import Items
import Program
import Source
import Store

/// Support for tests of definitions.
extension Run {
  /// Creates an item before the tested action runs.
  ///
  /// - Parameters:
  ///   - fields: properties, and optionally `createdAt` and `updatedAt`.
  ///   - moment: the time of its creation unless `fields` has one; nil for now.
  /// - Throws: `RunError` for an unknown property or an invalid value.
  @discardableResult
  package func given(
    _ entity: String, _ fields: [(name: String, value: Value)], at moment: Timestamp? = nil
  ) throws -> Item {
    var newRun = NewItem(entity, [])
    newRun.createdAt = moment
    for (name, value) in fields {
      let isMoment = ["createdAt", "updatedAt"].contains(name)
      let value = try converted(value, name, of: entity, isMoment ? .timestamp : nil)
      switch name {
      case "createdAt": newRun.createdAt = value.asTimestamp
      case "updatedAt": newRun.updatedAt = value.asTimestamp
      default: newRun.values.append((name, value))
      }
    }
    return try stored(entity) { try $0.items.create(newRun) }
  }

  /// A value converted to the type of a property, or to an explicit type.
  private func converted(
    _ value: Value, _ name: String, of entity: String, _ type: DataType? = nil
  ) throws -> Value {
    guard let type = try type ?? workspace.entity(entity).definition.property(name)?.type else {
      throw RunError(.invalidValue, "\(entity) has no property `\(name)`")
    }
    return try converter.convert(value, to: type, named: name)
  }

  /// A test value converted to a type.
  package func converted(_ value: Value, to type: DataType, named name: String) throws -> Value {
    try converter.convert(value, to: type, named: name)
  }

  /// Updates an item created for a test.
  ///
  /// - Throws: `RunError` for an unknown property or an invalid value.
  package func changed(_ item: Item, _ fields: [(name: String, value: Value)]) throws -> Item {
    guard let reference = item.reference else { return item }
    let values = try fields.map { name, value in
      (name: name, value: try converted(value, name, of: item.entity))
    }
    return try stored(item.entity) { try $0.items.update(reference, set: values) }
  }

  /// All items of an entity, in order of creation.
  package func items(of entity: String) throws -> [Item] {
    try stored(entity) { try $0.items.find(Query(entity)) }.sorted { ($0.id ?? 0) < ($1.id ?? 0) }
  }

  /// Whether a condition holds for a value, which is its `self`.
  ///
  /// - Throws: `Diagnostics` for an invalid condition, `RunError` when evaluation fails.
  package func holds(_ condition: ExpressionSource, of value: Value) throws -> Bool {
    let compiled = try workspace.condition(condition, over: .init(slot: 0, entity: nil))
    let answer = try RunError.translating(in: compiled.source) {
      try compiled.evaluate(Frame([value]))
    }
    guard case .bool(let holds) = answer else { throw RunError.notBool(answer, at: condition.span) }
    return holds
  }
}
