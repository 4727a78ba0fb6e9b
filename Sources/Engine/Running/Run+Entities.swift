import Catalog
import Program
import YAML

extension Run {
  /// Whether an intent or a shortcut, or what it calls, may change the store.
  package func mayWrite(_ name: String) throws -> Bool {
    var open = [try workspace.action(name)]
    var seen: Set<String> = [name]
    while let next = open.popLast() {
      if next.steps.contains(where: \.mayWrite) { return true }
      for name in next.callees where seen.insert(name).inserted {
        open.append(try workspace.action(name))
      }
    }
    return false
  }

  /// The entities whose items an intent or a shortcut may come to work on, by what it says.
  func entities(of action: CompiledAction) throws -> Set<String> {
    var found: Set<String> = []
    var open = [action]
    var seen: Set<String> = [action.definition.name.text]
    while let next = open.popLast() {
      found.formUnion(next.entities)
      for name in next.callees where seen.insert(name).inserted {
        open.append(try workspace.action(name))
      }
    }
    return found
  }
}
