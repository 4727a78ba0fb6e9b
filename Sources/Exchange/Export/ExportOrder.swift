import Items

/// Orders entities so that what others refer to comes before them.
package struct ExportOrder {
  private let context: ExchangeContext

  /// An order by the definitions that the context knows.
  package init(_ context: ExchangeContext) {
    self.context = context
  }

  /// The entities in that order; those that refer to one another in a circle keep theirs.
  package func sorted(_ entities: [String]) throws -> [String] {
    var result: [String] = []
    var visited: Set<String> = []
    // Depth first, with a stack of our own: a chain of definitions may be long.
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
