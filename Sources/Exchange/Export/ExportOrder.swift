import Items

/// Sorts entities topologically: referenced entities come first.
package struct ExportOrder {
  private let context: ExchangeContext

  /// Creates an order by the definitions of the context.
  package init(_ context: ExchangeContext) {
    self.context = context
  }

  /// Returns the sorted entities; those in a cycle keep their order.
  package func sorted(_ entities: [String]) throws -> [String] {
    var result: [String] = []
    var visited: Set<String> = []
    // Depth-first with an explicit stack, since chains of references may be long.
    for entity in entities {
      var stack = [(name: entity, isLeaving: false)]
      while let (name, isLeaving) = stack.popLast() {
        if isLeaving {
          if entities.contains(name) { result.append(name) }
          continue
        }
        guard visited.insert(name).inserted else { continue }
        stack.append((name, true))
        for other in try targets(of: name).reversed() where !visited.contains(other) {
          stack.append((other, false))
        }
      }
    }
    return result
  }

  private func targets(of entity: String) throws -> [String] {
    guard context.entityNames().contains(entity) else { return [] }
    return try context.schema(entity).properties.compactMap { $0.type.referredEntity }
  }
}
