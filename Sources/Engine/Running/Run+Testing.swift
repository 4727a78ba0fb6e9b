package import CEL
package import Catalog
package import Items
import Program
import Source
import Store

/// What tests ask of a run beside running it.
extension Run {
  /// Puts an item into the store, as it is before what is tested begins.
  ///
  /// - Parameter fields: properties, and the moments `createdAt` and `updatedAt`.
  /// - Throws: `RunError` for a name that is no property, or a value that does not fit.
  @discardableResult
  package func given(
    _ entity: String, _ fields: [(name: String, value: Value)]
  ) throws -> Item {
    let definition = try workspace.entity(entity).definition
    var draft = Draft(entity, [])
    for (name, value) in fields {
      let moment = ["createdAt", "updatedAt"].contains(name)
      guard let type = moment ? .timestamp : definition.property(name)?.type else {
        throw RunError(.invalidValue, "\(entity) has no property `\(name)`")
      }
      let value = try converter.convert(value, to: type, named: name)
      switch (name, value) {
      case ("createdAt", .timestamp(let moment)): draft.createdAt = moment
      case ("updatedAt", .timestamp(let moment)): draft.updatedAt = moment
      default: draft.values.append((name, value))
      }
    }
    let store = try store(for: entity)
    return try RunError.translating { try store.items.create(draft) }
  }

  /// A value of a test as a type wants it.
  package func converted(_ value: Value, to type: DataType, named name: String) throws -> Value {
    try converter.convert(value, to: type, named: name)
  }

  /// An item that was put into the store, with other values of some properties.
  ///
  /// - Throws: `RunError` for a name that is no property, or a value that does not fit.
  package func changed(
    _ item: Item, _ fields: [(name: String, value: Value)]
  ) throws -> Item {
    guard let reference = item.reference else { return item }
    let definition = try workspace.entity(item.entity).definition
    let values = try fields.map { name, value in
      guard let type = definition.property(name)?.type else {
        throw RunError(.invalidValue, "\(item.entity) has no property `\(name)`")
      }
      return (name: name, value: try converter.convert(value, to: type, named: name))
    }
    let store = try store(for: item.entity)
    return try RunError.translating { try store.items.update(reference, set: values) }
  }

  /// All items of an entity, in the order in which they were created.
  package func items(of entity: String) throws -> [Item] {
    let store = try store(for: entity)
    let items = try RunError.translating { try store.items.find(Query(entity)) }
    return items.sorted { ($0.id ?? 0) < ($1.id ?? 0) }
  }

  /// Whether a condition holds of a value, which is `self` in it.
  ///
  /// - Throws: `Diagnostics` when it is wrong, `RunError` when it has no answer.
  package func holds(_ condition: ExpressionSource, of value: Value) throws -> Bool {
    let compiled = try workspace.condition(condition, over: .init(slot: 0, entity: nil))
    let answer = try RunError.translating(in: compiled.source) {
      try compiled.evaluate(Frame([value]))
    }
    guard case .bool(let holds) = answer else {
      throw RunError(
        .invalidValue, "this condition gives \(answer.typeName), and true or false is wanted",
        at: condition.span)
    }
    return holds
  }
}
